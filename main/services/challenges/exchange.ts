import {
  exchanged,
  formatNames,
  exchangeOf,
  type Exchange,
  type ImportedMaterial,
} from '../../../grammars/challenges/formats/index.ts'
import { writeMiniZinc, writeWcsp, type Challenge } from '../../../grammars/challenges/index.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Json } from '../../contract/json.ts'
import { challengeConfigFrom, readOrThrow } from './challenge-files.ts'
import { sampleChallenge } from './samples.ts'
import { readTextFile } from '../files/read-file.ts'
import { materialIn } from './instance-files.ts'
import { readAnyJson, readValueFile } from './value-files.ts'

/** Raw material from a file in another program's format. */
export interface ImportedFile extends ImportedMaterial {
  readonly challenge: string
  /** In the challenge's own syntax. */
  readonly texts: { readonly predicate: string | null; readonly instance: string }
}

/**
 * `file`: a text in the format that the challenge knows, such as DIMACS CNF for max-sat. Throws ExpectedError 'usage' with the place
 * of the first problem.
 */
export async function importMaterial(challengeFile: string, data: string, file: string): Promise<ImportedFile> {
  const { challenge, exchange } = await exchangeFor(challengeFile, data)
  const material = materialIn(exchange, await readTextFile(file), file)
  const texts = {
    predicate: material.predicate === null ? null : challenge.values.print(material.predicate, 'Predicate'),
    instance: challenge.values.print(material.instance, 'Instance'),
  }
  return { challenge: challenge.name, ...material, texts }
}

/** Converts raw material to another program's format. Throws ExpectedError 'usage' if that is not possible. */
export async function exportMaterial(
  challengeFile: string,
  data: string,
  file: string,
  format?: string,
): Promise<{ readonly format: string; readonly text: string }> {
  const { challenge, exchange } = await exchangeFor(challengeFile, data)
  const instance = await readValueFile(challenge.values, 'Instance', file)
  const written = exchange.write(instance, format)
  if (!written.ok) throw new ExpectedError('usage', 'format-unsupported', written.error)
  return { format: written.format, text: written.text }
}

/** The challenges whose raw material has the format of another program. */
export const exchangedChallenges: readonly string[] = exchanged

/** The languages of solvers. */
export const solverLanguages = ['wcsp', 'minizinc'] as const
export type SolverLanguage = (typeof solverLanguages)[number]

export interface ModelOptions {
  readonly to: SolverLanguage
  /** A file with the instance; absent: the first one that a seed gives. */
  readonly instance?: string
  readonly seed: string
  /** A JSON file with settings of the challenge. */
  readonly config?: string
}

/**
 * The problem of solving an instance as well as possible, for an exact solver. Works for any challenge whose declaration allows it;
 * otherwise throws ExpectedError 'usage' with one sentence that says why not.
 */
export async function exportModel(
  challengeFile: string,
  data: string,
  { to, instance: file, seed, config: configFile }: ModelOptions,
): Promise<{
  readonly format: SolverLanguage
  readonly text: string
  readonly notes: readonly string[]
  readonly instance: string
}> {
  const challenge = await readOrThrow(challengeFile, data)
  const named = configFile === undefined ? {} : { config: configFile }
  const config = challengeConfigFrom(challenge, configFile === undefined ? {} : await readAnyJson(configFile), named)
  const instance = file === undefined ? await sampled() : await readValueFile(challenge.values, 'Instance', file)
  const illegal = challenge.legalAtAll(config, instance)
  if (illegal !== null) throw refused(`The raw material is not legal with these settings. ${illegal}`)
  const modelled = challenge.model(config, instance)
  if (!modelled.ok) throw refused(modelled.error)
  const text = challenge.values.print(instance, 'Instance')
  const { model } = modelled
  if (to === 'minizinc') return { format: to, text: writeMiniZinc(model), notes: [], instance: text }
  const written = writeWcsp(model)
  if (!written.ok) throw refused(written.error)
  return { format: to, text: written.text, notes: written.notes, instance: text }

  async function sampled(): Promise<Json> {
    const first = await sampleChallenge(challengeFile, data, { ...named, seed, count: 1 }).next()
    if (first.done === true) throw refused('Nothing was sampled.')
    return first.value.instance
  }
  function refused(reason: string): ExpectedError {
    return new ExpectedError('usage', 'format-unsupported', `${challenge.name}: ${reason}`)
  }
}

async function exchangeFor(
  file: string,
  data: string,
): Promise<{ readonly challenge: Challenge; readonly exchange: Exchange }> {
  const challenge = await readOrThrow(file, data)
  const exchange = exchangeOf(challenge)
  if (exchange !== null) return { challenge, exchange }
  throw new ExpectedError(
    'usage',
    'format-unsupported',
    `No other format is known for ${challenge.name}: name one in its file, as in "format ${formatNames[0]}"; ${exchanged.join(', ')} have one.`,
  )
}
