import type { Challenge } from '../../../grammars/challenges/index.ts'
import type { Seat } from '../../contract/game/table.ts'
import type { SeatId } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import { openAccount } from './trading/books.ts'
import { choicesOf, isFirst, type Choices } from './choices.ts'
import { challengeOf, type Config } from './config.ts'
import { createMarket, type Market, type Offer } from './trading/market.ts'
import type { Claim, Protocol, PublicEvent, Secret, Step } from './messages.ts'
import type { Violation } from './trading/violations.ts'

/** A challenge that was bought and is not finished. Replaced, never modified, so that saved states may share it. */
export type Deal = {
  readonly challenge: number
  readonly seller: SeatId
  readonly buyer: SeatId
  readonly predicate: Json
  /** The price that the buyer paid. */
  readonly price: number
  /** Absent: classic. */
  readonly kind?: Claim
  /** For a belief with a free f, in 10^-9; otherwise f is the price. */
  readonly f?: number
  /** null until the raw material is delivered. */
  readonly material: { readonly instance: Json; readonly secret?: Secret } | null
  /** The buyer has solved it and been paid, and the seller must reveal its secret. */
  readonly answer?: { readonly quality: string; readonly discounted: boolean }
  /** The quality of the secret solution that the seller showed, if it is worse than claimed. */
  readonly shown?: string
}

/** Why and when a player left the game (rule 9), and what it had to refund. */
export type Removal = {
  readonly seat: SeatId
  readonly round: number
  readonly violation: Violation
  /** The unfinished sales, oldest first: the amount owed to each buyer and the amount paid. */
  readonly refunds: readonly {
    readonly challenge: number
    readonly buyer: SeatId
    readonly owed: number
    readonly paid: number
  }[]
}

/**
 * Results of an input, in order: how the challenge judged a player's value, the money that moved for it, and who was removed. With
 * the actions of players this is everything from which another program can keep the accounts.
 */
type Finding =
  /** A solution: its quality as "p/q", and what the seller paid for it. `discounted` as in the public event. */
  | {
      readonly type: 'solved'
      readonly challenge: number
      readonly quality: string
      readonly payoff: number
      readonly discounted?: boolean
    }
  /** A secret solution whose quality is as claimed, or worse. */
  | { readonly type: 'revealed' | 'broken'; readonly challenge: number; readonly quality: string }
  /** A sale that ended without a judged solution: what its seller paid back. */
  | { readonly type: 'voided'; readonly challenge: number; readonly refund: number }
  /** `action`: the index of the action that broke the rule; null: no single one did. `challenge`: the one that it was about. */
  | {
      readonly type: 'removed'
      readonly seat: SeatId
      readonly rule: string
      readonly action: number | null
      readonly challenge?: Json
    }
  /** Asynchronous: the action with this index came too late and had no effect. */
  | { readonly type: 'refused'; readonly action: number }

interface Player {
  /** In 10^-9 energy. Only the ledger changes it. */
  account: number
  removed: boolean
  /** This player's challenges: for sale; sold and not finished; bought and not finished. */
  readonly offers: Set<number>
  readonly sales: Set<number>
  readonly purchases: Set<number>
  /** The number of events of the match when this player's last turn began. */
  told: number
}

/**
 * A match in progress: accounts, store and obligations of section 4.1, and whose turn it is. It contains no clock, and
 * of the past only what players have not been told yet: the history has the rest.
 */
export interface State {
  readonly config: Config
  readonly choices: Choices
  /** The protocol of players that do not request another one. */
  readonly protocol: Protocol
  readonly challenge: Challenge
  readonly players: readonly Player[]
  readonly market: Market
  readonly deals: Map<number, Deal>
  /** In the order of removal. */
  readonly removals: Removal[]
  /** From 1. Asynchronous: 1 until the end of trading, then 2. */
  round: number
  /** The number of places in the round's order that have had their turn. */
  place: number
  /** The seat that must act; null when the match is over, and in asynchronous games, where all may act. */
  turn: SeatId | null
  /** The step that the player must take, in mega-moves (section 4.2); otherwise null. */
  step: Step | null
  nextChallenge: number
  events: PublicEvent[]
  /** The number of events before `events` that were dropped because every player has been told of them. */
  dropped: number
  /** Results of the last input. Not saved: they follow from the input. */
  found: Finding[]
}

export function initialState(config: Config, seats: readonly Seat[]): State {
  const { mode } = choicesOf(config)
  return {
    ...settled(config),
    players: seats.map(() => createPlayer(config.init, 0)),
    market: createMarket([]),
    deals: new Map(),
    removals: [],
    round: 1,
    place: 0,
    turn: mode === 'asynchronous' ? null : 0,
    step: mode === 'mega-moves' ? 'offer' : null,
    nextChallenge: 0,
    events: [],
    dropped: 0,
    found: [],
  }
}

/** The parts that the config alone determines. */
function settled(config: Config): Pick<State, 'config' | 'choices' | 'protocol' | 'challenge'> {
  return {
    config,
    choices: choicesOf(config),
    protocol: protocolOf(config),
    challenge: challengeOf(config),
  }
}

/** The protocol with which a match begins. */
export function protocolOf(config: Config): Protocol {
  return isFirst(config) ? 1 : 2
}

function createPlayer(account: number, told: number): Player {
  return openAccount({ account, removed: false, offers: new Set(), sales: new Set(), purchases: new Set(), told })
}

/** The state as plain JSON, without indexes, which follow from the rest. */
type Saved = {
  readonly config: Config
  readonly accounts: readonly number[]
  readonly told: readonly number[]
  readonly offers: readonly Offer[]
  readonly deals: readonly Deal[]
  readonly removals: readonly Removal[]
  readonly round: number
  readonly place: number
  readonly turn: SeatId | null
  readonly step?: Step
  readonly nextChallenge: number
  readonly events: readonly PublicEvent[]
  readonly dropped: number
}

export function save(state: State): Json {
  const saved: Saved = {
    config: state.config,
    accounts: state.players.map((player) => player.account),
    told: state.players.map((player) => player.told),
    offers: [...state.market.offers.values()],
    deals: [...state.deals.values()],
    removals: [...state.removals],
    round: state.round,
    place: state.place,
    turn: state.turn,
    ...(state.step === null ? {} : { step: state.step }),
    nextChallenge: state.nextChallenge,
    events: [...state.events],
    dropped: state.dropped,
  }
  return saved
}

/** Restores a saved state. Saved states come from our own histories, whose hashes have been checked. */
export function load(json: Json): State {
  const saved = json as Saved
  const { config, round, place, turn, nextChallenge, dropped } = saved
  const players = saved.accounts.map((account, seat) => createPlayer(account, saved.told[seat]!))
  for (const { seat } of saved.removals) players[seat]!.removed = true
  for (const offer of saved.offers) players[offer.seller]!.offers.add(offer.challenge)
  for (const deal of saved.deals) {
    players[deal.seller]!.sales.add(deal.challenge)
    players[deal.buyer]!.purchases.add(deal.challenge)
  }
  return {
    ...settled(config),
    players,
    market: createMarket(saved.offers),
    deals: new Map(saved.deals.map((deal) => [deal.challenge, deal])),
    removals: [...saved.removals],
    round,
    place,
    turn,
    step: saved.step ?? null,
    nextChallenge,
    events: [...saved.events],
    dropped,
    found: [],
  }
}

/** True if challenges are traded in this round; otherwise they are only delivered and solved (rule 10). */
export function trading({ round, config, choices }: State): boolean {
  return round <= (choices.mode === 'asynchronous' ? 1 : config.maxTurns)
}
