import type { Json } from '../../../main/contract/json.ts'
import type { Outcome } from '../../../main/contract/game/outcome.ts'
import type { Input } from '../../../main/referees/specker/input.ts'
import {
  ENERGY,
  type Action,
  type Secret,
  type StartMessage,
  type TurnMessage,
} from '../../../main/referees/specker/messages.ts'
import { commitmentOf } from '../../../main/referees/specker/secrets.ts'
import { specker } from '../../../main/referees/specker/specker.ts'
import type { State } from '../../../main/referees/specker/state.ts'
import { startMessage, type PublicView } from '../../../main/referees/specker/referee/views.ts'
import type { PlayerFault, Violation } from '../../../main/referees/specker/trading/violations.ts'
import { SUMS } from './sums.ts'

/** Energy as prices and accounts are written: 0.5 is 500,000,000. */
export const e = (amount: number): number => Math.round(amount * ENERGY)

type OfferAction = Extract<Action, { readonly type: 'offer' }>

/** `more`: what only some variants know of. */
export const offer = (predicate: Json, price: number, more: Partial<OfferAction> = {}): OfferAction => ({
  type: 'offer',
  predicate,
  price: e(price),
  ...more,
})
export const accept = (challenge: number): Action => ({ type: 'accept', challenge })
export const reoffer = (challenge: number, price: number): Action => ({ type: 'reoffer', challenge, price: e(price) })
export const deliver = (challenge: number, instance: Json, secret?: Secret): Action => {
  return { type: 'deliver', challenge, instance, ...(secret === undefined ? {} : { secret }) }
}
export const solve = (challenge: number, solution: Json): Action => ({ type: 'solve', challenge, solution })

/** The 256 bits behind every secret of these tests. */
export const NONCE = '0123456789abcdef'.repeat(4)
export const sealed = (solution: Json, quality = `${String(solution)}/10`): Secret => {
  return { quality, commitment: commitmentOf(solution, NONCE) }
}
export const reveal = (challenge: number, solution: Json, nonce = NONCE): Action => {
  return { type: 'reveal', challenge, solution, nonce }
}

/** A match driven by hand. Seats act in the order in which the rules ask them. */
export interface Match {
  readonly state: State
  /** All so far. */
  readonly inputs: readonly Input[]
  /** The seat on turn acts; fails where it is another's turn. Returns the violation that the turn ended in, if any. */
  act(seat: number, ...actions: Action[]): Violation | null
  /** Asynchronous: a bundle of an agent that knows `seen` events. */
  race(seat: number, seen: number, ...actions: Action[]): Violation | null
  close(): void
  overdue(challenge: number): Violation | null
  /** How many public events there have been. */
  events(): number
  fail(seat: number, fault: PlayerFault): Violation | null
  accounts(): number[]
  removed(): number[]
  store(): number[]
  ask(): TurnMessage
  start(seat: number): StartMessage
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
  const inputs: Input[] = []
  const put = (input: Input): Violation | null => {
    inputs.push(input)
    const before = state.removals.length
    const refusal = rules.apply(state, input)
    if (refusal !== null) throw new Error(refusal)
    const gone = state.removals.slice(before)
    return gone.find((removal) => !('seat' in input) || removal.seat === input.seat)?.violation ?? null
  }
  return {
    state,
    inputs,
    act: (seat, ...actions) => put({ type: 'turn', seat, actions }),
    race: (seat, seen, ...actions) => put({ type: 'turn', seat, actions, seen }),
    close: () => void put({ type: 'close' }),
    overdue: (challenge) => put({ type: 'overdue', challenge }),
    events: () => state.dropped + state.events.length,
    fail: (seat, fault) => put({ type: 'fault', seat, fault }),
    accounts: () => state.players.map((player) => player.account),
    removed: () => state.removals.map((removal) => removal.seat),
    store: () => [...state.market.offers.keys()],
    ask: () => rules.view(state, state.turn!) as TurnMessage,
    start: (seat) => startMessage(state, seat),
    view: () => rules.view(state, 'public') as PublicView,
    outcome: () => rules.outcome(state),
  }
}
