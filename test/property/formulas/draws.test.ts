import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draws } from '../../../grammars/formulas/drawing/draws.ts'
import {
  checkFormula,
  Compiler,
  evaluate,
  extremeOf,
  newProgram,
  parseFormula,
} from '../../../grammars/formulas/index.ts'
import { worstCase } from '../../../grammars/formulas/index.ts'
import type { Type, Value } from '../../../grammars/formulas/index.ts'
import type { Frame } from '../../../grammars/formulas/running/frame.ts'
import { randomChooser } from '../../../grammars/properties/index.ts'
import { randomStream } from '../../../main/contract/random.ts'

const INT: Type = { kind: 'int' }

const xoroshiro = (seed: number): (() => number) => randomStream(seed.toString(16).padStart(8, '0').repeat(8))

/** A formula of the ints a, b, c and the list xs, ready to be drawn from. */
function drawing(formula: string) {
  const program = newProgram(() => null)
  program.further = new Map(draws.map((one) => [one.name, one]))
  const types: readonly Type[] = [INT, INT, INT, { kind: 'list', of: INT }]
  const variables = types.map((type) => program.variable(type))
  const tree = parseFormula(formula)
  if ('message' in tree) throw new Error(tree.message)
  const scope = new Map(variables.map((variable, i) => [['a', 'b', 'c', 'xs'][i]!, variable]))
  const typed = checkFormula(tree, { kind: 'nothing' }, 'It', scope, program)
  expect(program.faults).toEqual([])
  const code = new Compiler().compile(typed)
  const run = (inputs: readonly Value[], random: () => number, steps: number) => {
    const frames: Frame[] = []
    const result = evaluate(
      (frame) => {
        frames.push(frame)
        return code(frame)
      },
      program.size,
      inputs,
      steps,
      randomChooser(random).below,
    )
    return { result, used: steps - frames[0]!.steps }
  }
  const most = (inputs: readonly Value[]): number => {
    const slots = new Map(variables.map(({ slot, type }) => [slot, extremeOf(type, true)]))
    for (const [i, { slot }] of variables.entries()) {
      const [extreme, input] = [slots.get(slot)!, inputs[i]!]
      if (extreme.kind === 'number') extreme.low = extreme.high = input as number
      if (extreme.kind === 'list') extreme.most = (input as readonly Value[]).length
    }
    return worstCase(slots, [typed])
  }
  return { run, most }
}

type Edges = readonly (readonly [number, number])[]

function isGraph(n: number, edges: Edges): boolean {
  const keys = edges.map(([a, b]) => a * 1000 + b)
  return edges.every(([a, b]) => 1 <= a && a < b && b <= n) && keys.every((key, i) => i === 0 || keys[i - 1]! < key)
}

/** The number of connected parts, by spreading the smallest name until nothing changes. */
function partsOf(n: number, edges: Edges): number {
  const names = Array.from({ length: n + 1 }, (_, vertex) => vertex)
  for (let changed = true; changed;) {
    changed = false
    for (const [a, b] of edges) {
      const least = Math.min(names[a]!, names[b]!)
      if (names[a] === names[b]) continue
      names[a] = names[b] = least
      changed = true
    }
  }
  return new Set(names.slice(1)).size
}

const degreesOf = (n: number, edges: Edges): readonly number[] =>
  Array.from({ length: n }, (_, i) => edges.flat().filter((end) => end === i + 1).length)

const pairs = (n: number): number => (n * (n - 1)) / 2
const bits = (n: number): number => n.toString(2).length
const sum = (of: readonly number[]): number => of.reduce((all, one) => all + one, 0)
const sorted = (of: readonly number[]): readonly number[] => of.toSorted((x, y) => x - y)

/** `is`: decides of the value that was drawn; null: there is none to draw. `steps`: as documented. */
interface Sample {
  readonly text: string
  readonly is: (value: never, a: number, b: number, c: number, xs: readonly number[]) => boolean
  readonly exists: (a: number, b: number, c: number, xs: readonly number[]) => boolean
  readonly steps: (a: number, b: number, c: number, xs: readonly number[]) => number
}

