import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { builtIns } from '../../../grammars/formulas/functions/functions.ts'
import {
  checkFormula,
  Compiler,
  evaluate,
  exactly,
  extremeOf,
  newProgram,
  parseFormula,
  typeOf,
  worstCase,
} from '../../../grammars/formulas/index.ts'
import type { Extreme, Value } from '../../../grammars/formulas/index.ts'
import type { Frame } from '../../../grammars/formulas/running/frame.ts'
import type { Json } from '../../../grammars/json.ts'
import type { Shape } from '../../../grammars/values/index.ts'

/** A formula of the names a, b, c with the value that plain JavaScript gives it; undefined: it has none. */
interface Sample {
  readonly text: string
  readonly shapes: readonly Shape[]
  readonly inputs: fc.Arbitrary<readonly Json[]>
  value(...inputs: never[]): Json | undefined
  /** The documented steps; left out if they depend on the digits of decimals. */
  steps?(...inputs: never[]): number
}

const int: Shape = { kind: 'int' }
const decimal: Shape = { kind: 'number' }
const text: Shape = { kind: 'string' }
const listOf = (of: Shape): Shape => ({ kind: 'list', of })
const point: Shape = { kind: 'class', name: 'Point', fields: [{ label: 'x', type: int }] }
const arc: Shape = {
  kind: 'class',
  name: 'Arc',
  fields: [
    { label: 'weight', type: int },
    { label: 'from', type: int },
    { label: 'to', type: int },
  ],
}

const small = fc.integer({ min: -5, max: 12 })
const ints = fc.array(fc.oneof(small, fc.maxSafeInteger()), { maxLength: 20 })
const decimals = fc.array(
  fc.integer({ min: -40, max: 40 }).map((n) => n / 8),
  { maxLength: 12 },
)
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'ß', '😀'), maxLength: 12 })
const words = fc.array(word, { maxLength: 8 })
const points = fc.array(
  fc.nat({ max: 3 }).map((x) => ({ x })),
  { maxLength: 10 },
)

const listSteps = (length: number): number => 4 + length
const textSteps = (...texts: readonly string[]): number => 1 + Math.floor(texts.join('').length / 4)
const bits = (n: number): number => (n === 0 ? 0 : n.toString(2).length)
const ascending = (a: number, b: number): number => a - b
const sum = (of: readonly number[]): number => of.reduce((all, one) => all + one, 0)

/** A graph as a number of vertices and pairs, now and then with an end that is not a vertex. */
const graphs = fc.integer({ min: 0, max: 7 }).chain((n) => {
  const vertex = fc.integer({ min: 1, max: Math.max(1, n) })
  const odd = fc.oneof({ weight: 60, arbitrary: vertex }, { weight: 1, arbitrary: fc.constantFrom(0, n + 1) })
  return fc.tuple(fc.constant(n), fc.array(fc.tuple(odd, odd), { maxLength: 8 }), vertex, vertex)
})
const isBad = (n: number, edges: readonly (readonly number[])[]): boolean => edges.flat().some((v) => v < 1 || v > n)

/** All pairs of vertices of which one leads to the other, by Warshall's algorithm. */
function closure(n: number, edges: readonly (readonly number[])[]): readonly (readonly boolean[])[] {
  const leads = Array.from({ length: n + 1 }, () => Array.from({ length: n + 1 }, () => false))
  for (const [a, b] of edges) leads[a!]![b!] = true
  for (let k = 1; k <= n; k++) {
    for (let i = 1; i <= n; i++) for (let j = 1; j <= n; j++) if (leads[i]![k]! && leads[k]![j]!) leads[i]![j] = true
  }
  return leads
}
const bothWays = (edges: readonly (readonly number[])[]) =>
  edges.flatMap(([a, b]) => [
    [a!, b!],
    [b!, a!],
  ])
