import { toNumber } from '../../../../grammars/formulas/numbers/fraction.ts'
import type { SeatEncounter } from '../../../contract/game/encounter.ts'
import type { SeatId } from '../../../contract/ids.ts'
import type { Json } from '../../../contract/json.ts'
import { randomStream } from '../../../contract/random.ts'
import type { Config } from '../config.ts'
import type { Input } from '../input.ts'
import { keyOf } from '../kinds.ts'
import { lowestPrice } from '../trading/market.ts'
import { ENERGY, type Action } from '../messages.ts'
import type { State } from '../state.ts'
import { energy } from '../trading/violations.ts'
import { rules } from '../rules.ts'

/**
 * The kinds of behaviour that are compared:
 * - purchases: 1 if a player bought something that a seller had just put up for sale, otherwise 0. Sellers are compared
 *   if their cheapest new offers have one predicate and about one price. Sellers are counted, not offers, because
 *   similar offers of one seller compete with each other.
 * - opening prices: the price in energy, in the first turn of a match of two, for a predicate that nobody offered.
 * - size of raw material: characters delivered; hardness: the share of its quality that random solutions miss. Compared
 *   are deliveries for one predicate.
 */
interface SpeckerEncounter extends SeatEncounter {
  readonly about: 'purchases' | 'opening prices' | 'size of raw material' | 'hardness of raw material'
}

/** Prices that differ by less than this share of an energy unit count as equal. */
const CLOSE = ENERGY / 10
/** The number of random solutions that measure hardness; they are the same for equal raw material. */
const SOLUTIONS = 6

/** How the players of a match treat each other (section 4.4). `inputs`: the inputs of its history in order. */
export function encountersOf(config: Config, players: number, inputs: Iterable<Input>): readonly SeatEncounter[] {
  const seen = Array.from({ length: players }, () => new Set<number>())
  const opened = new Set<SeatId>()
  const found: SpeckerEncounter[] = []
  foldInputs(config, players, inputs, (state, input, number) => {
    if (input.type === 'turn') found.push(...turnOf(state, input, number, seen[input.seat]!, opened))
  })
  return found
}

type TurnInput = Extract<Input, { readonly type: 'turn' }>

function turnOf(
  state: State,
  turn: TurnInput,
  input: number,
  seen: Set<number>,
  opened: Set<SeatId>,
): SpeckerEncounter[] {
  const { seat, actions } = turn
  const found = [...purchases(state, turn, input, seen)]
  const offers = actions.filter((action) => action.type === 'offer')
  if (state.players.length === 2 && offers.length > 0 && !opened.has(seat)) {
    opened.add(seat)
    for (const offer of offers) found.push(...openingPrice(state, seat, offer, input))
  }
  for (const action of actions) if (action.type === 'deliver') found.push(...delivery(state, seat, action, input))
  return found
}

function purchases(state: State, { seat, actions }: TurnInput, input: number, seen: Set<number>): SpeckerEncounter[] {
  const accepted = new Set(actions.flatMap((action) => (action.type === 'accept' ? [action.challenge] : [])))
  const fresh = [...state.market.offers.values()].filter(
    ({ seller, challenge }) => seller !== seat && !seen.has(challenge),
  )
  for (const { challenge } of fresh) seen.add(challenge)
  return [...Map.groupBy(fresh, ({ seller }) => seller)].map(([other, offers]) => {
    const bought = offers.filter(({ challenge }) => accepted.has(challenge))
    const { key, price } = offers.reduce((a, b) => (b.price < a.price ? b : a))
    const what =
      bought.length > 0
        ? `bought ${bought.map(({ challenge, price: paid }) => `challenge ${challenge} at ${energy(paid)}`).join(', ')}`
        : `left ${offers.length === 1 ? 'a new offer' : `${offers.length} new offers, the cheapest`} at ${energy(price)}`
    const stratum = `${key} ${Math.floor(price / CLOSE)}`
    return { about: 'purchases', seat, other, stratum, value: bought.length > 0 ? 1 : 0, input, what }
  })
}

function* openingPrice(
  state: State,
  seat: SeatId,
  { predicate, price, kind = 'classic' }: Extract<Action, { readonly type: 'offer' }>,
  input: number,
): Generator<SpeckerEncounter> {
  const checked = state.challenge.predicate(state.config.challengeConfig, predicate)
  if (!checked.ok) return
  const key = keyOf(kind, checked.key)
  if (lowestPrice(state.market, key) !== null) return
  const what = `asked ${energy(price)} for ${JSON.stringify(predicate).slice(0, 200)}`
  yield { about: 'opening prices', seat, other: 1 - seat, stratum: key, value: price / ENERGY, input, what }
}

function* delivery(
  state: State,
  seat: SeatId,
  { challenge, instance }: Extract<Action, { readonly type: 'deliver' }>,
  input: number,
): Generator<SpeckerEncounter> {
  const deal = state.deals.get(challenge)
  if (deal?.seller !== seat || state.challenge.legal(state.config.challengeConfig, deal.predicate, instance) !== null) {
    return
  }
  const stratum = `${deal.kind ?? 'classic'} ${JSON.stringify(deal.predicate)}`
  const common = { seat, other: deal.buyer, stratum, input }
  const size = JSON.stringify(instance).length
  yield {
    about: 'size of raw material',
    ...common,
    value: size,
    what: `delivered ${size} characters for challenge ${challenge}`,
  }
  const missed = hardness(state, instance)
  if (missed === null) return
  const what = `delivered raw material of which random solutions miss ${missed.toFixed(3)}, for challenge ${challenge}`
  yield { about: 'hardness of raw material', ...common, value: missed, what }
}

/** The average share of the quality that random solutions miss; null: no solution was found. */
function hardness({ challenge, config }: State, instance: Json): number | null {
  const random = randomStream('9'.repeat(64))
  let missed = 0
  for (let tried = 0; tried < SOLUTIONS; tried++) {
    const made = challenge.sampler.solution(config.challengeConfig, instance, random)
    const quality = made.ok ? challenge.quality(config.challengeConfig, instance, made.value) : made.error
    if (typeof quality === 'string') return null
    missed += 1 - toNumber(quality)
  }
  return missed / SOLUTIONS
}

/**
 * Applies the inputs of a history in order. `before` sees the state before each of them, numbered from 0; what it returns
 * is called after it. Throws if the rules refuse an input.
 */
export function foldInputs(
  config: Config,
  players: number,
  inputs: Iterable<Input>,
  before: (state: State, input: Input, number: number) => (() => void) | undefined,
): void {
  const seats = Array.from({ length: players }, (_, id) => ({ id, entrant: id, role: 'player', bodies: 1 }))
  const state = rules.initial(config, seats, '0'.repeat(64))
  let number = 0
  for (const input of inputs) {
    const after = before(state, input, number)
    const refusal = rules.apply(state, input)
    if (refusal !== null) throw new Error(`input ${number} of the history was refused: ${refusal}`)
    after?.()
    number += 1
  }
}
