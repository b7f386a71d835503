import { expect, test } from 'vitest'
import type { Challenge, Sampled } from '../../../grammars/challenges/index.ts'
import { compare, fraction } from '../../../grammars/formulas/index.ts'
import type { Json } from '../../../grammars/json.ts'
import { accepted, challengeOf, sourceOf } from '../../unit/challenges/shipped.ts'

interface Numbers {
  readonly [setting: string]: number
}

/** A judge written without the language: the text of a challenge as loops over plain values. */
interface Reference<P, I, S> {
  /** Settings under which everything can be tried. */
  readonly small: Numbers
  legal(config: Numbers, predicate: P, instance: I): boolean
  feasible(config: Numbers, instance: I, solution: S): boolean
  /** Numerator and denominator. */
  quality(instance: I, solution: S): readonly [number, number]
  /** All solutions, or some with the best among them. */
  solutions(config: Numbers, instance: I): Iterable<S>
}

const whole = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)
const total = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
const within = (value: number, low: number, high: number): boolean => value >= low && value <= high

/** All lists of `length` numbers from 1 to `most`. */
function* words(length: number, most: number): Generator<number[]> {
  for (let code = 0; code < most ** length; code++) {
    yield whole(0, length - 1).map((place) => (Math.floor(code / most ** place) % most) + 1)
  }
}

interface Graph {
  readonly vertices: number
  readonly edges: readonly { readonly a: number; readonly b: number }[]
}

const colouring: Reference<{ gaps: number[] }, Graph, { colours: number[] }> = {
  small: { maxVertices: 6, maxEdges: 15 },
  legal({ maxVertices, maxEdges }, { gaps }, { vertices, edges }) {
    const seen = new Set<string>()
    for (const { a, b } of edges) {
      if (a < 1 || b > vertices || a >= b || !gaps.includes(b - a)) return false
      seen.add(`${a} ${b}`)
    }
    return within(vertices, 2, maxVertices!) && within(edges.length, 1, maxEdges!) && seen.size === edges.length
  },
  feasible: ({ colours: most }, { vertices }, { colours }) =>
    colours.length === vertices && colours.every((colour) => within(colour, 1, most!)),
  quality: ({ edges }, { colours }) => [
    edges.filter(({ a, b }) => colours[a - 1] !== colours[b - 1]).length,
    edges.length,
  ],
  *solutions({ colours: most }, { vertices }) {
    for (const colours of words(vertices, most!)) yield { colours }
  },
}

interface Groups {
  readonly sets: readonly { readonly cost: number; readonly members: readonly number[] }[]
}

const covering: Reference<{ sizes: number[] }, Groups, { chosen: number[] }> = {
  small: { maxSets: 8, maxMember: 6 },
  legal: ({ maxSets, maxMember, maxSize, maxCost }, { sizes }, { sets }) =>
    within(sets.length, 1, maxSets!) &&
    sets.every(
      ({ cost, members }) =>
        within(cost, 1, maxCost!) &&
        sizes.includes(members.length) &&
        members.length <= maxSize! &&
        new Set(members).size === members.length &&
        members.every((member) => within(member, 1, maxMember!)),
    ),
  feasible(_, { sets }, { chosen }) {
    if (new Set(chosen).size < chosen.length || !chosen.every((i) => within(i, 1, sets.length))) return false
    const covered = new Set(chosen.flatMap((i) => sets[i - 1]!.members))
    return sets.every(({ members }) => members.every((member) => covered.has(member)))
  },
  quality({ sets }, { chosen }) {
    // 2520 × 11 × 13 × ... is not needed: sizes are at most 5, so sixtieths are exact.
    let sixtieths = 0
    for (const member of new Set(sets.flatMap(({ members }) => members))) {
      const shares = sets
        .filter(({ members }) => members.includes(member))
        .map(({ cost, members }) => (60 * cost) / members.length)
      sixtieths += Math.min(...shares)
    }
    return [sixtieths, 60 * total(chosen.map((i) => sets[i - 1]!.cost))]
  },
  *solutions(_, { sets }) {
    for (const bits of words(sets.length, 2)) yield { chosen: bits.flatMap((bit, at) => (bit === 2 ? [at + 1] : [])) }
  },
}