function isConnected(n: number, edges: readonly (readonly number[])[]): boolean {
  const leads = closure(n, bothWays(edges))
  return leads.every((row, i) => i === 0 || row.every((reached, j) => j === 0 || i === j || reached))
}
type Pairs = readonly (readonly [number, number])[]
const graphSteps = (n: number, edges: Pairs): number => n + 4 * edges.length
const asArcs = graphs.map(([n, edges, a, b]) => [n, edges.map(([from, to]) => ({ weight: 9, from, to })), a, b])
type Arcs = readonly { readonly from: number; readonly to: number }[]
const pairsOf = (arcs: Arcs): Pairs => arcs.map(({ from, to }) => [from, to] as const)

/** Mostly of 2 rows of 3. */
const tables = fc.oneof(
  fc.array(fc.array(small, { minLength: 3, maxLength: 3 }), { maxLength: 3 }),
  fc.array(fc.array(small, { maxLength: 4 }), { maxLength: 3 }),
)

const root = (n: number): number | undefined => {
  if (n < 0) return undefined
  const wide = BigInt(n)
  let low = 0n
  let high = 1n << 27n
  while (low < high) {
    const middle = (low + high + 1n) >> 1n
    if (middle * middle <= wide) low = middle
    else high = middle - 1n
  }
  return Number(low)
}
const nearSquares = fc.oneof(
  fc.integer({ min: -3, max: 400 }),
  fc.tuple(fc.integer({ min: 1, max: 94_906_265 }), fc.constantFrom(-1, 0, 1)).map(([r, d]) => r * r + d),
)