const samples: readonly Sample[] = [
  { text: 'random(a, b)', exists: (a, b) => a <= b, is: (v: number, a, b) => a <= v && v <= b, steps: () => 1 },
  {
    // Probabilities between are tried below.
    text: 'chance(a)',
    exists: (a) => a === 0 || a === 1,
    is: (v: boolean, a) => v === (a === 1),
    steps: () => 1,
  },
  {
    text: 'choose(xs)',
    exists: (_a, _b, _c, xs) => xs.length > 0,
    is: (v: number, _a, _b, _c, xs) => xs.includes(v),
    steps: () => 1,
  },
  {
    text: 'choose(xs, [if x > 0 then x else 0 for x in xs])',
    exists: (_a, _b, _c, xs) => xs.some((x) => x > 0),
    is: (v: number, _a, _b, _c, xs) => v > 0 && xs.includes(v),
    steps: (_a, _b, _c, xs) => 1 + xs.length + (4 + xs.length),
  },
  {
    text: 'shuffle(xs)',
    exists: () => true,
    is: (v: number[], _a, _b, _c, xs) => String(sorted(v)) === String(sorted(xs)),
    steps: (_a, _b, _c, xs) => 4 + 2 * xs.length,
  },
  {
    text: 'sample(xs, a)',
    exists: (a, _b, _c, xs) => a >= 0 && a <= xs.length,
    is: (v: number[], a, _b, _c, xs) => {
      const left = [...xs]
      const within = v.every((x) => left.includes(x) && left.splice(left.indexOf(x), 1).length === 1)
      return within && v.length === a
    },
    steps: (a) => 4 + 2 * a,
  },
  {
    text: 'pick(a, b, c)',
    exists: (a, b, c) => a === 0 || (a > 0 && c - b + 1 >= a),
    is: (v: number[], a, b, c) => v.length === a && new Set(v).size === a && v.every((x) => b <= x && x <= c),
    steps: (a) => 4 + 2 * a,
  },
  {
    text: 'parts(a, b)',
    exists: (a, b) => b >= 1 && a >= b,
    is: (v: number[], a, b) => v.length === b && sum(v) === a && v.every((x) => x >= 1),
    steps: (_, b) => 4 + b * (2 + bits(b)),
  },
  { text: 'none()', exists: () => true, is: (v: null) => v === null, steps: () => 0 },
  {
    text: 'graph(a, b)',
    exists: (a, b) => a >= 0 && b >= 0 && b <= pairs(a),
    is: (v: Edges, a, b) => isGraph(a, v) && v.length === b,
    steps: (a, b) => 4 + a + 10 * b,
  },
  {
    text: 'tree(a)',
    exists: (a) => a >= 0,
    is: (v: Edges, a) => isGraph(a, v) && v.length === Math.max(0, a - 1) && partsOf(a, v) <= 1,
    steps: (a) => 4 + a + 10 * Math.max(0, a - 1),
  },
  {
    text: 'connectedGraph(a, b)',
    exists: (a, b) => a >= 0 && b >= Math.max(0, a - 1) && b <= pairs(a),
    is: (v: Edges, a, b) => isGraph(a, v) && v.length === b && partsOf(a, v) <= 1,
    steps: (a, b) => 4 + a + 10 * b,
  },
  {
    text: 'planarGraph(a, b)',
    exists: (a, b) => a >= 0 && b >= 0 && b <= (a < 3 ? Math.max(0, a - 1) : 3 * a - 6),
    is: (v: Edges, a, b) => isGraph(a, v) && v.length === b && isThin(a, v) && (a > 7 || isPlanar(a, v)),
    steps: (a) => 4 + a + 30 * (a < 3 ? Math.max(0, a - 1) : 3 * a - 6),
  },
  {
    text: 'regularGraph(a, b)',
    exists: (a, b) => a >= 0 && b >= 0 && b < Math.max(1, a) && (a * b) % 2 === 0,
    is: (v: Edges, a, b) => isGraph(a, v) && degreesOf(a, v).every((degree) => degree === b),
    steps: (a, b) => 4 + a + 50 * a * b,
  },
]

/** Subgraphs of triangulations that grow within triangles lose a vertex of at most three neighbours again and again, and are planar. */
function isThin(n: number, edges: Edges): boolean {
  let left = [...edges]
  const present = new Set(Array.from({ length: n }, (_, i) => i + 1))
  while (present.size > 0) {
    const thin = [...present].find((v) => left.filter((edge) => edge.includes(v)).length <= 3)
    if (thin === undefined) return false
    present.delete(thin)
    left = left.filter((edge) => !edge.includes(thin))
  }
  return true
}

