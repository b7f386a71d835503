import { describe, expect, test } from 'vitest'
import type { Json } from '../../../grammars/json.ts'
import { read, stream } from '../../unit/properties/read.ts'

const SEEDS = Array.from({ length: 20 }, (_, i) => 1000 + 7 * i)
/** Draws for each possible value. */
const EACH = 100

/** The chance that a chi-square variable of `degrees` degrees of freedom is at least this (the upper incomplete gamma function). */
function tail(square: number, degrees: number): number {
  const a = degrees / 2
  const x = square / 2
  let term = 1 / a
  let sum = term
  // The series of the lower function; it converges for every x, and x is not large here.
  for (let n = 1; n < 2000 && term > sum * 1e-15; n++) {
    term *= x / (a + n)
    sum += term
  }
  return 1 - sum * Math.exp(a * Math.log(x) - x - logGamma(a))
}

/** Lanczos' approximation. */
function logGamma(z: number): number {
  const c = [
    76.18009172947146, -86.5053203294168, 24.01409824083091, -1.23173957245015, 0.00120865097386618, -5.395239384953e-6,
  ]
  const series = c.reduce((sum, one, i) => sum + one / (z + 1 + i), 1.00000000019001)
  const t = z + 5.5
  return (z + 0.5) * Math.log(t) - t + Math.log((2.506628274631 * series) / z)
}

test('the tail of chi-square is that of tables', () => {
  expect(tail(10.828, 1)).toBeCloseTo(0.001, 5)
  expect(tail(16.919, 9)).toBeCloseTo(0.05, 4)
  expect(tail(149.449, 100)).toBeCloseTo(0.001, 5)
})

/** Draws for each seed, and holds how often each value came against how often it should. */
function expectShares(
  dictionary: string,
  rules: string,
  shares: ReadonlyMap<string, number>,
  part: (value: Json) => Json,
): void {
  const one = read({ dictionary, rules })
  expect(one.faults).toEqual([])
  const property = one.property()
  const whole = [...shares.values()].reduce((sum, share) => sum + share, 0)
  for (const seed of SEEDS) {
    const random = stream(seed)
    const counts = new Map([...shares.keys()].map((key) => [key, 0]))
    const draws = EACH * shares.size
    for (let i = 0; i < draws; i++) {
      const made = property.generate(random)
      if (!made.ok) throw new Error(made.problem.message)
      const key = JSON.stringify(part(made.value))
      if (!counts.has(key)) throw new Error(`${key} should not have been made`)
      counts.set(key, counts.get(key)! + 1)
    }
    let square = 0
    for (const [key, share] of shares) {
      const wanted = (draws * share) / whole
      square += (counts.get(key)! - wanted) ** 2 / wanted
    }
    expect(tail(square, shares.size - 1), `seed ${seed}`).toBeGreaterThan(0.001)
  }
}

const equally = (values: readonly Json[]) => new Map(values.map((value) => [JSON.stringify(value), 1]))
const field = (label: string) => (value: Json) => (value as { readonly [label: string]: Json })[label]!
const span = (low: number, high: number): number[] => Array.from({ length: high - low + 1 }, (_, i) => low + i)
/** All arrangements of `count` of these. */
function arrangements<T>(of: readonly T[], count: number): readonly (readonly T[])[] {
  if (count === 0) return [[]]
  return of.flatMap((first) =>
    arrangements(
      of.filter((one) => one !== first),
      count - 1,
    ).map((rest) => [first, ...rest]),
  )
}