const samples: readonly Sample[] = [
  ...['allDifferent(a)', 'distinct(a)'].flatMap((text): Sample[] => [
    {
      text,
      shapes: [listOf(int)],
      inputs: fc.tuple(ints),
      value: (a: readonly number[]) => new Set(a).size === a.length,
    },
    {
      text,
      shapes: [listOf(listOf(int))],
      inputs: fc.tuple(fc.array(fc.array(fc.nat({ max: 2 }), { maxLength: 2 }), { maxLength: 5 })),
      value: (a: readonly Json[]) => new Set(a.map((one) => JSON.stringify(one))).size === a.length,
    },
  ]),
  {
    text: 'allDifferent(x mod 7 for x in a where x > 0)',
    shapes: [listOf(int)],
    inputs: fc.tuple(fc.array(small, { maxLength: 5 })),
    value: (a: readonly number[]) => {
      const rests = a.filter((x) => x > 0).map((x) => x % 7)
      return new Set(rests).size === rests.length
    },
  },
  {
    text: 'floor(a)',
    shapes: [decimal],
    inputs: fc.tuple(fc.integer({ min: -8_000, max: 8_000 }).map((n) => n / 64)),
    value: Math.floor,
  },
  { text: 'abs(a)', shapes: [int], inputs: fc.tuple(fc.maxSafeInteger()), value: Math.abs },
  {
    text: 'a[b]',
    shapes: [listOf(int), int],
    inputs: fc.tuple(ints, small),
    value: (a: readonly number[], b: number) => a[b - 1],
  },
  {
    text: 'b in a',
    shapes: [listOf(int), int],
    inputs: fc.tuple(fc.array(small, { maxLength: 40 }), small),
    value: (a: readonly number[], b: number) => a.includes(b),
  },
  {
    text: 'a <= b < c',
    shapes: [int, int, int],
    inputs: fc.tuple(small, small, small),
    value: (a: number, b: number, c: number) => a <= b && b < c,
  },
  {
    text: 'fold(2 * s + x - i from s = b for x at i in a)',
    shapes: [listOf(int), int],
    inputs: fc.tuple(fc.array(small, { maxLength: 12 }), small),
    value: (a: readonly number[], b: number) => a.reduce((s, x, i) => 2 * s + x - (i + 1), b),
  },
  {
    text: 'fold(if x > s then s + [x][1] else s from s = 0 for x in a)',
    shapes: [listOf(int)],
    inputs: fc.tuple(fc.array(small, { maxLength: 12 })),
    value: (a: readonly number[]) => a.reduce((s, x) => (x > s ? s + x : s), 0),
  },
  {
    text: 'ceil(a)',
    shapes: [decimal],
    inputs: fc.integer({ min: -99, max: 99 }).map((n) => [n / 8]),
    value: (a: number) => Math.ceil(a) + 0,
  },
  { text: 'sqrt(a)', shapes: [int], inputs: fc.tuple(nearSquares), value: root, steps: () => 0 },
  {
    text: 'isSquare(a)',
    shapes: [int],
    inputs: fc.tuple(nearSquares),
    value: (a: number) => a >= 0 && root(a)! ** 2 === a,
    steps: () => 0,
  },
  {
    text: 'sort(a)',
    shapes: [listOf(int)],
    inputs: fc.tuple(ints),
    value: (a: number[]) => a.toSorted(ascending),
    steps: (a: number[]) => listSteps(a.length) + a.length * bits(a.length),
  },
  {
    text: 'sort(a)',
    shapes: [listOf(decimal)],
    inputs: fc.tuple(decimals),
    value: (a: number[]) => a.toSorted(ascending),
  },
  {
    text: 'sort(a)',
    shapes: [listOf(text)],
    inputs: fc.tuple(words),
    value: (a: string[]) => a.toSorted(),
    steps: (a: string[]) => listSteps(a.length) + a.length * bits(a.length),
  },
  {
    text: 'sort(p.x for p in a)',
    shapes: [listOf(point)],
    inputs: fc.tuple(points),
    value: (a: { x: number }[]) => a.map(({ x }) => x).toSorted(ascending),
    steps: (a: unknown[]) => listSteps(a.length) + 4 + a.length * (1 + bits(a.length)),
  },
  {
    text: 'reverse(a)',
    shapes: [listOf(text)],
    inputs: fc.tuple(words),
    value: (a: string[]) => [...a].reverse(),
    steps: (a: string[]) => listSteps(a.length),
  },
  {
    text: 'unique(a)',
    shapes: [listOf(int)],
    inputs: fc.tuple(ints),
    value: (a: number[]) => [...new Set(a)],
    steps: (a: number[]) => listSteps(a.length),
  },
  { text: 'unique(a)', shapes: [listOf(decimal)], inputs: fc.tuple(decimals), value: (a: number[]) => [...new Set(a)] },
  {
    text: 'unique(a)',
    shapes: [listOf(point)],
    inputs: fc.tuple(points),
    value: (a: { x: number }[]) => [...new Set(a.map(({ x }) => x))].map((x) => ({ x })),
  },
  {
    text: 'position(a, b)',
    shapes: [listOf(int), int],
    inputs: fc.tuple(fc.array(small), small),
    value: (a: number[], b: number) => a.indexOf(b) + 1,
  },
  {
    text: 'isPermutation(a)',
    shapes: [listOf(int)],
    inputs: fc.tuple(
      fc.oneof(
        ints,
        fc.nat({ max: 6 }).chain((n) => fc.shuffledSubarray([1, 2, 3, 4, 5, 6].slice(0, n))),
      ),
    ),
    value: (a: number[]) => a.toSorted(ascending).every((one, i) => one === i + 1),
    steps: (a: number[]) => a.length,
  },
  {
    text: 'isPermutation(a, b)',
    shapes: [listOf(text), listOf(text)],
    inputs: fc.oneof(
      fc.tuple(words, words),
      words.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
    ),
    value: (a: string[], b: string[]) => JSON.stringify(a.toSorted()) === JSON.stringify(b.toSorted()),
    steps: (a: string[], b: string[]) => a.length + b.length,
  },
  {
    text: 'a + b',
    shapes: [listOf(int), listOf(int)],
    inputs: fc.tuple(ints, ints),
    value: (a: number[], b: number[]) => [...a, ...b],
    steps: (a: number[], b: number[]) => listSteps(a.length + b.length),
  },
  {
    text: 'a + b',
    shapes: [text, text],
    inputs: fc.tuple(word, word),
    value: (a: string, b: string) => `${a}${b}`,
    steps: textSteps,
  },
  {
    text: 'slice(a, b, c)',
    shapes: [listOf(int), int, int],
    inputs: fc.tuple(ints, small, small),
    value: (a: number[], b: number, c: number) => a.filter((_, i) => i + 1 >= b && i + 1 <= c),
    steps: (a: number[], b: number, c: number) => listSteps(a.filter((_, i) => i + 1 >= b && i + 1 <= c).length),
  },
  {
    text: 'slice(a, b, c)',
    shapes: [text, int, int],
    inputs: fc.tuple(word, small, small),
    value: (a: string, b: number, c: number) => [...a].filter((_, i) => i + 1 >= b && i + 1 <= c).join(''),
    steps: (a: string) => textSteps(a),
  },
  { text: 'length(a)', shapes: [text], inputs: fc.tuple(word), value: (a: string) => [...a].length, steps: textSteps },
  {
    text: 'characters(a)',
    shapes: [text],
    inputs: fc.tuple(word),
    value: (a: string) => [...a],
    steps: (a: string) => listSteps(a.length),
  },
  {
    text: 'join(a, b)',
    shapes: [listOf(text), text],
    inputs: fc.tuple(words, word),
    value: (a: string[], b: string) => a.join(b),
    steps: (a: string[], b: string) => a.length + textSteps(a.join(b)),
  },
  {
    text: 'join(a)',
    shapes: [listOf(text)],
    inputs: fc.tuple(words),
    value: (a: string[]) => a.join(''),
    steps: (a: string[]) => a.length + textSteps(...a),
  },
  {
    text: 'split(a, b)',
    shapes: [text, text],
    inputs: fc.tuple(word, fc.constantFrom('', 'a', 'ab', '😀')),
    value: (a: string, b: string) => (b === '' ? undefined : a.split(b)),
    steps: (a: string, b: string) => textSteps(a) + listSteps(a.split(b).length),
  },
  {
    text: 'contains(a, b)',
    shapes: [text, text],
    inputs: fc.tuple(word, fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 3 })),
    value: (a: string, b: string) => a.indexOf(b) >= 0,
    steps: (a: string) => textSteps(a),
  },
  {
    text: 'startsWith(a, b)',
    shapes: [text, text],
    inputs: fc.tuple(word, fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 2 })),
    value: (a: string, b: string) => a.slice(0, b.length) === b,
    steps: (_: string, b: string) => textSteps(b),
  },
  {
    text: 'endsWith(a, b)',
    shapes: [text, text],
    inputs: fc.tuple(word, fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 2 })),
    value: (a: string, b: string) => b === '' || a.slice(-b.length) === b,
    steps: (_: string, b: string) => textSteps(b),
  },
  { text: 'code(a)', shapes: [text], inputs: fc.tuple(word), value: (a: string) => a.codePointAt(0), steps: () => 0 },
  {
    text: 'connected(a, b)',
    shapes: [int, listOf(listOf(int))],
    inputs: graphs.map(([n, edges]) => [n, edges]),
    value: (n: number, edges: Pairs) => (isBad(n, edges) ? undefined : isConnected(n, edges)),
    steps: graphSteps,
  },
  {
    text: 'isTree(a, b)',
    shapes: [int, listOf(arc)],
    inputs: asArcs.map(([n, edges]) => [n!, edges!]),
    value: (n: number, arcs: Arcs) =>
      isBad(n, pairsOf(arcs)) ? undefined : n > 0 && arcs.length === n - 1 && isConnected(n, pairsOf(arcs)),
    steps: (n: number, arcs: Arcs) => graphSteps(n, pairsOf(arcs)),
  },
  {
    text: 'isAcyclic(a, b)',
    shapes: [int, listOf(listOf(int))],
    inputs: graphs.map(([n, edges]) => [n, edges]),
    value: (n: number, edges: Pairs) => (isBad(n, edges) ? undefined : closure(n, edges).every((row, i) => !row[i])),
    steps: graphSteps,
  },
  {
    text: 'reachable(a, b, c, d)',
    shapes: [int, listOf(arc), int, int],
    inputs: asArcs,
    value: (n: number, arcs: Arcs, from: number, to: number) =>
      n === 0 || isBad(n, pairsOf(arcs)) ? undefined : from === to || closure(n, pairsOf(arcs))[from]![to]!,
    steps: (n: number, arcs: Arcs) => graphSteps(n, pairsOf(arcs)),
  },
  {
    text: 'isTable(a, b, c)',
    shapes: [listOf(listOf(int)), int, int],
    inputs: tables.map((table) => [table, 2, 3]),
    value: (a: number[][], b: number, c: number) => a.length === b && !a.some((row) => row.length !== c),
    steps: (a: number[][]) => a.length,
  },
  {
    text: 'transpose(a)',
    shapes: [listOf(listOf(int))],
    inputs: fc.tuple(tables),
    value: (a: number[][]) =>
      a.some((row) => row.length !== a[0]!.length) ? undefined : (a[0] ?? []).map((_, i) => a.map((row) => row[i]!)),
    steps: (a: number[][]) => 4 + a.length + (a[0] ?? []).length * listSteps(a.length),
  },
  {
    text: 'a[b, c + 0]',
    shapes: [listOf(listOf(int)), int, int],
    inputs: fc.tuple(tables, fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 4 })),
    value: (a: number[][], b: number, c: number) => a[b - 1]?.[c - 1],
    steps: () => 0,
  },
  {
    text: 'fold(s * 2 + x from s = 1 for x in a)',
    shapes: [listOf(int)],
    inputs: fc.tuple(fc.array(small, { maxLength: 20 })),
    value: (a: number[]) => a.reduce((s, x) => s * 2 + x, 1),
    steps: (a: number[]) => a.length,
  },
  {
    text: 'fold([x] + s from s: list of int = [] for x in a where x > b)',
    shapes: [listOf(int), int],
    inputs: fc.tuple(fc.array(small, { maxLength: 20 }), small),
    value: (a: number[], b: number) => a.filter((x) => x > b).reverse(),
    // Each element that passes makes a list of one, and one longer than before.
    steps: (a: number[], b: number) => a.length + sum(a.filter((x) => x > b).map((_, i) => 5 + listSteps(i + 1))) + 4,
  },
  {
    text: 'fold(max(s, x - y) + 1/8 from s: number = b for x at i in a for y in a where i > 1)',
    shapes: [listOf(decimal), decimal],
    inputs: fc.tuple(
      decimals,
      fc.integer({ min: -9, max: 9 }).map((n) => n / 4),
    ),
    value: (a: number[], b: number) =>
      a.slice(1).reduce((s, x) => a.reduce((inner, y) => Math.max(inner, x - y) + 1 / 8, s), b),
  },
  {
    text: 'a <= b < c + 0',
    shapes: [int, int, int],
    inputs: fc.tuple(small, small, small),
    value: (a: number, b: number, c: number) => a <= b && b < c,
    steps: () => 0,
  },
  {
    text: 'a >= sum(b) > c >= -3',
    shapes: [int, listOf(int), int],
    inputs: fc.tuple(small, fc.array(small, { maxLength: 4 }), small),
    value: (a: number, b: number[], c: number) => a >= sum(b) && sum(b) > c && c >= -3,
    // The sum is computed once.
    steps: (_: number, b: number[]) => b.length,
  },
]