/** By Wagner's theorem: contracting edges gives neither five vertices that all meet nor three that all meet three others. */
function isPlanar(n: number, edges: Edges): boolean {
  const tried = new Set<string>()
  const search = (adjacency: readonly (readonly boolean[])[]): boolean => {
    const key = adjacency.map((row) => row.map(Number).join('')).join(' ')
    if (tried.has(key)) return true
    tried.add(key)
    if (hasForbidden(adjacency)) return false
    const size = adjacency.length
    for (let u = 0; u < size; u++)
      for (let v = u + 1; v < size; v++) if (adjacency[u]![v]! && !search(contracted(adjacency, u, v))) return false
    return true
  }
  return search(
    Array.from({ length: n }, (_, u) =>
      Array.from({ length: n }, (_, v) =>
        edges.some((edge) => edge.includes(u + 1) && edge.includes(v + 1) && u !== v),
      ),
    ),
  )
}

function contracted(adjacency: readonly (readonly boolean[])[], u: number, v: number): boolean[][] {
  const merged = adjacency.map((row, at) =>
    row.map((meets, to) => meets || (at === u && adjacency[v]![to]!) || (to === u && adjacency[v]![at]!)),
  )
  merged[u]![u] = false
  return merged.filter((_, at) => at !== v).map((row) => row.filter((_, to) => to !== v))
}

function hasForbidden(adjacency: readonly (readonly boolean[])[]): boolean {
  const meets = (u: number, v: number): boolean => adjacency[u]![v]!
  const all = adjacency.map((_, at) => at)
  const five = choicesOf(all, 5).some((some) => some.every((u) => some.every((v) => u === v || meets(u, v))))
  return (
    five ||
    choicesOf(all, 6).some((some) =>
      choicesOf(some, 3).some((left) => left.every((u) => some.every((v) => left.includes(v) || meets(u, v)))),
    )
  )
}

function choicesOf(all: readonly number[], count: number): readonly (readonly number[])[] {
  if (count === 0) return [[]]
  return all.flatMap((first, at) => choicesOf(all.slice(at + 1), count - 1).map((rest) => [first, ...rest]))
}

test('the test of planar graphs tells them apart', () => {
  const complete = (n: number): Edges =>
    choicesOf(
      Array.from({ length: n }, (_, i) => i + 1),
      2,
    ) as unknown as Edges
  const bipartite = [1, 2, 3].flatMap((u) => [4, 5, 6].map((v) => [u, v])) as unknown as Edges
  expect([isPlanar(4, complete(4)), isPlanar(5, complete(5)), isPlanar(6, bipartite)]).toEqual([true, false, false])
  // An edge of the complete graph with a vertex on it.
  const divided = [...complete(5).filter((edge) => !(edge.includes(1) && edge.includes(2))), [1, 6], [6, 2]]
  expect(isPlanar(6, divided as unknown as Edges)).toBe(false)
  expect([isThin(6, bipartite), isPlanar(5, complete(5).slice(1))]).toEqual([true, true])
})

const inputs = fc.tuple(
  fc.integer({ min: -1, max: 12 }),
  fc.integer({ min: -1, max: 18 }),
  fc.integer({ min: -1, max: 24 }),
  fc.array(fc.integer({ min: -2, max: 9 }), { maxLength: 9 }),
)

describe('each function that draws gives a value of its kind on 1000 random cases, for its steps and no fewer', () => {
  test.each(samples.map((sample) => [sample.text, sample] as const))('%s', (text, { is, exists, steps }) => {
    const { run, most } = drawing(text)
    fc.assert(
      fc.property(inputs, fc.integer({ min: 1, max: 2 ** 30 }), (given, seed) => {
        const { result, used } = run(given, xoroshiro(seed), 100_000)
        expect(result.ok).toBe(exists(...given))
        if (!result.ok) return
        expect((is as (...all: readonly unknown[]) => boolean)(result.value, ...given)).toBe(true)
        expect(used).toBe(steps(...given))
        expect(most(given)).toBeGreaterThanOrEqual(used)
        expect(run(given, xoroshiro(seed), used).result).toEqual(result)
        if (used > 0) expect(run(given, xoroshiro(seed), used - 1).result).toMatchObject({ ok: false, limit: true })
      }),
      { numRuns: 1000 },
    )
  })

  test('none is left out', () => {
    const tested = samples.map(({ text }) => text)
    expect(draws.filter(({ name }) => !tested.some((formula) => formula.startsWith(`${name}(`)))).toEqual([])
  })
})

