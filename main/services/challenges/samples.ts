import { createHash } from 'node:crypto'
import type { Challenge, Sampled } from '../../../grammars/challenges/index.ts'
import { toText } from '../../../grammars/formulas/numbers/fraction.ts'
import type { Json } from '../../contract/json.ts'
import { randomStream } from '../../contract/random.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { challengeConfigFrom, readOrThrow } from './challenge-files.ts'
import { readAnyJson, readValueFile } from './value-files.ts'

/** A random predicate with a matching instance and solution, as JSON and in the challenge's own syntax. */
export interface ChallengeSample {
  readonly predicate: Json
  /** Legal for the predicate. */
  readonly instance: Json
  /** Feasible for the instance. */
  readonly solution: Json
  /** The quality of the solution, exact, as p/q. */
  readonly quality: string
  readonly texts: { readonly predicate: string; readonly instance: string; readonly solution: string }
}

export interface SampleOptions {
  /** Any text; equal seeds give equal samples. Sample n does not depend on the count. */
  readonly seed: string
  readonly count: number
  /** A file with the predicate for all samples; if absent, each sample has its own. */
  readonly predicate?: string
  /** A JSON file with settings of the challenge. */
  readonly config?: string
}

/** Throws ExpectedError 'usage' if a file cannot be read, or if no sample satisfies the challenge's formulas. */
export async function* sampleChallenge(
  file: string,
  data: string,
  options: SampleOptions,
): AsyncGenerator<ChallengeSample> {
  const challenge = await readOrThrow(file, data)
  const config = challengeConfigFrom(
    challenge,
    options.config === undefined ? {} : await readAnyJson(options.config),
    options,
  )
  const fixed = options.predicate === undefined ? null : await readPredicate(challenge, config, options.predicate)
  for (let n = 0; n < options.count; n++) yield sampleOf(challenge, config, fixed, streamOf(options.seed, n), file)
}

/** The stream of sample n, counted from 0. */
export function streamOf(seed: string, n: number): () => number {
  const hash = createHash('sha256')
    .update(JSON.stringify([seed, n]))
    .digest('hex')
  return randomStream(hash)
}

/** A predicate from a file, in canonical form. */
export async function readPredicate(challenge: Challenge, config: Json, file: string): Promise<Json> {
  const checked = challenge.predicate(config, await readValueFile(challenge.values, 'Predicate', file))
  if (checked.ok) return checked.value
  throw new ExpectedError('usage', 'settings-invalid', `${file}: ${checked.error}`)
}

function sampleOf(
  challenge: Challenge,
  config: Json,
  fixed: Json | null,
  random: () => number,
  file: string,
): ChallengeSample {
  const made = (sampled: Sampled): Json => {
    if (sampled.ok) return sampled.value
    throw new ExpectedError('usage', 'evaluation-failed', `${file}: ${sampled.error}`)
  }
  const { sampler, values } = challenge
  const predicate = fixed ?? made(sampler.predicate(config, random))
  const instance = made(sampler.instance(config, predicate, random))
  const solution = made(sampler.solution(config, instance, random))
  const quality = challenge.quality(config, instance, solution)
  if (typeof quality === 'string') throw new ExpectedError('usage', 'evaluation-failed', `${file}: ${quality}`)
  const texts = {
    predicate: values.print(predicate, 'Predicate'),
    instance: values.print(instance, 'Instance'),
    solution: values.print(solution, 'Solution'),
  }
  return { predicate, instance, solution, quality: toText(quality), texts }
}
