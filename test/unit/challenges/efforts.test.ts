import { describe, expect, test } from 'vitest'
import { effortsOf } from '../../../grammars/challenges/index.ts'
import type { Json } from '../../../grammars/json.ts'
import { accepted, challengeOf, SHIPPED, sourceOf } from './shipped.ts'

const overLimit = (source: string): string[] =>
  effortsOf(challengeOf(source)).flatMap(({ what, overLimit: over }) => (over ? [what] : []))

test.each(SHIPPED)('%s: no setting lets an evaluation reach the limit of steps', (name) => {
  expect(overLimit(sourceOf(name))).toEqual([])
})

describe('the largest values of the largest settings can be judged', () => {
  const range = <T>(length: number, make: (index: number) => T): T[] =>
    Array.from({ length }, (_, index) => make(index))
  const graph = range(200, (a) => range(200, (b) => ({ a: a + 1, b: b + 1 })))
    .flat()
    .filter(({ a, b }) => a < b)
    .slice(0, 5000)
  const joins = range(20, (a) => range(20, (b) => ({ a: a + 1, b: b + 1 })))
    .flat()
    .filter(({ a, b }) => a <= b)
  const shapes = range(20, (bound) => ({
    coefficients: range(10, (term) => term + 1),
    comparison: { $: 'AtLeast' },
    bound,
  }))
  const names = range(1000, (index) => `v${index}`)
  const types = range(20, (length) => range(length + 2, (positives) => ({ length: length + 1, positives }))).flat()
  const literals = range(20, (index) => (index % 2 === 0 ? index + 1 : -index - 1))
  const cases: Readonly<Record<string, readonly [predicate: Json, instance: Json, solution: Json]>> = {
    'vertex-cover': [
      { joins },
      { colours: range(200, (index) => (index % 20) + 1), edges: graph },
      { cover: range(200, (index) => index + 1) },
    ],
    'pseudo-boolean': [
      { shapes },
      {
        constraints: range(15_000, (index) => ({
          weight: 1,
          shape: shapes.at(-1)!,
          literals: range(10, (term) => ({ $: 'Positive', variable: names[(index * 10 + term) % 1000]! })),
        })),
        variables: names,
      },
      { values: names.map((_, index) => index % 2) },
    ],
    'max-sat': [
      { types },
      { variables: 1000, clauses: range(50_000, () => ({ weight: 1, literals })) },
      { values: names.map(() => 0) },
    ],
    'cubic-equations': [
      { kinds: [{ $: 'UnknownsAndCubes' }] },
      { questions: range(100, () => ({ kind: { $: 'UnknownsAndCubes' }, a: 999_983, b: 1 })) },
      { answers: range(100, (index) => 1.0000170001234567e-6 * (1 + index / 1e12)) },
    ],
  }
  test.each(Object.entries(cases))('%s', (name, [predicate, instance, solution]) => {
    const challenge = challengeOf(sourceOf(name))
    const config = challenge.largestConfig
    expect(accepted(challenge.config(config)).value).toEqual(config)
    const checked = accepted(challenge.predicate(config, predicate))
    expect(challenge.legal(config, checked.value, instance)).toBeNull()
    expect(challenge.feasible(config, instance, solution)).toBeNull()
    expect(challenge.quality(config, instance, solution)).toEqual({ n: expect.any(BigInt), d: expect.any(BigInt) })
  })
})

test('values that nothing bounds, and ranges that are too wide, are found', () => {
  const edges = 'distinct(edge.a * (length(instance.colours) + 1) + edge.b for edge in instance.edges)'
  expect(overLimit(sourceOf('vertex-cover').replace(edges, 'distinct(instance.edges)'))).toEqual(['legal instance'])
  expect(overLimit(sourceOf('cubic-equations').replace('in 1..100\n', 'in 1..1000\n'))).toEqual(['measure'])
  const decimals = / {4}require x \* 1000[\s\S]*?decimals\."\n/
  const free = sourceOf('cubic-equations')
    .replace(decimals, '')
    .replace(/example "no answer takes[\s\S]*?\n}\n/, '')
  expect(overLimit(free)).toEqual(['measure'])
  const shapes = sourceOf('pseudo-boolean').replace(
    'length(predicate.shapes) in 1..20',
    'length(predicate.shapes) >= 1',
  )
  expect(overLimit(shapes)).toEqual(['legal predicate', 'legal instance'])
})
