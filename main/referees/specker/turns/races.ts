import type { Input } from '../input.ts'
import type { SeatId } from '../../../contract/ids.ts'
import type { Deal, State } from '../state.ts'
import { isOver } from './turns.ts'
import { missing } from './duties.ts'
import { isAbsence, type Breach, type Rule, type Violation } from '../trading/violations.ts'

/** Why an input is not allowed now, regardless of its content; null: it is allowed. */
export function refusalOf(state: State, input: Input): string | null {
  if (input.type === 'fault' && input.ready === false) return cannotBeAbsent(state, input.seat)
  if (isOver(state)) return 'The match is over.'
  if (state.choices.mode === 'asynchronous') return outOfPlace(state, input)
  if (input.type === 'close' || input.type === 'overdue') return 'Only the asynchronous game knows the time.'
  return state.turn === input.seat ? null : `It is the turn of seat ${state.turn}, not of seat ${input.seat}.`
}

/** Players that are not ready leave before anything else happens, even if too few remain. */
function cannotBeAbsent(state: State, seat: SeatId): string | null {
  const { players, removals, events, dropped, round, turn } = state
  const begun =
    dropped + events.length > removals.length ||
    !removals.every(({ violation }) => isAbsence(violation)) ||
    round > 1 ||
    (turn !== null && turn !== players.findIndex((player) => !player.removed))
  return begun ? 'The match has begun: all players were ready.' : notPlaying(state, seat)
}

function notPlaying({ players }: State, seat: SeatId): string | null {
  const player = players[seat]
  if (player === undefined) return `There is no seat ${seat}.`
  return player.removed ? `Seat ${seat} has been removed.` : null
}

function outOfPlace(state: State, input: Input): string | null {
  if (input.type === 'close') return state.round > 1 ? 'Trading has ended already.' : null
  if (input.type === 'overdue') {
    return state.deals.has(input.challenge) ? null : `Nothing is owed for challenge ${input.challenge}.`
  }
  const absent = notPlaying(state, input.seat)
  if (absent !== null) return absent
  const events = state.dropped + state.events.length
  const ahead = input.type === 'turn' && input.seen !== undefined && input.seen > events
  return ahead ? `There have been ${events} events, not ${input.seen}.` : null
}

/**
 * Rules that an action may break because of what others did before it arrived: the challenge is sold, undercut or gone
 * with its seller; somebody offers the predicate for less; a payoff was paid from the account; trading has ended.
 */
const overtaken: ReadonlySet<Rule> = new Set([
  'not-on-offer',
  'bought-once',
  'new-offer',
  'positive-account',
  'not-due',
  'completion',
])

/**
 * Asynchronous: whether an action may have failed only because another player was faster. Then it is refused without a
 * penalty; it is a violation if nobody else has done anything since its player was last informed. The end of trading is
 * not announced in advance, so actions after it are refused too.
 */
export function wasOvertaken(state: State, seat: SeatId, { rule }: Breach): boolean {
  if (state.choices.mode !== 'asynchronous' || !overtaken.has(rule)) return false
  if (rule === 'completion') return true
  const since = Math.max(0, state.players[seat]!.told - state.dropped)
  return state.events.slice(since).some((event) => event.seat !== seat && event.type !== 'refused')
}

/** Asynchronous: a debt was not settled within the time slot. */
export function overdue(deal: Deal): Violation {
  return { ...missing(deal, 'within the time slot'), action: null }
}