interface Shop {
  readonly speeds: readonly number[]
  readonly jobs: readonly number[]
}

const scheduling: Reference<{ durations: number[] }, Shop, { machines: number[] }> = {
  small: { maxJobs: 6 },
  legal: ({ maxJobs, maxMachines, fastest }, { durations }, { speeds, jobs }) =>
    within(speeds.length, 1, maxMachines!) &&
    within(jobs.length, 1, maxJobs!) &&
    speeds.every((speed) => within(speed, 1, fastest!)) &&
    jobs.every((job) => durations.includes(job)),
  feasible: (_, { speeds, jobs }, { machines }) =>
    machines.length === jobs.length && machines.every((machine) => within(machine, 1, speeds.length)),
  quality({ speeds, jobs }, { machines }) {
    // Speeds are at most 3 and add up to at most 9: times in units of 1/2520 are exact.
    const work = speeds.map((_, machine) => total(jobs.filter((_job, at) => machines[at] === machine + 1)))
    const done = Math.max(...work.map((amount, machine) => (2520 * amount) / speeds[machine]!))
    return [Math.max((2520 * total(jobs)) / total(speeds), (2520 * Math.max(...jobs)) / Math.max(...speeds)), done]
  },
  *solutions(_, { speeds, jobs }) {
    for (const machines of words(jobs.length, speeds.length)) yield { machines }
  },
}

const partition: Reference<{ numbers: number[] }, { numbers: number[] }, { heaps: number[] }> = {
  small: { maxNumbers: 8, largest: 20 },
  legal: ({ maxNumbers }, predicate, { numbers }) =>
    within(numbers.length, 2, maxNumbers!) && numbers.every((number) => predicate.numbers.includes(number)),
  feasible: (_, { numbers }, { heaps }) =>
    heaps.length === numbers.length && heaps.every((heap) => heap === 1 || heap === 2),
  quality({ numbers }, { heaps }) {
    const left = total(numbers.filter((_, at) => heaps[at] === 1))
    const most = Math.max(...numbers)
    const apart = Math.max(total(numbers) % 2, most - (total(numbers) - most))
    return [1 + apart, 1 + Math.abs(total(numbers) - left - left)]
  },
  *solutions(_, { numbers }) {
    for (const heaps of words(numbers.length, 2)) yield { heaps }
  },
}

interface Strings {
  readonly a: readonly string[]
  readonly b: readonly string[]
}

const subsequence: Reference<{ letters: string[] }, Strings, { a: number[]; b: number[] }> = {
  small: { maxLength: 8, maxLetters: 3 },
  legal: ({ maxLength }, { letters }, { a, b }) =>
    [a, b].every((word) => within(word.length, 1, maxLength!) && word.every((letter) => letters.includes(letter))),
  feasible(_, instance, { a, b }) {
    if (a.length !== b.length) return false
    let [x, y] = [0, 0]
    for (const [at, i] of a.entries()) {
      const j = b[at]!
      if (i <= x || j <= y || i > instance.a.length || j > instance.b.length) return false
      if (instance.a[i - 1] !== instance.b[j - 1]) return false
      ;[x, y] = [i, j]
    }
    return true
  },
  quality({ a, b }, solution) {
    const left = [...b]
    let most = 0
    for (const letter of a) {
      const at = left.indexOf(letter)
      if (at < 0) continue
      left.splice(at, 1)
      most += 1
    }
    return [solution.a.length, most]
  },
  /** The best alone, by dynamic programming: nobody has to try all pairs of places. */
  *solutions(_, { a, b }) {
    const longest = whole(0, a.length).map(() => whole(0, b.length).map((): [number, number][] => []))
    for (const i of whole(1, a.length)) {
      for (const j of whole(1, b.length)) {
        const [up, left] = [longest[i - 1]![j]!, longest[i]![j - 1]!]
        const both: [number, number][] = a[i - 1] === b[j - 1] ? [...longest[i - 1]![j - 1]!, [i, j]] : []
        longest[i]![j] = [up, left, both].reduce((x, y) => (y.length > x.length ? y : x))
      }
    }
    const pairs = longest[a.length]![b.length]!
    yield { a: pairs.map(([i]) => i), b: pairs.map(([, j]) => j) }
  },
}

function numbersFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0
  }
}