/** A value as JSON; fractions, which are all short here, as numbers. */
function plain(value: Value): Json {
  if (Array.isArray(value)) return value.map((one: Value) => plain(one))
  if (typeof value !== 'object' || value === null) return value
  const fields = value as { readonly [label: string]: Value | bigint }
  if (typeof fields['d'] === 'bigint') return Number(fields['n']) / Number(fields['d'])
  return Object.fromEntries(Object.entries(fields).map(([label, field]) => [label, plain(field as Value)]))
}

/** Narrows all values of a type down to those of one input. */
function narrow(extreme: Extreme, value: Json, first = true): void {
  if (extreme.kind === 'number') {
    extreme.low = first ? (value as number) : Math.min(extreme.low, value as number)
    extreme.high = first ? (value as number) : Math.max(extreme.high, value as number)
  } else if (extreme.kind === 'plain') {
    extreme.longest = Math.max(first ? 0 : extreme.longest, typeof value === 'string' ? value.length : 0)
  } else if (extreme.kind === 'list') {
    const list = value as readonly Json[]
    extreme.most = Math.max(first ? 0 : extreme.most, list.length)
    list.forEach((one, i) => narrow(extreme.of, one, first && i === 0))
  } else if (extreme.kind === 'record') {
    for (const label of extreme.labels) narrow(extreme.field(label), (value as Record<string, Json>)[label]!, first)
  }
}

