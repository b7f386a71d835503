import serialize from 'canonicalize'
import { fromText, toNumber } from '../../../../grammars/formulas/numbers/fraction.ts'
import type { EventPlace, GameTables, RowWriter, TableForms } from '../../../contract/game/event-tables.ts'
import type { SeatId } from '../../../contract/ids.ts'
import type { Json } from '../../../contract/json.ts'
import { sha256 } from '../../sha256.ts'
import { predicateName } from '../analysis/predicate-trade.ts'
import type { Input } from '../input.ts'
import { keyOf } from '../kinds.ts'
import { ENERGY, type PublicEvent } from '../messages.ts'
import { happeningsOf, noteBefore, type Happening } from '../narration/happenings.ts'
import { isFileAtFault } from '../narration/sentences.ts'
import type { State } from '../state.ts'
import { questions, views } from './questions.ts'

const forms = {
  offers: {
    about: 'The offers and reoffers of all matches.',
    rows: 'event',
    columns: {
      seller: { kind: 'seat', about: 'the player that offers' },
      round: { kind: 'whole', about: 'the round, from 1' },
      challenge: { kind: 'whole', about: 'the number of the challenge in the match' },
      undercut: {
        kind: 'whole',
        about: 'the number of the challenge that a reoffer replaces; null: it is a new offer',
      },
      predicate: { kind: 'text', about: "the predicate in the challenge's own language" },
      kind: { kind: 'text', about: '`classic`, `belief` or `secret`' },
      price: { kind: 'number', about: 'the price in energy' },
      f: { kind: 'number', about: 'the quality that a belief claims to be unreachable; null: it makes no such claim' },
    },
    indices: [['match', 'challenge']],
  },
  purchases: {
    about: 'The challenges that were bought.',
    rows: 'event',
    columns: {
      seller: { kind: 'seat', about: 'the player that sells' },
      buyer: { kind: 'seat', about: 'the player that buys' },
      round: { kind: 'whole', about: 'the round, from 1' },
      challenge: { kind: 'whole', about: 'the number of the challenge in the match' },
      predicate: { kind: 'text', about: "the predicate in the challenge's own language" },
      kind: { kind: 'text', about: '`classic`, `belief` or `secret`' },
      price: { kind: 'number', about: 'the price in energy' },
    },
    indices: [['match', 'challenge']],
  },
  deliveries: {
    about: 'The raw materials that were delivered.',
    rows: 'event',
    columns: {
      seller: { kind: 'seat', about: 'the player that delivers' },
      buyer: { kind: 'seat', about: 'the player that has to solve it' },
      round: { kind: 'whole', about: 'the round, from 1' },
      challenge: { kind: 'whole', about: 'the number of the challenge in the match' },
      material: { kind: 'text', about: 'the first digits of the SHA-256 of the raw material: equal for equal ones' },
      size: { kind: 'whole', about: 'characters of the raw material as JSON' },
      claimed: { kind: 'number', about: 'quality of the secret solution, as the seller claims; null: there is none' },
    },
    indices: [['match', 'challenge'], ['material']],
  },
  solutions: {
    about: 'The solutions.',
    rows: 'event',
    columns: {
      buyer: { kind: 'seat', about: 'the player that solves it' },
      seller: { kind: 'seat', about: 'the player that pays for it' },
      round: { kind: 'whole', about: 'the round, from 1' },
      challenge: { kind: 'whole', about: 'the number of the challenge in the match' },
      material: { kind: 'text', about: 'the first digits of the SHA-256 of the raw material: equal for equal ones' },
      quality: { kind: 'number', about: 'the quality, from 0 to 1' },
      fraction: { kind: 'text', about: 'the quality exactly, as p/q' },
      payoff: { kind: 'number', about: 'energy that the seller pays' },
      discounted: { kind: 'yes-no', about: "it negated the seller's claim; null: there was none" },
    },
    indices: [['match', 'challenge'], ['material']],
  },
  reveals: {
    about: 'The secrets that were revealed and hold.',
    rows: 'event',
    columns: {
      seller: { kind: 'seat', about: 'the player that reveals it' },
      challenge: { kind: 'whole', about: 'the number of the challenge in the match' },
      quality: { kind: 'number', about: 'the quality of the secret solution' },
    },
    indices: [['match', 'challenge']],
  },
  refunds: {
    about: 'The sales that ended early, with the money that was paid back.',
    rows: 'event',
    columns: {
      seller: { kind: 'seat', about: 'the player that pays' },
      buyer: { kind: 'seat', about: 'the player that is paid' },
      challenge: { kind: 'whole', about: 'the number of the challenge in the match' },
      refund: { kind: 'number', about: 'energy that was paid' },
      shortfall: { kind: 'number', about: 'energy that was owed and could not be paid' },
      reason: { kind: 'text', about: 'the reason' },
      fault: { kind: 'text', about: 'the challenge file that is at fault; null: a player was removed' },
    },
    indices: [['match', 'challenge']],
  },
} as const satisfies TableForms

/** The challenges of a match as far as they are known, by their numbers. */
interface Known {
  readonly state: State
  readonly writer: RowWriter<typeof forms>
  /** Names of predicates, by the key that rule 3 compares. */
  readonly names: Map<string, string>
  readonly predicates: Map<number, string>
  readonly kinds: Map<number, string>
  readonly sellers: Map<number, SeatId>
  readonly buyers: Map<number, SeatId>
  readonly materials: Map<number, string>
}

