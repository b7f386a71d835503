import { readChallenge, type Challenge } from '../../grammars/challenges/index.ts'
import { toNumber, toText } from '../../grammars/formulas/numbers/fraction.ts'
import type { Json } from '../../grammars/json.ts'
import { randomStream } from '../../main/contract/random.ts'
import type { WorkerReply, Rated, Sample, Wanted } from './messages.ts'
import { NoSample, search, valueOf, type FoundSolution } from './search.ts'

/** The number of random solutions among those tried; the others are variations of the best. */
const RANDOM_PART = 0.25

type HashOf = (text: string) => Promise<string>

/**
 * Yields samples of a challenge with its default settings. They depend on text, seed and effort only, not on the count.
 * `hashOf`: SHA-256 of a text, in hexadecimal digits.
 */
export async function* samples(source: string, wanted: Wanted, hashOf: HashOf): AsyncGenerator<WorkerReply> {
  let failure: string | null = null
  try {
    yield* made(source, wanted, hashOf)
  } catch (error) {
    if (!(error instanceof NoSample)) throw error
    failure = error.message
  }
  yield { kind: 'ended', failure }
}

async function* made(
  source: string,
  { seed, count, effort, parameters }: Wanted,
  hashOf: HashOf,
): AsyncGenerator<WorkerReply> {
  const { challenge } = readChallenge(source)
  if (challenge === null) throw new NoSample('The file has errors; fix them first.')
  const config = challenge.config({})
  if (!config.ok) throw new NoSample(config.error)
  for (let n = 0; n < count; n++) {
    const random = randomStream(await hashOf(JSON.stringify([seed, n])))
    for (const step of sample(challenge, config.value, { effort, parameters }, random)) {
      if (typeof step === 'number') yield { kind: 'part', part: (n + step) / count }
      else yield { kind: 'sampled', sample: step }
    }
  }
}

/** Yields the progress, 0 to 1, from time to time; then the sample. */
function* sample(
  challenge: Challenge,
  config: Json,
  { effort, parameters }: Pick<Wanted, 'effort' | 'parameters'>,
  random: () => number,
): Generator<number | Sample> {
  const { sampler, values } = challenge
  const predicate = valueOf(sampler.predicate(config, random))
  const instance =
    parameters === null
      ? valueOf(sampler.instance(config, predicate, random))
      : generated(challenge, config, predicate, parameters, random)
  const tries = Math.max(1, Math.round(effort * RANDOM_PART))
  const looking = search(challenge, config, instance, { tries, all: effort }, random)
  let step = looking.next()
  for (; step.done !== true; step = looking.next()) yield step.value.looked / effort
  const { first, best } = step.value
  const drawn = challenge.picture?.(config, instance, best.solution)
  yield {
    predicate: values.print(predicate, 'Predicate').trim(),
    instance: values.print(instance, 'Instance').trim(),
    random: shown(challenge, first),
    best: shown(challenge, best),
    picture: drawn?.ok === true ? drawn.picture : null,
  }
}

/** Raw material of the generator. Its planted solution goes no further: a person who sees samples may have to solve them. */
function generated(
  { generator }: Challenge,
  config: Json,
  predicate: Json,
  parameters: Json,
  random: () => number,
): Json {
  if (generator === null) throw new NoSample('The file has no section "generate".')
  const settings = generator.settings(parameters)
  if (!settings.ok) throw new NoSample(settings.error)
  const made = generator.make(config, predicate, settings.value, random)
  if (!made.ok) throw new NoSample(made.error)
  return made.instance
}

function shown({ values }: Challenge, { solution, quality }: FoundSolution): Rated {
  return { solution: values.print(solution, 'Solution').trim(), quality: toText(quality), number: toNumber(quality) }
}
