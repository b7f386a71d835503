import { basename } from 'node:path'
import {
  exchangeOf,
  type BestKnown,
  type Exchange,
  type ImportedMaterial,
} from '../../../grammars/challenges/formats/index.ts'
import type { Challenge } from '../../../grammars/challenges/index.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Json } from '../../contract/json.ts'
import { placeProblems, problemLine } from '../files/placed-problems.ts'
import { readTextInput } from '../files/read-file.ts'
import { isJson, valueIn } from './value-files.ts'

/** Raw material of a challenge. `material`: null if the file is in the challenge's own syntax or JSON. */
export interface InstanceFile {
  readonly instance: Json
  readonly material: ImportedMaterial | null
}

/**
 * Reads raw material in the challenge's own syntax, in JSON, or in another program's format. `file`: `-` is standard input. Throws
 * ExpectedError 'usage' with the place of the first problem.
 */
export async function readInstanceFile(challenge: Challenge, file: string): Promise<InstanceFile> {
  const text = await readTextInput(file)
  const own = valueIn(challenge.values, 'Instance', text, file, isJson(file) ? 'json' : 'either')
  if (own.ok) return { instance: own.value, material: null }
  const exchange = exchangeOf(challenge)
  if (exchange === null || isJson(file)) throw new ExpectedError('usage', 'value-invalid', problemLine(own))
  const read = exchange.read(text, basename(file))
  if (read.ok) return { instance: read.material.instance, material: read.material }
  // A challenge's own text begins with a word; other formats begin with lines of one letter, numbers or words in capitals.
  const problem = /^\s*(\{|[a-z]{2})/.test(text) ? own : placeProblems([read.problem], file)[0]!
  throw new ExpectedError('usage', 'value-invalid', problemLine(problem))
}

/** Reads raw material in another program's format. Throws ExpectedError 'usage' with the place of the first problem. */
export function materialIn(exchange: Exchange, text: string, file: string): ImportedMaterial {
  const read = exchange.read(text, basename(file))
  if (read.ok) return read.material
  throw new ExpectedError('usage', 'value-invalid', placeProblems([read.problem], file).map(problemLine).join())
}

/** One sentence for people; `measure`: that of the solution beside which it stands, rounded. */
export function bestKnownSentence({ name, measure: best }: BestKnown, measure: number | null): string {
  return `measure ${String(measure)}, best known ${best} (${name})`
}
