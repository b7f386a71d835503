import type { Ms } from '../../../contract/clock.ts'
import type { SeatId } from '../../../contract/ids.ts'
import type { Json } from '../../../contract/json.ts'
import type { Offer } from '../trading/market.ts'
import type { PublicEvent, RemovedMessage, Secret, StartMessage, Step, StoreEntry, TurnMessage } from '../messages.ts'
import { trading, type Deal, type Removal, type State } from '../state.ts'
import { dueDeliveries, dueReveals, dueSolutions, termsOf } from '../trading/trade.ts'

/** The public view of a classic match: everything (section 4.4, last paragraph). */
export interface PublicView {
  readonly type: 'public'
  readonly round: number
  readonly trading: boolean
  /** The seat on turn; null when the match is over. */
  readonly turn: SeatId | null
  /** With mega-moves: the step that it must take. */
  readonly step?: Step
  readonly players: readonly { readonly seat: SeatId; readonly account: number; readonly removed: boolean }[]
  readonly store: readonly StoreEntry[]
  /** Bought and not finished. `instance` is null until `delivered`. */
  readonly deals: readonly (StoreEntry & {
    readonly buyer: SeatId
    readonly delivered: boolean
    readonly instance: Json
    readonly secret?: Secret
    /** For a secret challenge whose secret has not been revealed yet. */
    readonly answer?: NonNullable<Deal['answer']>
  })[]
  /** In chronological order. */
  readonly removals: readonly Removal[]
  /** At most those of this round and the one before; the inputs of the history determine all of them. */
  readonly events: readonly PublicEvent[]
}

export function publicView(state: State): PublicView {
  return {
    type: 'public',
    round: state.round,
    trading: trading(state),
    turn: state.turn,
    ...stepOf(state),
    players: accounts(state),
    store: store(state),
    deals: [...state.deals.values()].map((deal) => ({
      ...entry(state, deal),
      buyer: deal.buyer,
      delivered: deal.material !== null,
      instance: null,
      ...deal.material,
      ...(deal.answer === undefined ? {} : { answer: deal.answer }),
    })),
    removals: [...state.removals],
    events: [...state.events],
  }
}

/** The message that asks a player for its turn. `since`: the number of public events that it has been told of. */
export function turnMessage(state: State, seat: SeatId, since = state.players[seat]!.told): TurnMessage {
  const { account } = state.players[seat]!
  return {
    type: 'turn',
    protocol: state.protocol,
    round: state.round,
    trading: trading(state),
    ...stepOf(state),
    account,
    players: accounts(state),
    store: store(state),
    toDeliver: dueDeliveries(state, seat).map((deal) => ({ ...entry(state, deal), buyer: deal.buyer })),
    toSolve: dueSolutions(state, seat).map((deal) => ({ ...entry(state, deal), ...deal.material! })),
    ...(state.protocol === 1 ? {} : { toReveal: reveals(state, seat) }),
    events: state.events.slice(Math.max(0, since - state.dropped)),
  }
}

/** The message before the first turn. `timeslot`: the actual time for an answer, if it is known. */
export function startMessage(state: State, seat: SeatId, timeslot: Ms | null = state.choices.timeslot): StartMessage {
  const { config, choices, protocol, challenge, players } = state
  const { init, maxTurns, mindec, acceptOrReoffer, offersMin, offersMax, order } = config
  const { falseSecrets, judgement, ...others } = choices
  const newer = {
    ...(falseSecrets === 'as-promised' ? {} : { falseSecrets }),
    ...(judgement === 'lenient' ? {} : { judgement }),
  }
  return {
    type: 'start',
    protocol,
    me: seat,
    players: players.length,
    challenge: { name: challenge.name, source: config.challenge, config: config.challengeConfig },
    config: {
      ...{ init, maxTurns, mindec, acceptOrReoffer, offersMin, offersMax },
      ...(protocol === 1 ? {} : { order, ...others, ...newer, timeslot }),
    },
  }
}

/** The message for a player that is removed. */
export function removedMessage({ protocol }: State, { round, violation }: Removal): RemovedMessage {
  const { rule, text } = violation
  return { type: 'removed', protocol, round, rule, text }
}

function reveals(state: State, seat: SeatId): NonNullable<TurnMessage['toReveal']> {
  return dueReveals(state, seat).map((deal) => {
    return { ...entry(state, deal), buyer: deal.buyer, secret: deal.material!.secret! }
  })
}

function stepOf({ step }: State): { readonly step?: Step } {
  return step === null ? {} : { step }
}

function accounts(state: State): TurnMessage['players'] {
  return state.players.map(({ account, removed }, seat) => ({ seat, account, removed }))
}

function store(state: State): StoreEntry[] {
  return [...state.market.offers.values()].map((offer) => entry(state, offer))
}

function entry(state: State, offer: Offer | Deal): StoreEntry {
  const { challenge, seller, predicate, price } = offer
  return { challenge, seller, predicate, price, ...termsOf(state, offer) }
}
