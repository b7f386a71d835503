import fc from 'fast-check'
import { fraction } from '../../../grammars/formulas/index.ts'
import type { Shape } from '../../../grammars/values/index.ts'
import type { Value } from '../../../grammars/formulas/index.ts'

const int: Shape = { kind: 'int' }
const circle = { kind: 'class', name: 'Circle', fields: [{ label: 'size', type: int }] } as const
const square = {
  kind: 'class',
  name: 'Square',
  fields: [
    { label: 'size', type: int },
    { label: 'side', type: { kind: 'number' } },
  ],
} as const
const entry: Shape = {
  kind: 'class',
  name: 'Entry(int, int)',
  fields: [
    { label: 'key', type: int },
    { label: 'val', type: int },
  ],
}
const shape: Shape = { kind: 'choice', name: 'Shape', alternatives: [circle, square] }

/** The names that random formulas use. */
export const names: Readonly<Record<string, Shape>> = {
  n: int,
  q: { kind: 'number' },
  t: { kind: 'string' },
  o: { kind: 'option', of: { kind: 'number' } },
  xs: { kind: 'list', of: int },
  ds: { kind: 'list', of: { kind: 'number' } },
  record: {
    kind: 'class',
    name: 'Record',
    fields: [
      { label: 'list', type: { kind: 'list', of: int } },
      { label: 'rows', type: { kind: 'list', of: { kind: 'list', of: int } } },
      { label: 'shapes', type: { kind: 'list', of: shape } },
      { label: 'half', type: { kind: 'number' } },
      { label: 'map', type: { kind: 'list', of: entry, sorted: 'map' } },
    ],
  },
}

/** Values of these names, in their order. */
export const inputs: fc.Arbitrary<readonly Value[]> = fc
  .record({
    n: fc.oneof(fc.integer({ min: -5, max: 40 }), fc.maxSafeInteger()),
    q: fc.oneof(
      fc.constantFrom(fraction(1, 10), fraction(-5, 2), fraction(10n ** 300n), 3),
      fc.integer({ min: -9, max: 9 }),
    ),
    t: fc.constantFrom('', 'a', 'text'),
    o: fc.option(fc.constantFrom(0.1, 2, -7.25)),
    xs: fc.array(fc.oneof(fc.integer({ min: -3, max: 12 }), fc.maxSafeInteger()), { maxLength: 12 }),
    ds: fc.array(fc.constantFrom(0.1, 0.2, 0.3, 1, -4.5), { maxLength: 6 }),
    rows: fc.array(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 4 }), { maxLength: 4 }),
    shapes: fc.array(
      fc.oneof(
        fc.record({ $: fc.constant('Circle'), size: fc.nat({ max: 9 }) }),
        fc.record({ $: fc.constant('Square'), size: fc.nat({ max: 9 }), side: fc.constantFrom(0.5, 2) }),
      ),
      { maxLength: 4 },
    ),
    keys: fc.uniqueArray(fc.integer({ min: -2, max: 15 }), { maxLength: 12 }),
  })
  .map(({ n, q, t, o, xs, ds, rows, shapes, keys }) => {
    const map = keys.sort((a, b) => a - b).map((key, i) => ({ key, val: i - 2 }))
    return [n, q, t, o, xs, ds, { list: xs, rows, shapes, half: 0.5, map }]
  })

/** Functions that random formulas call. */
export const definitions = [
  'define twice(a: int) = a + a',
  'define row(xs1: list of int, k1: int) = 4 * xs1[k1] + 2 * xs1[k1 + 1]',
  'define ratio(a2: number, b2: number) = if b2 = 0 then n else a2 / b2',
  'define nested(k3: int) = twice(twice(k3)) + sum(twice(j3) for j3 in 1..k3 mod 7)',
]

type Grown = {
  readonly int: string
  readonly number: string
  readonly boolean: string
  readonly list: string
}

let fresh = 0
/** A name that no other part of the formula has: names must not hide each other. */
const variable = (): string => `x${fresh++ % 100_000}`

