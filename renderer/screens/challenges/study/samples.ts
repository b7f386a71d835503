import { readChallenge, type Challenge, type Sampled } from '../../../../grammars/challenges/index.ts'
import { compare, toNumber, toText, type Fraction } from '../../../../grammars/formulas/fraction.ts'
import type { Json } from '../../../../grammars/json.ts'
import { randomStream } from '../../../../main/contract/random.ts'
import type { Answer, Rated, Sample, Wanted } from './messages.ts'
import { poolOf, varied } from './improve.ts'

/** Of the solutions that are looked at, so many are random; the others are made from the best one. */
const RANDOM_PART = 0.25

/** After every so many solutions it is told how far it is. */
const TOLD = 50

/** A sample could not be made; the message says why. */
class NoSample extends Error {}

type HashOf = (text: string) => Promise<string>

/**
 * Samples of a challenge with its default settings, one after the other, each as soon as it is there. The same for the same
 * text, seed and effort, whatever the count. `hashOf`: SHA-256 of a text, in hexadecimal digits.
 */
export async function* samples(source: string, wanted: Wanted, hashOf: HashOf): AsyncGenerator<Answer> {
  let failure: string | null = null
  try {
    yield* made(source, wanted, hashOf)
  } catch (error) {
    if (!(error instanceof NoSample)) throw error
    failure = error.message
  }
  yield { kind: 'ended', failure }
}

async function* made(source: string, { seed, count, effort }: Wanted, hashOf: HashOf): AsyncGenerator<Answer> {
  const { challenge } = readChallenge(source)
  if (challenge === null) throw new NoSample('The file has errors; mend them first.')
  const config = challenge.config({})
  if (!config.ok) throw new NoSample(config.error)
  for (let n = 0; n < count; n++) {
    const random = randomStream(await hashOf(JSON.stringify([seed, n])))
    for (const step of sample(challenge, config.value, effort, random)) {
      if (typeof step === 'number') yield { kind: 'part', part: (n + step) / count }
      else yield { kind: 'sampled', sample: step }
    }
  }
}

interface Found {
  readonly solution: Json
  readonly quality: Fraction
}

/** How far it is, 0 to 1, from time to time; then the sample. */
function* sample(challenge: Challenge, config: Json, effort: number, random: () => number): Generator<number | Sample> {
  const { sampler, values } = challenge
  const predicate = valueOf(sampler.predicate(config, random))
  const instance = valueOf(sampler.instance(config, predicate, random))
  const first = rated(challenge, config, instance, valueOf(sampler.solution(config, instance, random)))
  let best = first
  const some = [first.solution]
  const tries = Math.max(1, Math.round(effort * RANDOM_PART))
  for (let i = 1; i < tries; i++) {
    const solution = sampler.solution(config, instance, random)
    if (!solution.ok) break
    some.push(solution.value)
    best = better(rated(challenge, config, instance, solution.value), best)
    if (i % TOLD === 0) yield i / effort
  }
  const shape = values.shape('Solution')
  if (shape.ok) {
    const pool = poolOf(some, shape.shape)
    for (let i = tries; i < effort && !isPerfect(best); i++) {
      const solution = varied(best.solution, shape.shape, pool, random)
      if (challenge.feasible(config, instance, solution) === null) {
        best = notWorse(rated(challenge, config, instance, solution), best)
      }
      if (i % TOLD === 0) yield i / effort
    }
  }
  yield {
    predicate: values.print(predicate, 'Predicate').trim(),
    instance: values.print(instance, 'Instance').trim(),
    random: shown(challenge, first),
    best: shown(challenge, best),
  }
}

function valueOf(sampled: Sampled): Json {
  if (sampled.ok) return sampled.value
  throw new NoSample(sampled.error)
}

function rated(challenge: Challenge, config: Json, instance: Json, solution: Json): Found {
  const quality = challenge.quality(config, instance, solution)
  if (typeof quality === 'string') throw new NoSample(quality)
  return { solution, quality }
}

function better(one: Found, other: Found): Found {
  return compare(one.quality, other.quality) > 0 ? one : other
}

/** Among equals the newer one: the search does not stay where it is on a plain. */
function notWorse(one: Found, other: Found): Found {
  return compare(one.quality, other.quality) >= 0 ? one : other
}

function isPerfect({ quality }: Found): boolean {
  return quality.n >= quality.d
}

function shown({ values }: Challenge, { solution, quality }: Found): Rated {
  return { solution: values.print(solution, 'Solution').trim(), quality: toText(quality), number: toNumber(quality) }
}
