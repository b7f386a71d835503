import type { FaultKind } from '../../../main/contract/faults.ts'
import type { Ms } from '../../../main/contract/game.ts'
import type { SeatId } from '../../../main/contract/ids.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { MatchEvent } from '../../../main/contract/procedures.ts'
import { rules } from '../../../main/referees/specker/rules.ts'
import type { Reader } from './fold.ts'

export { rules }
export type State = ReturnType<typeof rules.initial>
type Input = Parameters<typeof rules.apply>[1]
export type Action = Extract<Input, { type: 'turn' }>['actions'][number]
export type PublicEvent = State['events'][number]
export type View = Extract<ReturnType<typeof rules.view>, { readonly type: 'public' }>
export type Rule = State['removals'][number]['violation']['rule']

/** Something that happened within an event, with the action that caused it: its place in the bundle, where there is one. */
export interface Happening {
  readonly event: PublicEvent
  readonly action: number | null
}

/** What the viewer keeps of one event of a match. */
export interface Digest {
  /** ms on the match clock. */
  readonly at: Ms
  readonly round: number
  readonly seat: SeatId
  readonly kind: 'turn' | 'fault' | 'console'
  /** After the event, in seat order, in 10^-9 energy. */
  readonly accounts: readonly number[]
  readonly happenings: readonly Happening[]
  /** What a fault or a line of console says. */
  readonly note: { readonly kind: FaultKind | null; readonly text: string } | null
}

/** An action of the match: the event that holds it and its place in the bundle. */
export interface Source {
  readonly index: number
  readonly action: number
}

/** Where challenges come from, by number. Grows with the fold. */
export interface Origins {
  /** Of a reoffered challenge: the offer that it goes back to. */
  readonly offer: ReadonlyMap<number, Source>
  readonly delivery: ReadonlyMap<number, Source>
  /** Who offers or sells it. */
  readonly seller: ReadonlyMap<number, SeatId>
}

const actionOf: Readonly<Record<string, Action['type']>> = {
  offered: 'offer',
  accepted: 'accept',
  reoffered: 'reoffer',
  delivered: 'deliver',
  solved: 'solve',
  voided: 'solve',
}

/** Characters of a console line that are kept; the whole line stays in the history. */
const LONGEST_NOTE = 4_000

export function createReader(): { readonly reader: Reader<State, Digest>; readonly origins: Origins } {
  const offer = new Map<number, Source>()
  const delivery = new Map<number, Source>()
  const seller = new Map<number, SeatId>()
  let round = 1

  function remember(index: number, { event, action }: Happening): void {
    if (event.type === 'offered' || event.type === 'reoffered') seller.set(event.challenge, event.seat)
    if (event.type === 'reoffered') offer.set(event.challenge, offer.get(event.undercut)!)
    else if (action === null) return
    else if (event.type === 'offered') offer.set(event.challenge, { index, action })
    else if (event.type === 'delivered') delivery.set(event.challenge, { index, action })
  }

  const reader: Reader<State, Digest> = {
    before(state) {
      round = state.round
      return state.dropped + state.events.length
    },
    after(state, event, index, before) {
      const accounts = state.players.map((player) => player.account)
      const { at } = event
      if (event.kind !== 'input') {
        const [kind, text] = event.kind === 'fault' ? [event.fault.kind, event.fault.text] : [null, event.text]
        const note = { kind, text: text.slice(0, LONGEST_NOTE) }
        return { at, round, seat: event.seat, kind: event.kind, accounts, happenings: [], note }
      }
      const input = event.input as Input
      const events = state.events.slice(Math.max(0, before - state.dropped))
      const happenings = attribute(state, events, input)
      for (const happening of happenings) remember(index, happening)
      return { at, round, seat: input.seat, kind: 'turn', accounts, happenings, note: null }
    },
  }
  return { reader, origins: { offer, delivery, seller } }
}

/** Tells of each public event which action of the bundle caused it: events come in the order of their actions. */
function attribute(state: State, events: readonly PublicEvent[], input: Input): Happening[] {
  const actions = input.type === 'turn' ? input.actions : []
  let next = 0
  let removing = false
  return events.map((event) => {
    // What is voided behind a removal follows from it, whatever the bundle says of the same challenge.
    if (event.type === 'voided' && removing) return { event, action: null }
    removing = event.type === 'removed'
    if (event.type === 'removed') {
      const removal = state.removals.find(({ seat }) => seat === event.seat)
      return { event, action: event.seat === input.seat ? (removal?.violation.action ?? null) : null }
    }
    const found = actions.findIndex((action, at) => at >= next && causes(action, event))
    if (found === -1) return { event, action: null }
    next = found + 1
    return { event, action: found }
  })
}

function causes(action: Action, event: PublicEvent): boolean {
  if (actionOf[event.type] !== action.type) return false
  if (action.type === 'offer') return true
  const challenge = event.type === 'reoffered' ? event.undercut : event.challenge
  return action.challenge === challenge
}

/** The action that a happening points at; null where the event is no turn or has no such action. */
export function actionAt(event: MatchEvent | undefined, action: number): Action | null {
  if (event?.kind !== 'input') return null
  const input = event.input as { readonly [key: string]: Json }
  const { actions } = input as unknown as { readonly actions?: readonly Action[] }
  return actions?.[action] ?? null
}
