import type { SeatId } from '../../contract/ids.ts'
import { trading, type State } from './state.ts'

/**
 * Passes the turn on, or ends the match. Each player has one turn a round; the removed are passed over. Once trading is
 * over only those have turns who owe something, and the match ends when nothing is owed (rule 10). It also ends as soon
 * as one player is left: every debt has two living ends, so nothing is owed then.
 */
export function passTurn(state: State): void {
  const seats = state.players.length
  do {
    state.place += 1
    if (state.place === seats) beginRound(state)
    state.turn = finished(state) ? null : seatAt(state, state.place)
  } while (state.turn !== null && !hasTurn(state, state.turn))
}

/** Whether at most one player is left. */
export function deserted(state: State): boolean {
  return state.players.length - state.removals.length <= 1
}

function finished(state: State): boolean {
  return deserted(state) || (!trading(state) && state.deals.size === 0)
}

function seatAt({ config, round, players }: State, place: number): SeatId {
  return config.order === 'fixed' ? place : (place + round - 1) % players.length
}

function hasTurn(state: State, seat: SeatId): boolean {
  const player = state.players[seat]!
  if (player.removed) return false
  if (trading(state)) return true
  const sold = [...player.sales].some((challenge) => state.deals.get(challenge)!.material === null)
  return sold || [...player.purchases].some((challenge) => state.deals.get(challenge)!.material !== null)
}

/** A new round; what every player in the game has been told is dropped. */
function beginRound(state: State): void {
  state.round += 1
  state.place = 0
  const told = state.players.filter((player) => !player.removed).map((player) => player.told)
  const known = Math.min(state.dropped + state.events.length, ...told)
  state.events = state.events.slice(known - state.dropped)
  state.dropped = known
}