describe('each function agrees with plain JavaScript on 1000 random cases, in value, steps and limit', () => {
  test.each(samples.map((sample) => [sample.text, sample.shapes.map(nameOfShape).join(', '), sample] as const))(
    '%s of %s',
    (formula, _, sample) => {
      const program = newProgram(() => null)
      const variables = sample.shapes.map((shape) => program.variable(typeOf(shape)))
      const scope = new Map(variables.map((variable, i) => ['abcd'.charAt(i), variable]))
      const tree = parseFormula(formula)
      if ('message' in tree) throw new Error(tree.message)
      const typed = checkFormula(tree, { kind: 'nothing' }, 'It', scope, program)
      expect(program.faults).toEqual([])
      const code = new Compiler().compile(typed)
      const { size } = program
      fc.assert(
        fc.property(sample.inputs, (inputs) => {
          const frames: Frame[] = []
          const exact = inputs.map((input) => (typeof input === 'number' ? exactly(input) : input))
          const run = (steps: number) =>
            evaluate(
              (frame) => {
                frames.push(frame)
                return code(frame)
              },
              size,
              exact,
              steps,
            )
          const found = run(100_000)
          const used = 100_000 - frames[0]!.steps
          const wanted = (sample.value as (...all: readonly Json[]) => Json | undefined)(...inputs)
          expect(found.ok ? plain(found.value) : undefined).toEqual(wanted)
          if (!found.ok) return
          if (sample.steps) expect(used).toBe((sample.steps as (...all: readonly Json[]) => number)(...inputs))
          expect(run(used).ok).toBe(true)
          if (used > 0) expect(run(used - 1)).toMatchObject({ ok: false, limit: true })
          const slots = new Map(variables.map(({ slot, type }) => [slot, extremeOf(type, true)]))
          variables.forEach(({ slot }, i) => narrow(slots.get(slot)!, inputs[i]!))
          expect(worstCase(slots, [typed])).toBeGreaterThanOrEqual(used)
        }),
        { numRuns: 1000 },
      )
    },
  )

  test('none is left out', () => {
    const tested = samples.map(({ text: formula }) => formula)
    expect(builtIns.filter(({ name }) => !tested.some((formula) => formula.startsWith(`${name}(`)))).toEqual([])
  })
})

function nameOfShape(shape: Shape): string {
  return shape.kind === 'list' ? `list of ${nameOfShape(shape.of)}` : 'name' in shape ? shape.name : shape.kind
}

test('the square root of a long integer is exact', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 2n ** 60n, max: 2n ** 1600n }), fc.constantFrom(-1n, 0n, 1n), (r, d) => {
      const program = newProgram(() => null)
      const one = program.variable({ kind: 'int' })
      const run = (formula: string) => {
        const tree = parseFormula(formula)
        if ('message' in tree) throw new Error(tree.message)
        const typed = checkFormula(tree, { kind: 'nothing' }, 'It', new Map([['one', one]]), program)
        return evaluate(new Compiler().compile(typed), program.size, [1])
      }
      const n = r * r + d
      expect(run(`sqrt(${n} * one) = ${d < 0n ? r - 1n : r}`)).toEqual({ ok: true, value: true })
      expect(run(`isSquare(${n} * one)`)).toEqual({ ok: true, value: d === 0n })
    }),
    { numRuns: 50 },
  )
})
