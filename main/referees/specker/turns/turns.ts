import type { SeatId } from '../../../contract/ids.ts'
import { nextStep } from './mega-moves.ts'
import { trading, type State } from '../state.ts'
import { owing } from '../trading/trade.ts'

/**
 * Passes the turn on, or ends the match. Each player has one turn per round; removed players are skipped. After the end
 * of trading only players that owe something have turns, and the match ends when nothing is owed (rule 10). It also
 * ends as soon as one player is left: a debt needs two players, so nothing is owed then.
 */
export function passTurn(state: State): void {
  if (state.choices.mode === 'asynchronous') return forget(state)
  if (state.step !== null) return passStep(state)
  const seats = state.players.length
  do {
    state.place += 1
    if (state.place === seats) beginRound(state)
    state.turn = finished(state) ? null : seatAt(state, state.place)
  } while (state.turn !== null && !hasTurn(state, state.turn))
}

/** True if the turn must be passed on because this player has left the game before its first turn. */
export function nextIsDue(state: State, seat: SeatId): boolean {
  return !isOver(state) && (state.turn === seat || onePlayerLeft(state))
}

/** The next step of this mega-move (section 4.2), or the first of the next one. */
function passStep(state: State): void {
  if (!onePlayerLeft(state) && nextStep(state, state.place)) return
  state.place += 1
  if (state.place === 2) beginRound(state)
  state.step = 'offer'
  state.turn = finished(state) ? null : state.place
}

/** True if at most one player is left. */
export function onePlayerLeft(state: State): boolean {
  return state.players.length - state.removals.length <= 1
}

/** True if the match is over. */
export function isOver(state: State): boolean {
  return state.choices.mode === 'asynchronous' ? finished(state) : state.turn === null
}

function finished(state: State): boolean {
  return onePlayerLeft(state) || (!trading(state) && state.deals.size === 0)
}

function seatAt({ config, round, players }: State, place: number): SeatId {
  return config.order === 'fixed' ? place : (place + round - 1) % players.length
}

function hasTurn(state: State, seat: SeatId): boolean {
  const player = state.players[seat]!
  if (player.removed) return false
  if (trading(state)) return true
  return owing(state, seat)
}

function beginRound(state: State): void {
  state.round += 1
  state.place = 0
  forget(state)
}

/** Drops the events that all remaining players have been told of. */
function forget(state: State): void {
  const told = state.players.filter((player) => !player.removed).map((player) => player.told)
  const known = Math.min(state.dropped + state.events.length, ...told)
  if (known === state.dropped) return
  state.events = state.events.slice(known - state.dropped)
  state.dropped = known
}
