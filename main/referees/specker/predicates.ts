import type { ClassShape, Shape } from '../../../grammars/values/index.ts'
import type { Json } from '../../contract/json.ts'
import { keyOf, kindsOf } from './kinds.ts'
import { notAdmitted } from './leagues.ts'
import { lowestPrice } from './market.ts'
import type { State } from './state.ts'

/** How many small predicates are tried before the market is taken to be exhausted. */
const TRIED = 4_096
const DEEPEST = 8

/**
 * Whether there is an offer that rule 3 allows. While the cheapest offer of some predicate costs something there is: that
 * predicate cheaper. Only where each is to be had for nothing must a predicate be found that nobody offers; it is looked
 * for among the small ones, which are all of them where a challenge has few.
 */
export function legalOfferLeft(state: State): boolean {
  const { market, challenge, config, choices } = state
  const rivals = [...market.predicates.values()]
  if (rivals.length === 0 || rivals.some(({ lowest }) => lowest > 0)) return true
  const predicates = challenge.values.shape('Predicate')
  if (!predicates.ok) return true
  const kinds = kindsOf(choices)
  return smallValues(predicates.shape, TRIED, 0).some((candidate) => {
    const checked = challenge.predicate(config.challengeConfig, candidate)
    if (!checked.ok || notAdmitted(state, checked.value) !== null) return false
    return kinds.some((kind) => lowestPrice(market, keyOf(kind, checked.key)) === null)
  })
}

/** About `count` different values of a shape, the simple ones first. Cyclic shapes end at DEEPEST. */
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

/** Every way to take one of each. */
function products(choices: readonly Json[][]): Json[][] {
  return choices.reduce<Json[][]>(
    (taken, next) => taken.flatMap((values) => next.map((value) => [...values, value])),
    [[]],
  )
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n)
}
