import { describe, expect, test } from 'vitest'
import { kinds, type Shape } from '../../../grammars/challenges/pictures/picture.ts'
import type { Json } from '../../../grammars/json.ts'
import { randomStream } from '../../../main/contract/random.ts'
import { accepted, challengeOf, sourceOf } from '../../unit/challenges/shipped.ts'

/** Sections of challenges that ship, written again in JavaScript: at least 1,000 random cases of each kind of section. */
const CASES = 200

interface Case {
  readonly config: { readonly [setting: string]: number }
  readonly instance: Json
  readonly solution: Json
}

function* casesOf(name: string, count: number): Generator<Case> {
  const challenge = challengeOf(sourceOf(name))
  const config = accepted(challenge.config({})).value
  const random = randomStream('3'.repeat(64))
  for (let number = 0; number < count; number++) {
    const predicate = challenge.sampler.predicate(config, random)
    if (!predicate.ok) throw new Error(predicate.error)
    const instance = challenge.sampler.instance(config, predicate.value, random)
    if (!instance.ok) throw new Error(instance.error)
    const solution = challenge.sampler.solution(config, instance.value, random)
    if (!solution.ok) throw new Error(solution.error)
    yield { config: config as Case['config'], instance: instance.value, solution: solution.value }
  }
}

function shape(word: Shape['word'], places: Shape['places'], looks: Partial<Shape> = {}): Shape {
  return { word, places, label: null, colour: 0, mark: false, ...looks }
}

interface Sack {
  readonly capacity: number
  readonly items: readonly { readonly weight: number; readonly worth: number }[]
}
interface Graph {
  readonly vertices: number
  readonly edges: readonly { readonly a: number; readonly b: number }[]
}
interface Jobs {
  readonly speeds: readonly number[]
  readonly jobs: readonly number[]
}
interface Words {
  readonly a: readonly string[]
  readonly b: readonly string[]
}
interface Relations {
  readonly variables: number
  readonly constraints: readonly {
    readonly weight: number
    readonly relation: number
    readonly variables: readonly number[]
  }[]
}

const holds = (relation: number, variables: readonly number[], values: readonly number[]): boolean => {
  const row = variables.reduce((sum, v) => 2 * sum + values[v - 1]!, 0)
  return Math.floor(relation / 2 ** row) % 2 === 1
}

interface Equations {
  readonly questions: readonly { readonly kind: { readonly $: string }; readonly a: number; readonly b: number }[]
}

/** By the kind: its text, and what x, in hundredths, is above the right side, in millionths. */
const equations: Readonly<Record<string, readonly [string, (x: bigint, a: bigint, b: bigint) => bigint]>> = {
  UnknownsAndCubes: ['x^3 + ax = b', (x, a, b) => x ** 3n + a * x * 10_000n - b * 1_000_000n],
  SquaresAndCubes: ['x^3 + ax^2 = b', (x, a, b) => x ** 3n + a * x ** 2n * 100n - b * 1_000_000n],
  CubesOfUnknowns: ['x^3 = ax + b', (x, a, b) => x ** 3n - a * x * 10_000n - b * 1_000_000n],
  CubesOfSquares: ['x^3 = ax^2 + b', (x, a, b) => x ** 3n - a * x ** 2n * 100n - b * 1_000_000n],
}

/** Every second answer becomes the root, rounded up to hundredths. */
function withRoots({ questions }: Equations, { answers }: { readonly answers: readonly number[] }): Json {
  const root = (at: number): number => {
    const { kind, a, b } = questions[at]!
    let [below, above] = [-1n, 20_000n]
    while (above - below > 1n) {
      const middle = (below + above) / 2n
      if (equations[kind.$]![1](middle, BigInt(a), BigInt(b)) < 0n) below = middle
      else above = middle
    }
    return Number(above) / 100
  }
  return { answers: answers.map((answer, at) => (at % 2 === 0 ? root(at) : answer)) }
}