/** The trade of a contest. All of it is public while the match runs, except raw material and solutions. */
export const tables: GameTables<State, Input, typeof forms> = {
  tables: forms,
  views,
  questions,
  rows(state, writer) {
    const known: Known = {
      ...{ state, writer, names: new Map(), predicates: new Map(), kinds: new Map() },
      ...{ sellers: new Map(), buyers: new Map(), materials: new Map() },
    }
    return {
      input(input) {
        const before = noteBefore(state)
        return () => {
          const happenings = happeningsOf(state, input, before, () => true)
          for (const [at, happening] of happenings.entries())
            addHappening(known, happening, writer.here(happenings.length > 1 ? at + 1 : undefined))
        }
      },
    }
  },
}

type EventOf<T extends PublicEvent['type']> = Extract<PublicEvent, { readonly type: T }>

function addHappening(known: Known, happening: Happening, place: EventPlace): void {
  const { event } = happening
  switch (event.type) {
    case 'offered':
      noteOffer(known, happening, event)
      return addOffer(known, event, null, place)
    case 'reoffered': {
      const { challenge, undercut, seat } = event
      known.predicates.set(challenge, known.predicates.get(undercut) ?? '')
      known.kinds.set(challenge, known.kinds.get(undercut) ?? 'classic')
      known.sellers.set(challenge, seat)
      return addOffer(known, event, undercut, place)
    }
    case 'accepted':
      return addPurchase(known, event, place)
    case 'delivered':
      return addDelivery(known, happening, event, place)
    case 'solved':
      return addSolution(known, event, place)
    case 'revealed': {
      const { seat: seller, challenge, quality } = event
      return known.writer.add('reveals', { seller, challenge, quality: numberOf(quality) }, place)
    }
    case 'voided': {
      const { seat: seller, buyer, challenge, text: reason } = event
      const [refund, shortfall] = [event.refund / ENERGY, event.shortfall / ENERGY]
      const fault = isFileAtFault(event) ? known.state.challenge.name : null
      return known.writer.add('refunds', { seller, buyer, challenge, refund, shortfall, reason, fault }, place)
    }
    case 'refused':
    case 'removed':
  }
}

/** Remembers a new challenge. Its offer is gone already if its seller was removed in the same turn. */
function noteOffer(
  { state, names, predicates, kinds, sellers }: Known,
  { evidence }: Happening,
  { challenge, kind = 'classic', seat }: EventOf<'offered'>,
): void {
  const checked = state.challenge.predicate(state.config.challengeConfig, evidence.predicate)
  const key = keyOf(kind, checked.ok ? checked.key : '')
  const name =
    names.get(key) ?? (checked.ok ? predicateName(state, { predicate: checked.value, key, ...claimOf(kind) }) : '')
  names.set(key, name)
  predicates.set(challenge, name)
  kinds.set(challenge, kind)
  sellers.set(challenge, seat)
}

const claimOf = (kind: 'classic' | 'belief' | 'secret') => (kind === 'classic' ? {} : { kind })

function addOffer(
  known: Known,
  event: EventOf<'offered'> | EventOf<'reoffered'>,
  undercut: number | null,
  place: EventPlace,
): void {
  const { challenge, seat: seller, round, price } = event
  const f = event.type === 'offered' && event.f !== undefined ? event.f / ENERGY : null
  known.writer.add('offers', { seller, round, undercut, f, price: price / ENERGY, ...goodsOf(known, challenge) }, place)
}

function goodsOf(
  { predicates, kinds }: Known,
  challenge: number,
): { readonly challenge: number; readonly predicate: string; readonly kind: string } {
  return { challenge, predicate: predicates.get(challenge) ?? '', kind: kinds.get(challenge) ?? 'classic' }
}

function addPurchase(
  known: Known,
  { challenge, seat: buyer, round, price }: EventOf<'accepted'>,
  place: EventPlace,
): void {
  known.buyers.set(challenge, buyer)
  const seller = known.sellers.get(challenge) ?? null
  known.writer.add('purchases', { seller, buyer, round, price: price / ENERGY, ...goodsOf(known, challenge) }, place)
}

function addDelivery(
  { writer, buyers, materials }: Known,
  { evidence }: Happening,
  { challenge, seat: seller, round, secret }: EventOf<'delivered'>,
  place: EventPlace,
): void {
  const text = canonical(evidence.instance)
  const material = sha256(text).slice(0, DIGITS)
  materials.set(challenge, material)
  const claimed = secret === undefined ? null : numberOf(secret.quality)
  const buyer = buyers.get(challenge) ?? null
  writer.add('deliveries', { seller, buyer, round, challenge, material, size: text.length, claimed }, place)
}

function addSolution(
  { writer, sellers, materials }: Known,
  { challenge, seat: buyer, round, quality, payoff, discounted }: EventOf<'solved'>,
  place: EventPlace,
): void {
  writer.add(
    'solutions',
    {
      ...{ buyer, seller: sellers.get(challenge) ?? null, round, challenge },
      ...{ material: materials.get(challenge) ?? null, quality: numberOf(quality), fraction: quality },
      ...{ payoff: payoff / ENERGY, discounted: discounted ?? null },
    },
    place,
  )
}

/** Hexadecimal digits that tell raw materials apart. */
const DIGITS = 16

const canonical = (value: Json): string => serialize(value) ?? ''

/** Null: not a fraction. */
function numberOf(text: string): number | null {
  const read = fromText(text)
  return read === null ? null : toNumber(read)
}
