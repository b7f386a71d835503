import { fromText } from '../../../../grammars/formulas/numbers/fraction.ts'
import { PART_NAME_MAX, type PartsForm, type SeatPart } from '../../../contract/game/match-parts.ts'
import type { SeatId } from '../../../contract/ids.ts'
import { sha256 } from '../../sha256.ts'
import { eventsFrom } from './caused-events.ts'
import type { Config } from '../config.ts'
import { foldInputs } from './encounters.ts'
import type { Input } from '../input.ts'
import { kindsOf } from '../kinds.ts'
import { energyOf } from '../trading/ledger.ts'
import type { Offer } from '../trading/market.ts'
import { ENERGY, type PublicEvent } from '../messages.ts'
import type { State } from '../state.ts'

/** The maximum number of predicates of a match that are named, in the order of their first sale. */
const PREDICATES_MAX = 1_000
/** The number of hexadecimal digits that tell long predicates apart. */
const DIGITS = 12

/**
 * The profits of each player with each predicate that was sold, as its seller and as its buyer. `paid` and `received` are
 * all payments of the rules for these deals: prices, payoffs and refunds; their difference is the profit, so that an
 * agent's profits add up to the change of its account. `quality`: what the buyers reached.
 */
export const predicateTable: PartsForm = {
  title: 'By predicate',
  partWord: 'predicate',
  measure: 'energy',
  columns: [
    { id: 'deals', kind: 'count' },
    { id: 'paid', kind: 'amount', unit: ENERGY },
    { id: 'received', kind: 'amount', unit: ENERGY },
    { id: 'profit', kind: 'amount', unit: ENERGY },
    { id: 'solved', kind: 'count' },
    { id: 'quality', kind: 'mean', per: 'solved', unit: ENERGY },
  ],
  amount: 'deals',
  best: 'profit',
}

type Sums = { deals: number; paid: number; received: number; profit: number; solved: number; quality: number }

/** The rows of the two sides of a deal. */
interface Sides {
  readonly seller: Sums
  readonly buyer: Sums
}

export function predicateTrade(config: Config, players: number, inputs: Iterable<Input>): readonly SeatPart[] {
  const table = createTable()
  /** By challenge. */
  const sold = new Map<number, Sides>()
  foldInputs(config, players, inputs, (state, input) => {
    const offers = offersTakenBy(state, input)
    const caused = eventsFrom(state)
    return () => {
      for (const event of caused()) {
        if (event.type === 'accepted')
          sold.set(event.challenge, table.sides(state, offers.get(event.challenge)!, event.seat))
        if (event.type === 'accepted' || event.type === 'solved' || event.type === 'voided')
          count(sold.get(event.challenge)!, event)
      }
    }
  })
  return table.rows()
}

/** A payment for a deal. */
type DealEvent = Extract<PublicEvent, { readonly type: 'accepted' | 'solved' | 'voided' }>

/** The offers that an input may accept, by challenge. */
function offersTakenBy({ market }: State, input: Input): ReadonlyMap<number, Offer> {
  const taken = new Map<number, Offer>()
  if (input.type !== 'turn') return taken
  for (const action of input.actions) {
    const offer = action.type === 'accept' ? market.offers.get(action.challenge) : undefined
    if (offer !== undefined) taken.set(offer.challenge, offer)
  }
  return taken
}

function count({ seller, buyer }: Sides, event: DealEvent): void {
  switch (event.type) {
    case 'accepted':
      seller.deals += 1
      buyer.deals += 1
      transfer(buyer, seller, event.price)
      break
    case 'solved': {
      const quality = energyOf(fromText(event.quality)!)
      for (const side of [seller, buyer]) {
        side.solved += 1
        side.quality += quality
      }
      transfer(seller, buyer, event.payoff)
      break
    }
    case 'voided':
      transfer(seller, buyer, event.refund)
  }
}

function transfer(from: Sums, to: Sums, amount: number): void {
  from.paid += amount
  from.profit -= amount
  to.received += amount
  to.profit += amount
}

function createTable() {
  /** By the key that rule 3 compares. */
  const names = new Map<string, string>()
  const rows = new Map<string, SeatPart & { readonly sums: Sums }>()
  const nameOf = (state: State, offer: Offer): string | null => {
    const known = names.get(offer.key)
    if (known !== undefined) return known
    if (names.size === PREDICATES_MAX) return null
    const name = predicateName(state, offer)
    names.set(offer.key, name)
    return name
  }
  const sumsOf = (seat: SeatId, part: string | null, role: string): Sums => {
    const key = JSON.stringify([seat, part, role])
    const row = rows.get(key) ?? {
      ...{ seat, part, role },
      sums: { deals: 0, paid: 0, received: 0, profit: 0, solved: 0, quality: 0 },
    }
    rows.set(key, row)
    return row.sums
  }
  return {
    sides(state: State, offer: Offer, buyer: SeatId): Sides {
      const part = nameOf(state, offer)
      return { seller: sumsOf(offer.seller, part, 'seller'), buyer: sumsOf(buyer, part, 'buyer') }
    },
    rows: (): readonly SeatPart[] => [...rows.values()],
  }
}

/**
 * A predicate in its challenge's own language, with its kind where a market sells two. A long text, or one with
 * characters that cannot be seen, is cut and gets a hash, so that different predicates keep different names.
 */
export function predicateName(
  { challenge, choices }: State,
  { predicate, kind, key }: Pick<Offer, 'predicate' | 'kind' | 'key'>,
): string {
  const text = challenge.values.print(predicate, 'Predicate')
  const named = kindsOf(choices).length === 1 ? text : `${kind ?? 'classic'} ${text}`
  const seen = named.slice(0, PART_NAME_MAX + 1).replaceAll(/[\p{C}\s]+/gu, ' ')
  if (seen === named && named.length <= PART_NAME_MAX) return named
  const end = `… #${sha256(key).slice(0, DIGITS)}`
  return seen.slice(0, PART_NAME_MAX - end.length).toWellFormed() + end
}
