import type { SeatId } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import type { Offer } from './market.ts'
import type { PublicEvent, StartMessage, StoreEntry, TurnMessage } from './messages.ts'
import { trading, type Deal, type Removal, type State } from './state.ts'
import { dueDeliveries, dueSolutions } from './trade.ts'

/** What everybody may see of a classic match: everything (section 4.4, last paragraph). */
export interface PublicView {
  readonly type: 'public'
  readonly round: number
  readonly trading: boolean
  /** Whose turn it is; null when the match is over. */
  readonly turn: SeatId | null
  readonly players: readonly { readonly seat: SeatId; readonly account: number; readonly removed: boolean }[]
  readonly store: readonly StoreEntry[]
  /** Bought and not finished. `instance` is null until `delivered`. */
  readonly deals: readonly (StoreEntry & {
    readonly buyer: SeatId
    readonly delivered: boolean
    readonly instance: Json
  })[]
  /** In the order in which they happened. */
  readonly removals: readonly Removal[]
  /** Those of this round and the one before at most; the inputs of the history have them all. */
  readonly events: readonly PublicEvent[]
}

export function publicView(state: State): PublicView {
  return {
    type: 'public',
    round: state.round,
    trading: trading(state),
    turn: state.turn,
    players: accounts(state),
    store: store(state),
    deals: [...state.deals.values()].map((deal) => ({
      ...entry(deal),
      buyer: deal.buyer,
      delivered: deal.material !== null,
      instance: deal.material?.instance ?? null,
    })),
    removals: [...state.removals],
    events: [...state.events],
  }
}

/** What a player is asked with in his turn. */
export function turnMessage(state: State, seat: SeatId): TurnMessage {
  const { account, told } = state.players[seat]!
  return {
    type: 'turn',
    protocol: 1,
    round: state.round,
    trading: trading(state),
    account,
    players: accounts(state),
    store: store(state),
    toDeliver: dueDeliveries(state, seat).map((deal) => ({ ...entry(deal), buyer: deal.buyer })),
    toSolve: dueSolutions(state, seat).map((deal) => ({ ...entry(deal), instance: deal.material?.instance ?? null })),
    events: state.events.slice(Math.max(0, told - state.dropped)),
  }
}

/** What a player is told before the first turn. */
export function startMessage({ config, challenge, players }: State, seat: SeatId): StartMessage {
  const { init, maxTurns, mindec, acceptOrReoffer, offersMin, offersMax } = config
  return {
    type: 'start',
    protocol: 1,
    me: seat,
    players: players.length,
    challenge: { name: challenge.name, source: config.challenge, config: config.challengeConfig },
    config: { init, maxTurns, mindec, acceptOrReoffer, offersMin, offersMax },
  }
}

function accounts(state: State): TurnMessage['players'] {
  return state.players.map(({ account, removed }, seat) => ({ seat, account, removed }))
}

function store(state: State): StoreEntry[] {
  return [...state.market.offers.values()].map(entry)
}

function entry({ challenge, seller, predicate, price }: Offer | Deal): StoreEntry {
  return { challenge, seller, predicate, price }
}