/** Texts of formulas, well typed, of every construct; they may well have no value. */
export const formulas: fc.Arbitrary<string> = fc.letrec<Grown>((tie) => {
  const ints = tie('int')
  const numbers = tie('number')
  const booleans = tie('boolean')
  const lists = tie('list')
  /** A body in which a new name may be used instead of one of its integers. */
  const bind = (body: string, name: string): string => body.replace(/\bn\b/, name)
  const loop = fc.tuple(lists, fc.option(booleans), fc.boolean())
  const loopText = ([list, filter, counted]: readonly [string, string | null, boolean], name: string): string => {
    const index = counted ? ` at ${variable()}` : ''
    return ` for ${name}${index} in ${list}${filter === null ? '' : ` where ${bind(filter, name)}`}`
  }
  const gather = (fold: string, body: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc.tuple(body, loop, fc.option(loop)).map(([inside, first, second]) => {
      const [a, b] = [variable(), variable()]
      const more = second ? loopText(second, b) : ''
      const [open, close] = fold === 'list' ? ['[', ']'] : [`${fold}(`, ')']
      return `${open}${bind(bind(inside, a), second ? b : 'n')}${loopText(first, a)}${more}${close}`
    })
  const two = (operators: readonly string[], of: fc.Arbitrary<string>) =>
    fc.tuple(of, fc.constantFrom(...operators), of).map(([a, operator, b]) => `(${a} ${operator} ${b})`)
  const branches = (of: fc.Arbitrary<string>) => [
    fc.tuple(booleans, of, of).map(([c, a, b]) => `(if ${c} then ${a} else ${b})`),
    fc.tuple(ints, of).map(([value, body]) => {
      const name = variable()
      return `(let ${name} = ${value}; ${bind(body, name)})`
    }),
    fc.tuple(of, of).map(([some, none]) => `(match o { some ${variable()}: ${some}, none: ${none} })`),
    fc.tuple(ints, of, of).map(([i, a, b]) => {
      const name = variable()
      return `(match record.shapes[${i}] { Circle ${name}: ${bind(a, `${name}.size`)}, else: ${b} })`
    }),
  ]
  return {
    int: fc.oneof(
      { maxDepth: 5, depthSize: 'small' },
      fc.constantFrom('n', 'n', '0', '1', '2', '3', '31', '9007199254740991', 'length(xs)', 'record.list[1]'),
      two(['+', '-', '*', 'div', 'mod'], ints),
      ints.map((a) => `(-${a})`),
      fc.tuple(ints, ints, ints).map(([a, b, c]) => `max(${a}, ${b}, ${c})`),
      fc.tuple(ints, ints).map(([a, b]) => `min(${a}, ${b})`),
      ints.map((a) => `abs(${a})`),
      fc.tuple(fc.constantFrom('floor', 'ceil'), numbers).map(([name, a]) => `${name}(${a})`),
      ints.map((a) => `sqrt(${a})`),
      fc.tuple(lists, ints).map(([list, a]) => `position(${list}, ${a})`),
      fc.constantFrom('length(t)', 'code(t)', 'length(t + "x")', 'length(split(t, "x"))'),
      fc.tuple(lists, ints).map(([list, i]) => `${list}[${i}]`),
      ints.map((i) => `sum(record.rows[${i}])`),
      gather('sum', ints),
      gather('count', ints),
      gather('min', ints),
      gather('max', ints),
      ints.map((a) => `twice(${a})`),
      ints.map((a) => `nested(${a})`),
      fc.tuple(lists, ints).map(([list, i]) => `row(${list}, ${i})`),
      fc.constant('sum(s9.size for s9 in record.shapes)'),
      ...branches(ints),
    ),
    number: fc.oneof(
      { maxDepth: 5, depthSize: 'small' },
      fc.constantFrom('q', '0.5', '1/3', 'record.half', 'ds[1]', 'sum(ds)', 'sum(d8 * d8 for d8 in ds where d8 > 0)'),
      ints,
      two(['+', '-', '*', '/'], numbers),
      fc.tuple(numbers, numbers).map(([a, b]) => `ratio(${a}, ${b})`),
      fc.constant('(match o { some v7: v7 * 3, none: 0 })'),
      ...branches(numbers),
    ),
    boolean: fc.oneof(
      { maxDepth: 5, depthSize: 'small' },
      fc.constantFrom('true', 'false', 't = "a"', 'n > 0', 'distinct(ds)', 'record.rows[1] = xs'),
      two(['=', '!=', '<', '<=', '>', '>='], ints),
      two(['=', '!=', '<', '>='], numbers),
      two(['and', 'or'], booleans),
      booleans.map((a) => `(not ${a})`),
      fc.tuple(ints, lists).map(([a, list]) => `(${a} in ${list})`),
      fc.tuple(numbers, ints, numbers).map(([a, low, high]) => `(${a} in ${low}..${high})`),
      fc.tuple(numbers, numbers).map(([a, high]) => `(${a} not in 1..${high})`),
      two(['subset', '=', '!='], lists),
      fc.tuple(fc.constantFrom('distinct', 'isPermutation'), lists).map(([name, list]) => `${name}(${list})`),
      fc.tuple(ints, two(['<', '<='], ints), numbers).map(([a, b, c]) => `(${a} <= ${b.slice(1, -1)} < ${c})`),
      fc.tuple(ints, ints, ints).map(([a, b, c]) => `(${a} > ${b} >= ${c})`),
      ints.map((a) => `connected(${a}, record.rows)`),
      fc.tuple(ints, ints).map(([a, b]) => `bit(${a}, ${b})`),
      gather('all', booleans),
      gather('exists', booleans),
    ),
    list: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      fc.constantFrom('xs', 'record.list', '(1..4)', '[3, 1, n]'),
      fc.tuple(ints, ints).map(([a, b]) => `(${a}..${b})`),
      fc.array(ints, { minLength: 1, maxLength: 3 }).map((all) => `[${all.join(', ')}]`),
      gather('list', ints),
      fc.tuple(fc.constantFrom('sort', 'reverse', 'unique'), lists).map(([name, list]) => `${name}(${list})`),
      two(['+'], lists),
      fc.tuple(lists, ints, ints).map(([list, i, j]) => `slice(${list}, ${i}, ${j})`),
    ),
  }
}).number