describe('choices are uniform, for each of 20 seeds', () => {
  test('a range', () => {
    expectShares('Root = <n> int.', 'Root.n: range -3 7', equally(span(-3, 7)), field('n'))
  })

  test('a range that does not divide 2 to the 32nd: its thirds', () => {
    const third = (value: Json): Json => Math.floor((field('n')(value) as number) / 2 ** 31)
    expectShares('Root = <n> int.', `Root.n: range 0 ${3 * 2 ** 31 - 1}`, equally([0, 1, 2]), third)
  })

  test('a list: each value, however often it is named', () => {
    expectShares('Root = <n> int.', 'Root.n: enum [4, 4, 4, 9, 1]', equally([4, 9, 1]), field('n'))
  })

  test('a list of another field, without what other rules exclude', () => {
    expectShares(
      'Root = <xs> List(int) "/" <n> int.',
      'Root.xs: subset [1, 2, 3, 4], distinct, length 4 Root.n: in root.xs, range 2 4',
      equally([2, 3, 4]),
      field('n'),
    )
  })

  test('weighted alternatives and options', () => {
    const dictionary = 'Root = <s> S <o> Option(Note). S = A | B | C. A = "a". B = "b". C = "c". Note = "n".'
    const rules = 'S: choose { A: 1, B: 2, C: 3 } Root.o: choose { some: 3, none: 1 }'
    const shares = new Map(
      [1, 2, 3].flatMap((weight, i) => [
        [`["${'ABC'[i]}",true]`, weight * 3] as const,
        [`["${'ABC'[i]}",false]`, weight] as const,
      ]),
    )
    expectShares(dictionary, rules, shares, (value) => [field('$')(field('s')(value)), field('o')(value) !== null])
  })

  test('alternatives and options of which nothing is said', () => {
    const dictionary = 'Root = <s> S <o> Option(Note). S = A | B | C. A = "a". B = "b". C = "c". Note = "n".'
    const shares = equally(
      ['A', 'B', 'C'].flatMap((name) => [
        [name, true],
        [name, false],
      ]),
    )
    expectShares(dictionary, '', shares, (value) => [field('$')(field('s')(value)), field('o')(value) !== null])
  })

  test('lengths', () => {
    expectShares(
      'Root = <xs> List(int).',
      'Root.xs: length range 2 6',
      equally(span(2, 6)),
      (value) => (field('xs')(value) as Json[]).length,
    )
  })

  test('texts of a finite expression', () => {
    const texts = ['a', 'b', 'ca', 'cb', 'cca', 'ccb'].flatMap((text) => [text, `${text}1`])
    expectShares('Root = "x" <w> ident.', 'Root.w: matches "(c{0,2}[ab]|a)1?"', equally(texts), field('w'))
    const both = 'Root.w: matches "[abc]{1,2}", matches "(a|b|d)*"'
    expectShares('Root = "x" <w> ident.', both, equally(['a', 'b', 'aa', 'ab', 'ba', 'bb']), field('w'))
  })

  test('arrangements of different numbers', () => {
    expectShares(
      'Root = <xs> List(int).',
      'Root.xs: length 3, distinct, element range 1 4',
      equally(arrangements(span(1, 4), 3)),
      field('xs'),
    )
    expectShares(
      'Root = <xs> List(int).',
      'Root.xs: length 2, distinct, element in [5, 7, 11, 7]',
      equally(arrangements([5, 7, 11], 2)),
      field('xs'),
    )
  })

  test('arrangements of different names', () => {
    const names = ['a', 'b', 'aa', 'ab']
    expectShares(
      'Root = <xs> List(ident).',
      'Root.xs: length 2, distinct, element matches "a|b|aa|ab"',
      equally(arrangements(names, 2)),
      field('xs'),
    )
  })

  test('arrangements of different objects, nearly all there are', () => {
    const pairs = span(0, 1).flatMap((a) => span(0, 1).map((b) => ({ a, b })))
    const rules = 'Root.xs: length 3, distinct P.a: range 0 1 P.b: range 0 1'
    expectShares(
      'Root = <xs> List(P). P = "(" <a> int "," <b> int ")".',
      rules,
      equally(arrangements(pairs, 3)),
      field('xs'),
    )
  })

  test('sets', () => {
    const pairs = span(1, 5).flatMap((a) => span(a + 1, 5).map((b) => [a, b]))
    expectShares('Root = <xs> Set(int).', 'Root.xs: length 2, element range 1 5', equally(pairs), field('xs'))
  })
})
