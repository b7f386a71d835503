import type { SeatId } from '../../../contract/ids.ts'
import { answeredDeals } from '../analysis/caused-events.ts'
import type { Input } from '../input.ts'
import type { Action, PublicEvent } from '../messages.ts'
import type { State } from '../state.ts'
import { debtsIn, evidenceOf, sellerOf, type Evidence, type PublicDebts } from './evidence.ts'

/** A public event of an input, with the action that caused it and the action's index in the bundle, if there is one. */
export interface Happening {
  readonly event: PublicEvent
  readonly action: number | null
  /** The seller of its challenge; null: the event concerns no challenge that existed before. */
  readonly seller: SeatId | null
  /** True if it ends a sale that its buyer had solved. */
  readonly answered: boolean
  readonly evidence: Evidence
}

/** The facts about a state that are recorded before an input is applied to it. */
export interface Before extends PublicDebts {
  readonly round: number
  /** The number of public events so far. */
  readonly events: number
}

export function noteBefore(state: State): Before {
  return { round: state.round, events: state.dropped + state.events.length, ...debtsIn(state) }
}

/**
 * The events of an input in order. `state`: after the input. `knows`: whether the viewer knows what a player had sent
 * when this event happened; successful actions are public at once.
 */
export function happeningsOf(
  state: State,
  input: Input,
  before: Before,
  knows: (event: PublicEvent) => boolean,
): readonly Happening[] {
  const events = state.events.slice(Math.max(0, before.events - state.dropped))
  const actions = input.type === 'turn' ? input.actions : []
  const solved = answeredDeals(before.deals)
  return attribute(state, events, input).map((caused) => {
    const { event, action } = caused
    const own = action === null || !knows(event) ? null : (actions[action] ?? null)
    const answered = event.type === 'voided' && solved.has(event.challenge)
    if (event.type === 'solved') solved.add(event.challenge)
    return { ...caused, seller: sellerOf(event, own, before), answered, evidence: evidenceOf(event, own, before) }
  })
}

/** Actions at which a challenge file may fail, which voids the sale. */
const closing: ReadonlySet<Action['type']> = new Set(['deliver', 'solve', 'reveal'])

const actionOf: Readonly<Record<string, Action['type']>> = {
  offered: 'offer',
  accepted: 'accept',
  reoffered: 'reoffer',
  delivered: 'deliver',
  solved: 'solve',
  revealed: 'reveal',
}

/** Finds the action of the bundle that caused each event: events come in the order of their actions. */
function attribute(state: State, events: readonly PublicEvent[], input: Input): Pick<Happening, 'event' | 'action'>[] {
  const actions = input.type === 'turn' ? input.actions : []
  let next = 0
  let removing = false
  return events.map((event) => {
    // A sale that is voided after a removal is a consequence of it, whatever the bundle says about the challenge.
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
  const fits = event.type === 'voided' ? closing.has(action.type) : actionOf[event.type] === action.type
  if (!fits) return false
  if (action.type === 'offer') return true
  const challenge = event.type === 'reoffered' ? event.undercut : event.challenge
  return action.challenge === challenge
}
