import * as z from 'zod'
import type { Values } from '../../../grammars/values/index.ts'
import { readJsonText } from '../../contract/json-text.ts'
import type { Json } from '../../contract/json.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { readTextInput, readJsonFile } from '../files/read-file.ts'
import { placeProblems, problemLine, type PlacedProblem } from '../files/placed-problems.ts'

/** A value, or the problem with its text. */
export type ValueRead = { readonly ok: true; readonly value: Json } | ({ readonly ok: false } & PlacedProblem)

/** Deeper than any value may be. The reader of values has its own limit and does not recurse. */
const DEEPEST = 1_000_000

/** Reads any JSON file. Throws ExpectedError 'usage' with file, line and column if it is not JSON. */
export async function readAnyJson(file: string): Promise<Json> {
  return readJsonFile(file, z.custom<Json>())
}

/**
 * Reads a value of a type from a file in the dictionary's syntax or in JSON; `-` is standard input. Throws
 * ExpectedError 'usage' if the file cannot be read or there is no such type.
 */
export async function readValue(
  values: Values,
  type: string,
  file: string,
  format: 'text' | 'json' | 'either',
): Promise<ValueRead> {
  const known = values.shape(type)
  if (!known.ok) throw new ExpectedError('usage', 'value-class-unsuitable', `--class ${type}: ${known.problem.message}`)
  return valueIn(values, type, await readTextInput(file), file, format)
}

/** Like `readValue`, for a text that was read from the file. */
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
    // A text that begins like this is meant to be JSON.
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
 * Reads a value of a type from a file in the dictionary's syntax or in JSON, whatever the file's name. Throws
 * ExpectedError 'usage' with file, line and column if it is not such a value.
 */
export async function readValueFile(values: Values, type: string, file: string): Promise<Json> {
  return valueOrThrow(await readValue(values, type, file, isJson(file) ? 'json' : 'either'))
}

/** Like `readValueFile`, for a JSON file of any name. */
export async function readJsonValueFile(values: Values, type: string, file: string): Promise<Json> {
  return valueOrThrow(await readValue(values, type, file, 'json'))
}

/** True for a file that is JSON according to its name. */
export function isJson(file: string): boolean {
  return file.toLowerCase().endsWith('.json')
}

function valueOrThrow(read: ValueRead): Json {
  if (read.ok) return read.value
  throw new ExpectedError('usage', 'value-invalid', problemLine(read))
}

/** Converts a path such as `constraints[3].weight` to its keys. */
function keysOf(path: string): (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([key, index]) => (index === undefined ? key : Number(index)))
}
