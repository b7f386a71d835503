import type { FaultKind } from '../../../main/contract/faults.ts'
import type { SeatId } from '../../../main/contract/ids.ts'
import type { Viewer } from '../../../main/contract/viewer.ts'
import type { Reader } from '../fold.ts'
import type { Digest as AnyDigest } from '../game.ts'
import { evidenceOf, debtsIn, sellerOf, type Evidence, type PublicDebts } from './event-evidence.ts'
import type { Action, Input, PublicEvent, State } from './rules.ts'

/** Something that happened within an event, with the action that caused it: its place in the bundle, where there is one. */
export interface Happening {
  readonly event: PublicEvent
  readonly action: number | null
  /** Whose challenge it is about; null: it is about none that was known before. */
  readonly seller: SeatId | null
  readonly evidence: Evidence
}

/** What is kept of one event of a match. */
export interface Digest extends AnyDigest {
  readonly kind: 'turn' | 'fault' | 'console' | 'close'
  /** After the event, in seat order, in 10^-9 energy. */
  readonly accounts: readonly number[]
  readonly happenings: readonly Happening[]
  /** What a fault or a line of console says. */
  readonly note: { readonly kind: FaultKind | null; readonly text: string } | null
}

const actionOf: Readonly<Record<string, Action['type']>> = {
  offered: 'offer',
  accepted: 'accept',
  reoffered: 'reoffer',
  delivered: 'deliver',
  solved: 'solve',
  revealed: 'reveal',
}

/** Characters of a console line that are kept; the whole line stays in the history. */
const LONGEST_NOTE = 4_000

interface Before extends PublicDebts {
  readonly round: number
  /** How many public events there had been. */
  readonly events: number
}

export const reader: Reader<State, Digest, Before> = {
  before: (state) => ({ round: state.round, events: state.dropped + state.events.length, ...debtsIn(state) }),
  after(state, event, before, viewer) {
    const { round } = before
    const accounts = state.players.map((player) => player.account)
    const { at } = event
    if (event.kind !== 'input') {
      const [kind, text] = event.kind === 'fault' ? [event.fault.kind, event.fault.text] : [null, event.text]
      const note = { kind, text: text.slice(0, LONGEST_NOTE) }
      return { at, round, seat: event.seat, kind: event.kind, accounts, happenings: [], note }
    }
    const input = event.input as Input
    const events = state.events.slice(Math.max(0, before.events - state.dropped))
    const actions = input.type === 'turn' ? input.actions : []
    const happenings = attribute(state, events, input).map((caused): Happening => {
      const own =
        caused.action === null || unknownTo(viewer, input, caused.event) ? null : (actions[caused.action] ?? null)
      return { ...caused, seller: sellerOf(caused.event, own, before), evidence: evidenceOf(caused.event, own, before) }
    })
    const seat = 'seat' in input ? input.seat : (happenings[0]?.event.seat ?? null)
    const kind = input.type === 'close' ? 'close' : 'turn'
    return { at, round, seat, kind, accounts, happenings, note: null }
  },
}

/** Of what failed, the others are told that it did and why, and not what had been sent; whatever succeeds is public at once. */
function unknownTo(viewer: Viewer, input: Input, { type }: PublicEvent): boolean {
  if (type !== 'removed' && type !== 'refused' && type !== 'voided') return false
  return viewer !== 'public' && !('seat' in input && input.seat === viewer)
}

/** Tells of each public event which action of the bundle caused it: events come in the order of their actions. */
function attribute(state: State, events: readonly PublicEvent[], input: Input): Pick<Happening, 'event' | 'action'>[] {
  const actions = input.type === 'turn' ? input.actions : []
  let next = 0
  let removing = false
  return events.map((event) => {
    // What is voided behind a removal follows from it, whatever the bundle says of the same challenge.
    if (event.type === 'voided' && removing) return { event, action: null }
    removing = event.type === 'removed'
    if (event.type === 'removed') {
      const removal = state.removals.find(({ seat }) => seat === event.seat)
      const own = 'seat' in input && event.seat === input.seat
      return { event, action: own ? (removal?.violation.action ?? null) : null }
    }
    if (event.type === 'refused') {
      next = event.action + 1
      return { event, action: event.action }
    }
    const found = actions.findIndex((action, at) => at >= next && causes(action, event))
    if (found === -1) return { event, action: null }
    next = found + 1
    return { event, action: found }
  })
}

function causes(action: Action, event: Exclude<PublicEvent, { type: 'removed' | 'refused' }>): boolean {
  const fits =
    event.type === 'voided' ? action.type === 'solve' || action.type === 'reveal' : actionOf[event.type] === action.type
  if (!fits) return false
  if (action.type === 'offer') return true
  const challenge = event.type === 'reoffered' ? event.undercut : event.challenge
  return action.challenge === challenge
}
