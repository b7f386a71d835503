import type { Json } from '../../../main/contract/json.ts'
import type { Outcome } from '../../../main/contract/outcome.ts'
import { ENERGY, type Action, type TurnMessage } from '../../../main/referees/specker/messages.ts'
import { specker } from '../../../main/referees/specker/specker.ts'
import type { State } from '../../../main/referees/specker/state.ts'
import type { PublicView } from '../../../main/referees/specker/views.ts'
import type { PlayerFault, Violation } from '../../../main/referees/specker/violations.ts'
import { SUMS } from './sums.ts'

/** Energy as prices and accounts are written: 0.5 is 500,000,000. */
export const e = (amount: number): number => Math.round(amount * ENERGY)

export const offer = (predicate: Json, price: number): Action => ({ type: 'offer', predicate, price: e(price) })
export const accept = (challenge: number): Action => ({ type: 'accept', challenge })
export const reoffer = (challenge: number, price: number): Action => ({ type: 'reoffer', challenge, price: e(price) })
export const deliver = (challenge: number, instance: Json): Action => ({ type: 'deliver', challenge, instance })
export const solve = (challenge: number, solution: Json): Action => ({ type: 'solve', challenge, solution })

/** A match driven by hand. Seats act in the order in which the rules ask them. */
export interface Match {
  readonly state: State
  /** The seat on turn acts; fails where it is another's turn. Returns the violation that the turn ended in, if any. */
  act(seat: number, ...actions: Action[]): Violation | null
  fail(seat: number, fault: PlayerFault): Violation | null
  accounts(): number[]
  removed(): number[]
  store(): number[]
  ask(): TurnMessage
  view(): PublicView
  outcome(): Outcome | null
}

/** Config as an educator writes it; 10 energy each, 10 rounds, one offer a turn at least, unless said otherwise. */
export function match(players: number, settings: Record<string, Json> = {}): Match {
  const config = specker.config.parse({ challenge: SUMS, init: e(10), maxTurns: 10, ...settings })
  const seats = specker.seats(config, players)
  if (typeof seats === 'string') throw new Error(seats)
  const { rules } = specker
  const state = rules.initial(config, seats, '0'.repeat(64))
  const put = (input: Parameters<typeof rules.apply>[1]): Violation | null => {
    const refusal = rules.apply(state, input)
    if (refusal !== null) throw new Error(refusal)
    return state.removals.find((removal) => removal.seat === input.seat)?.violation ?? null
  }
  return {
    state,
    act: (seat, ...actions) => put({ type: 'turn', seat, actions }),
    fail: (seat, fault) => put({ type: 'fault', seat, fault }),
    accounts: () => state.players.map((player) => player.account),
    removed: () => state.removals.map((removal) => removal.seat),
    store: () => [...state.market.offers.keys()],
    ask: () => rules.view(state, state.turn!) as TurnMessage,
    view: () => rules.view(state, 'public') as PublicView,
    outcome: () => rules.outcome(state),
  }
}
