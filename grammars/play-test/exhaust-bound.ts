import { toNumber, toText } from '../formulas/index.ts'
import type { Json } from '../json.ts'
import { climbFrom } from './climb-solutions.ts'
import type { JudgedSolution, Piece } from './draw-pieces.ts'
import type { BoundTest, Counterexample } from './report.ts'
import type { Amounts, Tools } from './tools.ts'

/** Whole settings take these values where their ranges permit, to make small instances. */
const SIZES = [2, 3, 4, 5, 6]

/** Attempts for a small instance, and random solutions of one whose solutions cannot be enumerated. */
const ATTEMPTS = 4
const RANDOM = 40

/** Variations of the best solution of a small instance: what its property cannot make may also be feasible. */
const VARIATIONS = 60

/**
 * Looks for solutions that are better than the bound: on small instances all that the property of solutions can make, and
 * variations of the best. `pieces`: instances of usual size, whose judged solutions are looked through.
 */
export function testBound(tools: Tools, { small, ways }: Amounts, pieces: readonly Piece[]): BoundTest {
  for (const { predicate, instance, solutions } of pieces) {
    const beyond = solutions.find(({ judgement }) => judgement.kind === 'outside')
    if (beyond !== undefined) {
      const counterexample = counterexampleOf(tools, predicate, instance, beyond)
      return { instances: 0, solutions: 0, reached: null, counterexample }
    }
  }
  let [instances, tried, sum] = [0, 0, 0]
  let counterexample: Counterexample | null = null
  for (let n = 0; n < small && counterexample === null && !tools.isOver(); n++) {
    const config = smallConfig(tools, SIZES[n % SIZES.length]!)
    const found = config === null ? null : smallPiece({ ...tools, config }, ways)
    if (config === null || found === null) continue
    const { predicate, instance, solutions, all } = found
    const judged = solutions.map((solution) => {
      return { solution, judgement: tools.challenge.judgement(config, instance, solution) }
    })
    tried += judged.length
    const best = climbFrom({ ...tools, config }, instance, judged, VARIATIONS)
    if (best?.judgement.kind === 'outside') counterexample = counterexampleOf(tools, predicate, instance, best)
    else if (all && best?.judgement.kind === 'rated') {
      instances += 1
      sum += toNumber(best.judgement.rating.quality)
    }
  }
  return { instances, solutions: tried, reached: instances === 0 ? null : sum / instances, counterexample }
}

/** The settings with each whole one near `size`; null: the challenge refuses them. */
function smallConfig({ challenge, config }: Tools, size: number): Json | null {
  let settings = config as { readonly [name: string]: Json }
  for (const [name, value] of Object.entries(settings)) {
    if (typeof value !== 'number' || !Number.isInteger(value) || value <= size) continue
    // A setting may begin above this size: then a little more is tried.
    for (const reduced of [size, 2 * size, 4 * size]) {
      const checked = challenge.config({ ...settings, [name]: reduced })
      if (!checked.ok || reduced >= value) continue
      settings = checked.value as typeof settings
      break
    }
  }
  const checked = challenge.config(settings)
  return checked.ok ? checked.value : null
}

/** A small instance with all its solutions, or with random ones if they cannot be enumerated. */
function smallPiece(
  { challenge, config, random }: Tools,
  ways: number,
): {
  readonly predicate: Json
  readonly instance: Json
  readonly solutions: readonly Json[]
  readonly all: boolean
} | null {
  const { sampler } = challenge
  const drawn = firstOf(() => sampler.once('predicate', [config], random))
  const checked = drawn === null ? null : challenge.predicate(config, drawn)
  if (checked?.ok !== true) return null
  const predicate = checked.value
  const instance = firstOf(() => sampler.once('instance', [config, predicate], random))
  if (instance === null) return null
  const every = sampler.everySolution(config, instance, ways)
  if (every !== null && every.length > 0) return { predicate, instance, solutions: every, all: true }
  const solutions: Json[] = []
  for (let tried = 0; tried < RANDOM; tried++) {
    const made = sampler.once('solution', [config, null, instance], random)
    if (made.ok) solutions.push(made.value)
  }
  return { predicate, instance, solutions, all: false }
}

function firstOf(make: () => { readonly ok: true; readonly value: Json } | { readonly ok: false }): Json | null {
  for (let tried = 0; tried < ATTEMPTS; tried++) {
    const made = make()
    if (made.ok) return made.value
  }
  return null
}

/** A solution beyond its bound, in text. */
export function counterexampleOf(
  { challenge: { values } }: Tools,
  predicate: Json,
  instance: Json,
  { solution, judgement }: JudgedSolution,
): Counterexample | null {
  if (judgement.kind !== 'outside') return null
  return {
    predicate: values.print(predicate, 'Predicate').trim(),
    instance: values.print(instance, 'Instance').trim(),
    solution: values.print(solution, 'Solution').trim(),
    measure: toText(judgement.measure),
    bound: toText(judgement.bound),
  }
}
