import type { SeatId } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import { withoutStandards } from './choices.ts'
import { challengeOf, type Config } from './config.ts'
import { keyOf } from './kinds.ts'
import type { Offer } from './trading/market.ts'
import type { Action, Kind, PublicEvent, StartMessage, StoreEntry, TurnMessage } from './messages.ts'
import { rules } from './rules.ts'
import { initialState, load, save, type Deal, type Removal } from './state.ts'
import type { Violation } from './trading/violations.ts'

/** The messages to a player and its actions, in order. */
export interface PlayerDialogue {
  readonly start: StartMessage
  readonly turns: readonly TurnMessage[]
  readonly actions: readonly Action[]
}

/**
 * A match as one player knows it in its turn; not for asynchronous matches. All accounts, offers and debts are public.
 * Only sales between others since its last turn lack their predicates and raw material.
 */
export interface PlayerView {
  readonly config: Config
  readonly me: SeatId
  readonly turn: TurnMessage
  readonly offers: readonly Offer[]
  readonly deals: readonly Deal[]
  readonly removals: readonly Removal[]
  readonly nextChallenge: number
}

/** The effects of a bundle. */
export interface BundlePreview {
  /** Why it would remove its player; null: it breaks no rule. */
  readonly violation: Violation | null
  /** The public events that would follow, in order. */
  readonly events: readonly PublicEvent[]
  /** The player's account afterwards, in 10^-9 energy. */
  readonly account: number
}

/** null: the player has not been asked yet. */
export function playerViewFrom({ start, turns, actions }: PlayerDialogue): PlayerView | null {
  const turn = turns.at(-1)
  if (turn === undefined) return null
  const book = openBook()
  for (const { events, store } of turns) {
    for (const event of events) enter(book, event)
    for (const entry of store) book.offers.set(entry.challenge, entry)
  }
  const config = configOf(start)
  for (const deal of owed(start.me, turn, book, actions)) book.deals.set(deal.challenge, deal)
  return {
    config,
    me: start.me,
    turn,
    offers: turn.store.map((entry) => offerOf(config, entry)),
    // In the order of the sales, which decides who gets the last unit of shared amounts.
    deals: [...book.deals.values()],
    removals: book.removals,
    nextChallenge: book.next,
  }
}

/** Applies a bundle by the rules to the state that its player knows. */
export function previewBundle(known: PlayerView, actions: readonly Action[]): BundlePreview {
  const { me, turn } = known
  const seats = turn.players.map(({ seat }) => ({ id: seat, entrant: seat, role: 'player', bodies: 1 }))
  const empty = save(initialState(known.config, seats)) as { readonly [key: string]: Json }
  // The place in the round is left as it is: it decides who is next, but nothing in this turn.
  const state = load({
    ...empty,
    accounts: turn.players.map(({ account }) => account),
    offers: known.offers,
    deals: known.deals,
    removals: known.removals,
    round: turn.round,
    turn: me,
    ...(turn.step === undefined ? {} : { step: turn.step }),
    nextChallenge: known.nextChallenge,
  })
  const refusal = rules.apply(state, { type: 'turn', seat: me, actions: [...actions] })
  if (refusal !== null) throw new Error(`the rules refused a turn that was asked for: ${refusal}`)
  return {
    violation: state.removals.find(({ seat }) => seat === me)?.violation ?? null,
    events: state.events,
    account: state.players[me]!.account,
  }
}

/** The state of every challenge according to the events. */
interface Book {
  readonly offers: Map<number, StoreEntry>
  readonly deals: Map<number, Deal>
  readonly removals: Removal[]
  next: number
}

function openBook(): Book {
  return { offers: new Map(), deals: new Map(), removals: [], next: 0 }
}

