import {
  exchanged,
  exchangeOf,
  type Exchange,
  type ImportedMaterial,
} from '../../../grammars/challenges/formats/index.ts'
import type { Challenge } from '../../../grammars/challenges/index.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { readOrThrow } from './challenge-files.ts'
import { readTextFile } from '../files/read-file.ts'
import { placeProblems, problemLine } from '../files/placed-problems.ts'
import { readValueFile } from './value-files.ts'

/** Raw material from a file in another program's format. */
export interface ImportedFile extends ImportedMaterial {
  readonly challenge: string
  /** In the challenge's own syntax. */
  readonly texts: { readonly predicate: string; readonly instance: string }
}

/**
 * `file`: DIMACS CNF or WCNF for max-sat, the course's format for max-csp. Throws ExpectedError 'usage' with the place
 * of the first problem.
 */
export async function importMaterial(challengeFile: string, data: string, file: string): Promise<ImportedFile> {
  const { challenge, exchange } = await exchangeFor(challengeFile, data)
  const read = exchange.read(await readTextFile(file))
  if (!read.ok)
    throw new ExpectedError('usage', 'value-invalid', placeProblems([read.problem], file).map(problemLine).join())
  const { material } = read
  const texts = {
    predicate: challenge.values.print(material.predicate, 'Predicate'),
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

async function exchangeFor(
  file: string,
  data: string,
): Promise<{ readonly challenge: Challenge; readonly exchange: Exchange }> {
  const challenge = await readOrThrow(file, data)
  const exchange = exchangeOf(challenge.name)
  if (exchange !== null) return { challenge, exchange }
  const known = exchanged.join(' and ')
  throw new ExpectedError(
    'usage',
    'format-unsupported',
    `No other format is known for ${challenge.name}; there are some for ${known}.`,
  )
}