type Draw = (instance: never, solution: never) => readonly Shape[]
const pictures: Readonly<Record<string, Draw>> = {
  knapsack: ({ items }: Sack, { packed }: { packed: readonly number[] }) =>
    items.map(({ weight, worth }, at) => shape('bar', [worth], { label: `${weight}`, mark: packed.includes(at + 1) })),
  'graph-colouring': ({ vertices, edges }: Graph, { colours }: { colours: readonly number[] }) => [
    ...Array.from({ length: vertices }, (_, at) => shape('node', [`${at + 1}`], { colour: colours[at]! })),
    ...edges.map(({ a, b }) => shape('edge', [`${a}`, `${b}`], { mark: colours[a - 1] === colours[b - 1] })),
  ],
  'job-scheduling': ({ speeds, jobs }: Jobs, { machines }: { machines: readonly number[] }) =>
    speeds.flatMap((speed, at) => {
      let done = 0
      return jobs.flatMap((job, j) => {
        if (machines[j] !== at + 1) return []
        const from = done
        done += job
        const look = { label: `${j + 1}`, colour: j + 1 }
        return [shape('bar', [`${at + 1}`, from / speed, done / speed], look)]
      })
    }),
  'longest-common-subsequence': ({ a, b }: Words, solution: { a: readonly number[]; b: readonly number[] }) => [
    ...a.map((label, at) => shape('letter', [1, at + 1], { label, mark: solution.a.includes(at + 1) })),
    ...b.map((label, at) => shape('letter', [2, at + 1], { label, mark: solution.b.includes(at + 1) })),
    ...solution.a.map((from, at) => shape('link', [from, solution.b[at]!])),
  ],
  'cubic-equations': ({ questions }: Equations, { answers }: { answers: readonly number[] }) => {
    const column = (place: number, label: (at: number) => string): readonly Shape[] =>
      questions.map((_, at) => shape('cell', [at + 1, place], { label: label(at) }))
    const answered = answers.map((answer, at) => {
      const { kind, a, b } = questions[at]!
      const excess = (x: bigint): bigint => equations[kind.$]![1](x, BigInt(a), BigInt(b))
      const x = BigInt(Math.round(answer * 100))
      const mark = excess(x > 1n ? x - 1n : 0n) <= 0n && excess(x + 1n) >= 0n
      return shape('cell', [at + 1, 4], { label: `${answer}`, mark })
    })
    return [
      ...['equation', 'a', 'b', 'answer'].map((label, at) => shape('cell', [0, at + 1], { label })),
      ...column(1, (at) => equations[questions[at]!.kind.$]![0]),
      ...column(2, (at) => `${questions[at]!.a}`),
      ...column(3, (at) => `${questions[at]!.b}`),
      ...answered,
    ]
  },
  // Each line of the section draws all of its shapes before the next one does.
  'max-csp': ({ constraints }: Relations, { values }: { values: readonly number[] }) => [
    ...constraints.map(({ relation, variables }, at) =>
      shape('cell', [at + 1, 0], { label: `${relation}`, mark: holds(relation, variables, values) }),
    ),
    ...constraints.flatMap(({ variables }, at) =>
      variables.map((v, place) => shape('cell', [at + 1, v], { label: `${place + 1}`, colour: 1 + values[v - 1]! })),
    ),
  ],
}

const drawnKinds = new Set<string>()
test.each(Object.keys(pictures))('the picture of %s has the shapes that JavaScript computes', (name) => {
  const challenge = challengeOf(sourceOf(name))
  let compared = 0
  let marked = 0
  for (const { config, instance, solution: random } of casesOf(name, CASES)) {
    const solution = name === 'cubic-equations' ? withRoots(instance as never, random as never) : random
    const drawn = challenge.picture!(config, instance, solution)
    if (!drawn.ok) throw new Error(drawn.error)
    const expected = (pictures[name] as (instance: Json, solution: Json) => readonly Shape[])(instance, solution)
    expect(drawn.picture).toEqual({ kind: drawn.picture.kind, shapes: expected, left: 0 })
    drawnKinds.add(drawn.picture.kind)
    compared += expected.length
    if (expected.some(({ mark }) => mark)) marked += 1
  }
  // Also what is marked seldom is compared; no bar of Gantt is.
  if (name !== 'job-scheduling') expect(marked).toBeGreaterThan(CASES / 4)
  expect(compared).toBeGreaterThan(2 * CASES)
})

test('every kind of picture is among them', () => {
  expect(drawnKinds).toEqual(new Set(Object.keys(kinds)))
})

const best = (values: readonly number[]): number => values.indexOf(Math.min(...values))

type Solve = (instance: never, config: Case['config']) => Json
const references: Readonly<Record<string, Solve>> = {
  knapsack: ({ capacity, items }: Sack) => {
    const order = items.map((item, at) => ({ ...item, at })).sort((a, b) => b.worth * a.weight - a.worth * b.weight)
    let left = capacity
    const packed = order.flatMap(({ weight, at }) => {
      if (weight > left) return []
      left -= weight
      return [at + 1]
    })
    return { packed }
  },
  'graph-colouring': ({ vertices, edges }: Graph, { colours: many }) => {
    const colours: number[] = []
    for (let v = 1; v <= vertices; v++) {
      const clashes = Array.from({ length: many! }, (_, colour) => {
        return edges.filter(({ a, b }) => b === v && colours[a - 1] === colour + 1).length
      })
      colours.push(best(clashes) + 1)
    }
    return { colours }
  },
  'job-scheduling': ({ speeds, jobs }: Jobs) => {
    const loads = speeds.map(() => 0)
    const machines = jobs.map((job) => {
      const machine = best(speeds.map((speed, at) => (loads[at]! + job) / speed))
      loads[machine]! += job
      return machine + 1
    })
    return { machines }
  },
  'max-csp': ({ variables, constraints }: Relations) => {
    const reached = (values: readonly number[]): number =>
      constraints.reduce((sum, one) => sum + (holds(one.relation, one.variables, values) ? one.weight : 0), 0)
    let values: readonly number[] = Array.from({ length: variables }, () => 0)
    for (let v = 0; v < variables; v++) {
      const other = values.with(v, 1 - values[v]!)
      if (reached(other) > reached(values)) values = other
    }
    return { values }
  },
}

describe('a greedy reference in formulas', () => {
  test.each(Object.keys(references))('of %s solves as JavaScript does', (name) => {
    const { how } = challengeOf(sourceOf(name)).references.find(({ kind }) => kind === 'greedy')!
    if (how.language !== 'formulas') throw new Error('It is written in JavaScript.')
    const answers = new Set<string>()
    for (const { config, instance } of casesOf(name, CASES + 50)) {
      const solved = how.solve(config, instance)
      if (!solved.ok) throw new Error(solved.error)
      expect(solved.solution).toEqual((references[name] as (instance: Json, config: Json) => Json)(instance, config))
      answers.add(JSON.stringify(solved.solution))
    }
    expect(answers.size).toBeGreaterThan(CASES / 4)
  })
})