describe('all values are equally probable, or as their weights say', () => {
  test.each<readonly [string, Readonly<Record<string, number>> | number]>([
    ['random(-2, 3)', 6],
    ['chance(1/3)', { true: 1, false: 2 }],
    ['choose([4, 5, 6, 7])', 4],
    ['choose([4, 5, 6], [1, 0, 3])', { 4: 1, 6: 3 }],
    ['shuffle([1, 2, 3])', 6],
    ['sample([1, 2, 3, 4], 2)', 12],
    ['pick(2, 5, 8)', 12],
    ['parts(6, 3)', 10],
    ['graph(4, 3)', 20],
    ['tree(4)', 16],
    ['connectedGraph(3, 2)', 3],
    ['regularGraph(4, 2)', 3],
  ])('%s', (text, expected) => {
    const { run } = drawing(text)
    const random = xoroshiro(7)
    const counts = new Map<string, number>()
    const total = 12_000
    for (let n = 0; n < total; n++) {
      const { result } = run([0, 0, 0, []], random, 10_000)
      if (!result.ok) throw new Error(result.message)
      const key = JSON.stringify(result.value)
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    const weights = typeof expected === 'number' ? new Array<number>(expected).fill(1) : Object.values(expected)
    const found =
      typeof expected === 'number' ? [...counts.values()] : Object.keys(expected).map((key) => counts.get(key) ?? 0)
    expect(counts.size).toBe(weights.length)
    const each = total / sum(weights)
    // Five standard deviations.
    for (const [i, count] of found.entries())
      expect(Math.abs(count - each * weights[i]!)).toBeLessThan(5 * Math.sqrt(each * weights[i]!))
  })
})

test('numbers are drawn as docs/language.md says: modulo, without the top of the stream that would be uneven', () => {
  const drawn = (text: string, words: readonly number[]): Value => {
    const left = [...words]
    const { result } = drawing(text).run([0, 0, 0, []], () => left.shift()!, 1000)
    if (!result.ok) throw new Error(result.message)
    expect(left).toEqual([])
    return result.value
  }
  expect(drawn('random(1, 6)', [20])).toBe(3)
  // 2^32 is 4 modulo 6, so the four topmost numbers are passed over.
  expect(drawn('random(1, 6)', [2 ** 32 - 1, 2 ** 32 - 4, 11])).toBe(6)
  expect(drawn('random(1, 6)', [2 ** 32 - 5])).toBe(6)
  expect(drawn('random(0, 4294967296)', [3 << 11, 5])).toBe((3 * 2 ** 32 + 5) % (2 ** 32 + 1))
  expect(drawn('[random(1, 6), random(1, 6)]', [1, 2])).toEqual([2, 3])
  expect(drawn('shuffle([1, 2, 3])', [0, 0])).toEqual([2, 3, 1])
})

test('a number too long for a draw, and graphs of more vertices than steps, are refused in a sentence', () => {
  const refused = (text: string): object => drawing(text).run([0, 0, 0, []], xoroshiro(1), 10_000_000).result
  for (const text of [
    'random(0, 9007199254740992 * 4)',
    'random(-9007199254740991, 9007199254740991)',
    'chance(1/3000000000000000000)',
    'pick(1, 0, 9007199254740992)',
    'graph(100000000, 1)',
    'choose([1, 2], [9007199254740991, 9007199254740991])',
  ])
    expect(refused(text)).toMatchObject({ ok: false, limit: false })
  for (const text of [
    'tree(60000000)',
    'graph(60000000, 0)',
    'pick(900000000, 1, 900000001)',
    'parts(9007199254740991, 9007199254740991)',
  ])
    expect(refused(text)).toMatchObject({ ok: false, limit: true })
})