function enter(book: Book, event: PublicEvent): void {
  switch (event.type) {
    case 'offered':
    case 'reoffered': {
      const { challenge, seat: seller, price } = event
      const old = event.type === 'reoffered' ? book.offers.get(event.undercut) : event
      book.offers.set(challenge, { predicate: null, ...claimed(old), challenge, seller, price })
      if (event.type === 'reoffered') book.offers.delete(event.undercut)
      book.next = challenge + 1
      break
    }
    case 'accepted': {
      const offer = book.offers.get(event.challenge)!
      book.offers.delete(event.challenge)
      book.deals.set(event.challenge, dealOf(offer, event.seat, null))
      break
    }
    case 'delivered': {
      const deal = book.deals.get(event.challenge)!
      const secret = event.secret === undefined ? {} : { secret: event.secret }
      book.deals.set(event.challenge, { ...deal, material: { instance: null, ...secret } })
      break
    }
    case 'solved': {
      const deal = book.deals.get(event.challenge)!
      const { quality, discounted = false } = event
      if (deal.kind === 'secret') book.deals.set(event.challenge, { ...deal, answer: { quality, discounted } })
      else book.deals.delete(event.challenge)
      break
    }
    case 'revealed':
    case 'voided':
      book.deals.delete(event.challenge)
      break
    case 'removed':
      leave(book, event)
      break
    case 'refused':
  }
}

/**
 * Removes everything of a removed player, including sales that are paid but not revealed, which are not announced as
 * void.
 */
function leave(book: Book, { seat, round, rule, text }: Extract<PublicEvent, { readonly type: 'removed' }>): void {
  for (const { challenge, seller } of book.offers.values()) if (seller === seat) book.offers.delete(challenge)
  for (const { challenge, seller, buyer } of book.deals.values()) {
    if (seller === seat || buyer === seat) book.deals.delete(challenge)
  }
  const violation = { rule: rule as Violation['rule'], action: null, values: {}, text }
  book.removals.push({ seat, round, violation, refunds: [] })
}

/**
 * The debts that the player is told of, with all that it knows of them: it has the raw material that it delivered
 * itself.
 */
function owed(me: SeatId, turn: TurnMessage, { deals }: Book, actions: readonly Action[]): readonly Deal[] {
  const delivered = new Map(
    actions.flatMap((action) => (action.type === 'deliver' ? [[action.challenge, action.instance] as const] : [])),
  )
  return [
    ...turn.toDeliver.map((entry) => dealOf(entry, entry.buyer, null)),
    ...turn.toSolve.map((entry) => {
      const { instance, secret } = entry
      return dealOf(entry, me, { instance, ...(secret === undefined ? {} : { secret }) })
    }),
    ...(turn.toReveal ?? []).map((entry) => {
      const { challenge, buyer, secret } = entry
      const answer = deals.get(challenge)?.answer
      const deal = dealOf(entry, buyer, { instance: delivered.get(challenge) ?? null, secret })
      return answer === undefined ? deal : { ...deal, answer }
    }),
  ]
}

function dealOf(entry: StoreEntry, buyer: SeatId, material: Deal['material']): Deal {
  const { challenge, seller, predicate, price } = entry
  return { challenge, seller, buyer, predicate, price, ...claimOf(entry), material }
}

function offerOf(config: Config, entry: StoreEntry): Offer {
  const { challenge, seller, predicate, price, kind = 'classic' } = entry
  const checked = challengeOf(config).predicate(config.challengeConfig, predicate)
  if (!checked.ok) throw new Error(`challenge ${challenge} is on offer with an invalid predicate: ${checked.error}`)
  return { challenge, seller, predicate, price, ...claimOf(entry), key: keyOf(kind, checked.key) }
}

/** As in the state: classic challenges make no claim. */
function claimOf({ kind, f }: StoreEntry): Pick<Deal, 'kind' | 'f'> {
  if (kind === undefined || kind === 'classic') return {}
  return f === undefined ? { kind } : { kind, f }
}

/** As in messages; with `predicate` if it is known. */
function claimed(entry: { readonly [key: string]: Json | undefined } | undefined): Partial<StoreEntry> {
  const { predicate, kind, f } = (entry ?? {}) as {
    readonly predicate?: Json
    readonly kind?: Kind
    readonly f?: number
  }
  return {
    ...(predicate === undefined ? {} : { predicate }),
    ...(kind === undefined ? {} : { kind }),
    ...(f === undefined ? {} : { f }),
  }
}

/** Messages of protocol 1 do not contain the order of turns, and no bundle depends on it. */
function configOf({ challenge, config }: StartMessage): Config {
  const { source, config: challengeConfig } = challenge
  return withoutStandards({ order: 'fixed' as const, ...config, challenge: source, challengeConfig })
}
