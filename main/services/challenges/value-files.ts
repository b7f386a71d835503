import { z } from 'zod'
import type { Values } from '../../../grammars/values/index.ts'
import { readJsonText } from '../../contract/json-text.ts'
import type { Json } from '../../contract/json.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { readTextInput } from '../files/read-file.ts'
import { readJsonFile } from '../files/json-file.ts'
import { placeProblems, problemLine, type PlacedProblem } from '../files/placed-problems.ts'

/** A value, or what is wrong with its text. */
export type ValueRead = { readonly ok: true; readonly value: Json } | ({ readonly ok: false } & PlacedProblem)

/** Deeper than any value may be: the reader of values has its own limit, and does not recurse. */
const DEEPEST = 1_000_000

/** What a JSON file holds, whatever it is. Throws ExpectedError 'usage' with file, line and column when it is no JSON. */
export async function readAnyJson(file: string): Promise<Json> {
  return readJsonFile(file, z.custom<Json>())
}

/**
 * A value of a type, from a file in the dictionary's own syntax or in JSON; `-` is standard input. Throws ExpectedError 'usage'
 * when the file cannot be read or there is no such type.
 */
export async function readValue(
  values: Values,
  type: string,
  file: string,
  format: 'text' | 'json' | 'either',
): Promise<ValueRead> {
  const known = values.shape(type)
  if (!known.ok) throw new ExpectedError('usage', `--class ${type}: ${known.problem.message}`)
  return valueIn(values, type, await readTextInput(file), file, format)
}

/** As `readValue`, of a text that was read from the file. */
export function valueIn(
  values: Values,
  type: string,
  text: string,
  file: string,
  format: 'text' | 'json' | 'either',
): ValueRead {
  if (format !== 'json') {
    const read = values.parse(text, type)
    if (read.ok) return read
    // Nothing but JSON begins so, as far as people are concerned.
    if (format === 'text' || !/^\s*\{\s*"/.test(text)) return { ok: false, ...placeProblems([read.problem], file)[0]! }
  }
  const schema = z.custom<Json>().superRefine((value, context) => {
    const fault = values.validate(value, type)
    if (fault !== null) context.addIssue({ code: 'custom', path: keysOf(fault.path), message: fault.message })
  })
  const read = readJsonText(text, schema, DEEPEST)
  return read.ok ? read : { file, ...read }
}

/**
 * A value of a type, from a file in the dictionary's own syntax or in JSON, whatever its name. Throws ExpectedError 'usage' with
 * file, line and column when it is no such value.
 */
export async function readValueFile(values: Values, type: string, file: string): Promise<Json> {
  return orTrouble(await readValue(values, type, file, isJson(file) ? 'json' : 'either'))
}

/** As `readValueFile`, of a JSON file whatever its name. */
export async function readJsonValueFile(values: Values, type: string, file: string): Promise<Json> {
  return orTrouble(await readValue(values, type, file, 'json'))
}

/** Is it JSON by its name? */
export function isJson(file: string): boolean {
  return file.toLowerCase().endsWith('.json')
}

function orTrouble(read: ValueRead): Json {
  if (read.ok) return read.value
  throw new ExpectedError('usage', problemLine(read))
}

/** `constraints[3].weight` as the keys that lead there. */
function keysOf(path: string): (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([key, index]) => (index === undefined ? key : Number(index)))
}
