import type { Generator } from '../../../grammars/challenges/generators/generator.ts'
import { toText } from '../../../grammars/formulas/numbers/fraction.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Json } from '../../contract/json.ts'
import { challengeConfigFrom, readOrThrow } from './challenge-files.ts'
import { readPredicate, streamOf } from './samples.ts'
import { readAnyJson } from './value-files.ts'

/** Raw material that the generator of a challenge has made, as JSON and in the challenge's own syntax. */
export interface GeneratedSample {
  readonly predicate: Json
  readonly instance: Json
  /** The parameters of the generator. */
  readonly parameters: Json
  /** Absent unless it is asked for. null: the generator plants none. `quality`: exact, as p/q. */
  readonly planted?: { readonly solution: Json; readonly quality: string } | null
  readonly texts: { readonly predicate: string; readonly instance: string; readonly planted?: string }
}

interface GeneratedOptions {
  /** Any text; equal seeds give equal samples. Sample n does not depend on the count. */
  readonly seed: string
  readonly count: number
  /** A file with the predicate for all samples; absent: each has a random one. */
  readonly predicate?: string
  /** A JSON file with settings of the challenge. */
  readonly config?: string
  /** Parameters of the generator, each as `name=value`. */
  readonly set: readonly string[]
  readonly withPlanted: boolean
}

/**
 * Throws ExpectedError 'usage': for wrong files and parameters, for a challenge without a generator, and if the generator is
 * at fault, with the code of its fault.
 */
export async function* generateFromChallenge(
  file: string,
  data: string,
  options: GeneratedOptions,
): AsyncGenerator<GeneratedSample> {
  const challenge = await readOrThrow(file, data)
  const { generator, sampler, values } = challenge
  if (generator === null) {
    const text = `${file} has no section "generate". Leave out --from generate, or write one.`
    throw new ExpectedError('usage', 'generator-missing', text)
  }
  const given = options.config === undefined ? {} : await readAnyJson(options.config)
  const config = challengeConfigFrom(challenge, given, options)
  const fixed = options.predicate === undefined ? null : await readPredicate(challenge, config, options.predicate)
  const parameters = parametersFrom(generator, options.set)
  for (let n = 0; n < options.count; n++) {
    const random = streamOf(options.seed, n)
    const drawn = fixed === null ? sampler.predicate(config, random) : { ok: true as const, value: fixed }
    if (!drawn.ok) throw new ExpectedError('usage', 'evaluation-failed', `${file}: ${drawn.error}`)
    const made = generator.make(config, drawn.value, parameters, random)
    if (!made.ok) throw new ExpectedError('usage', made.code, `${file}: ${made.error}`)
    const { instance, planted } = made
    const texts = {
      predicate: values.print(drawn.value, 'Predicate'),
      instance: values.print(instance, 'Instance'),
    }
    const sample = { predicate: drawn.value, instance, parameters, texts }
    if (!options.withPlanted) yield sample
    else if (planted === null) yield { ...sample, planted }
    else {
      const shown = { solution: planted.solution, quality: toText(planted.quality) }
      yield { ...sample, planted: shown, texts: { ...texts, planted: values.print(planted.solution, 'Solution') } }
    }
  }
}

function parametersFrom(generator: Generator, set: readonly string[]): Json {
  const given = set.map((one): readonly [string, Json] => {
    const [name = '', value = '', more] = one.split('=')
    if (name === '' || value.trim() === '' || more !== undefined || !Number.isFinite(Number(value))) {
      const text = `--set takes name=value with a number, such as --set size=50, not ${JSON.stringify(one)}.`
      throw new ExpectedError('usage', 'input-invalid', text)
    }
    return [name, Number(value)]
  })
  const twice = given.find(([name], at) => given.findIndex(([other]) => other === name) !== at)
  if (twice !== undefined) {
    throw new ExpectedError('usage', 'input-invalid', `--set gives the parameter ${JSON.stringify(twice[0])} twice.`)
  }
  const settled = generator.settings(Object.fromEntries(given))
  if (settled.ok) return settled.value
  throw new ExpectedError('usage', 'settings-invalid', settled.error)
}