/** The value with one leaf or one list changed: most are refused for a reason that is near. */
function changed(value: Json, random: () => number): Json {
  if (typeof value === 'number') return [value + 1, value - 1, 0, value * 2, 1][random() % 5]!
  if (typeof value === 'string') return ['a', 'b', 'c', 'z'][random() % 4]!
  if (Array.isArray(value)) {
    const list = value as readonly Json[]
    const at = random() % Math.max(1, list.length)
    if (list.length === 0 || random() % 4 === 0)
      return random() % 2 === 0 ? list.toSpliced(at, 1) : list.toSpliced(at, 0, ...list.slice(0, 1))
    if (random() % 5 === 0) return list.with(at, list[random() % list.length]!)
    return list.with(at, changed(list[at]!, random))
  }
  const fields = Object.entries(value as { readonly [label: string]: Json })
  const [label, old] = fields[random() % fields.length]!
  return { ...Object.fromEntries(fields), [label]: changed(old, random) }
}

function made(sampled: Sampled): Json {
  if (!sampled.ok) throw new Error(sampled.error)
  return sampled.value
}

function ratio(challenge: Challenge, config: Json, instance: Json, solution: Json) {
  const quality = challenge.quality(config, instance, solution)
  if (typeof quality === 'string') throw new Error(quality)
  return quality
}

const references = {
  'graph-colouring': colouring,
  'set-cover': covering,
  'job-scheduling': scheduling,
  'number-partition': partition,
  'longest-common-subsequence': subsequence,
} as unknown as Readonly<Record<string, Reference<Json, Json, Json>>>

test.each(Object.entries(references))('%s is judged as its reference judges it, in 200 cases', (name, reference) => {
  const challenge = challengeOf(sourceOf(name))
  const config = accepted(challenge.config({})).value
  const settings = config as Numbers
  const seen = { legal: 0, illegal: 0, feasible: 0, infeasible: 0 }
  for (let number = 0; number < 200; number++) {
    const random = numbersFrom(number)
    const predicate = made(challenge.sampler.predicate(config, random))
    const drawn = made(challenge.sampler.instance(config, predicate, random))
    const instance = number % 2 === 0 ? drawn : changed(drawn, random)
    const legal = reference.legal(settings, predicate, instance)
    expect([number, challenge.legal(config, predicate, instance) === null]).toEqual([number, legal])
    seen[legal ? 'legal' : 'illegal'] += 1
    const own = made(challenge.sampler.solution(config, drawn, random))
    const solution = number % 4 < 2 ? own : changed(own, random)
    const feasible = reference.feasible(settings, drawn, solution)
    expect([number, challenge.feasible(config, drawn, solution) === null]).toEqual([number, feasible])
    seen[feasible ? 'feasible' : 'infeasible'] += 1
    if (!feasible) continue
    const [n, d] = reference.quality(drawn, solution)
    const same = n === d ? fraction(1) : fraction(BigInt(Math.round(n)), BigInt(Math.round(d)))
    expect([number, compare(ratio(challenge, config, drawn, solution), same)]).toEqual([number, 0])
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(15)
})

test.each(Object.entries(references))(
  '%s: no solution exceeds the bound, and the best often does not reach it',
  (name, reference) => {
    const challenge = challengeOf(sourceOf(name))
    const config = accepted(challenge.config(reference.small)).value
    let tight = 0
    let loose = 0
    for (let seed = 0; seed < 40; seed++) {
      const random = numbersFrom(seed)
      const predicate = made(challenge.sampler.predicate(config, random))
      const instance = made(challenge.sampler.instance(config, predicate, random))
      let best = fraction(0)
      for (const solution of reference.solutions(config as Numbers, instance)) {
        if (!reference.feasible(config as Numbers, instance, solution)) continue
        const [n, d] = reference.quality(instance, solution)
        const quality = n === d ? fraction(1) : fraction(BigInt(Math.round(n)), BigInt(Math.round(d)))
        if (compare(quality, best) > 0) best = quality
      }
      expect(compare(best, fraction(1))).toBeLessThanOrEqual(0)
      if (compare(best, fraction(1)) === 0) tight += 1
      else loose += 1
    }
    expect(tight).toBeGreaterThan(0)
    expect(loose).toBeGreaterThan(0)
  },
)
