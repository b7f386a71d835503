import { drawPredicate } from '../../../../grammars/challenges/draw.ts'
import type { ClassShape, Shape } from '../../../../grammars/values/index.ts'
import type { Json } from '../../../contract/json.ts'
import { randomStream } from '../../../contract/random.ts'
import type { Config } from '../config.ts'
import { keyOf, kindsOf } from '../kinds.ts'
import { barrenness, isPlayable } from './barren.ts'
import { leagueOf, notAdmitted } from '../trading/leagues.ts'
import { lowestPrice, type Offer } from '../trading/market.ts'
import type { State } from '../state.ts'

/** The number of small predicates that are tried before the market counts as exhausted. */
const TRIED = 4_096
const DEEPEST = 8
/** The number of predicates for which raw material is tried, before none counts as playable. */
const LOOKED_AT = 10
/** Rules use no chance: the random search always uses the same numbers. */
const STREAM = '5'.repeat(64)

/**
 * True if rule 3 permits any offer (decision 4). If the cheapest offer of some predicate is above 0, that predicate can
 * be offered for less. Otherwise a predicate that nobody offers must be found: first among the small ones, which are
 * all of them in challenges with few predicates, then by random search. If none is found there counts as being none, so
 * that nobody is removed because our search is better than its own. Nothing is demanded where the file draws nothing that can be
 * played (decision 20), and no predicate of which it draws nothing (decision 21).
 */
export function legalOfferLeft(state: State): boolean {
  if (barrenness(state) !== null) return false
  const { market, config, challenge } = state
  const rivals = [...market.predicates.values()]
  const looks = looksIn(state)
  const cheaper = rivals.some(({ lowest, challenges: [first] }) => {
    if (lowest === 0 || looks.areUsed()) return false
    const { predicate } = market.offers.get(first!)!
    const checked = challenge.predicate(config.challengeConfig, predicate)
    return checked.ok && looks.at(checked)
  })
  if (cheaper) return true
  if (rivals.length > 0) return predicateLeft(state)
  const known = sellable.get(config) ?? predicateLeft(state)
  sellable.set(config, known)
  return known
}

/**
 * The first of these offers of whose predicate the file draws raw material: only such ones must be lowered (decision 22). In earlier
 * contests the first one. As in the search for an offer, of more predicates than are looked at none counts as playable.
 */
export function firstPlayable(state: State, offers: readonly Offer[]): Offer | undefined {
  if (barrenness(state) !== null) return undefined
  const { challenge, config } = state
  const looks = looksIn(state)
  const known = new Map<string, boolean>()
  return offers.find(({ predicate }) => {
    if (looks.areUsed()) return false
    const checked = challenge.predicate(config.challengeConfig, predicate)
    if (!checked.ok) return false
    const isKnown = known.get(checked.key) ?? looks.at(checked)
    known.set(checked.key, isKnown)
    return isKnown
  })
}

/** True if a predicate is left to sell; cached, because exhausted markets ask in every turn. */
const sellable = new WeakMap<Config, boolean>()

interface Looks {
  /** True if a predicate can be played; of more than LOOKED_AT none can, since raw material may take long to draw. */
  at(checked: { readonly value: Json; readonly key: string }): boolean
  /** True if `at` returns false from now on, so that a search can end. */
  areUsed(): boolean
}

function looksIn(state: State): Looks {
  let looked = 0
  const areUsed = (): boolean => looked >= LOOKED_AT
  return {
    areUsed,
    at({ value, key }) {
      if (areUsed()) return false
      looked += 1
      return isPlayable(state, value, key)
    },
  }
}

function predicateLeft(state: State): boolean {
  const { market, challenge, config, choices } = state
  const kinds = kindsOf(choices)
  const free = (key: string): boolean => kinds.some((kind) => lowestPrice(market, keyOf(kind, key)) === null)
  const predicates = challenge.values.shape('Predicate')
  if (!predicates.ok) return true
  const looks = looksIn(state)
  const small = smallValues(predicates.shape, TRIED, 0).some((candidate) => {
    if (looks.areUsed()) return false
    const checked = challenge.predicate(config.challengeConfig, candidate)
    return checked.ok && notAdmitted(state, checked.value) === null && free(checked.key) && looks.at(checked)
  })
  if (small) return true
  const random = randomStream(STREAM)
  const drawn = looksIn(state)
  const wanted = (value: Json, key: string): boolean => free(key) && drawn.at({ value, key })
  const found = drawPredicate(challenge, config.challengeConfig, leagueOf(state), random, wanted, () => drawn.areUsed())
  return found !== undefined
}

/** About `count` different values of a shape, simple ones first. Recursive shapes end at DEEPEST. */
function smallValues(shape: Shape, count: number, depth: number): Json[] {
  if (depth > DEEPEST || count < 1) return []
  const inside = (type: Shape, share: number): Json[] => smallValues(type, Math.floor(share), depth + 1)
  switch (shape.kind) {
    case 'int':
    case 'number':
      return range(count).map((n) => (n % 4 === 3 ? -(n + 1) / 4 : n - Math.floor(n / 4)))
    case 'boolean':
      return [false, true]
    case 'char':
      return range(Math.min(26, Math.ceil(count))).map((n) => String.fromCharCode(97 + n))
    case 'ident':
    case 'string':
    case 'verbatim':
      return range(count).map((n) => (n < 26 ? String.fromCharCode(97 + n) : `a${n}`))
    case 'option':
      return [null, ...inside(shape.of, count - 1)]
    case 'list':
      return [1, 2, 3].reduce<Json[]>(
        (lists, length) => {
          const items = inside(shape.of, (count / 2 ** length) ** (1 / length))
          return [...lists, ...products(range(length).map(() => items))]
        },
        [[]],
      )
    case 'class':
      return objects(shape, {}, count, inside)
    case 'choice':
      return shape.alternatives.flatMap((alternative) =>
        objects(alternative, { $: alternative.name }, count / shape.alternatives.length, inside),
      )
  }
}

function objects(
  { fields }: ClassShape,
  start: Readonly<Record<string, Json>>,
  count: number,
  valuesOf: (type: Shape, share: number) => Json[],
): Json[] {
  const choices = products(fields.map(({ type }) => valuesOf(type, count ** (1 / fields.length))))
  return choices.map((values) => ({
    ...start,
    ...Object.fromEntries(fields.map(({ label }, index) => [label, values[index]!])),
  }))
}

/** The Cartesian product: every way to choose one value of each. */
function products(choices: readonly Json[][]): Json[][] {
  return choices.reduce<Json[][]>(
    (taken, next) => taken.flatMap((values) => next.map((value) => [...values, value])),
    [[]],
  )
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n)
}
