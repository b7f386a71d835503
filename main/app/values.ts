import { z } from 'zod'
import type { Values } from '../../grammars/values/index.ts'
import type { Json } from '../contract/json.ts'
import { Trouble } from '../contract/trouble.ts'
import { readTextFile } from './files.ts'
import { readJsonFile } from './json-file.ts'
import { placed, problemLine } from './problems.ts'

/** What a JSON file holds, whatever it is. Throws Trouble 'usage' with file, line and column when it is no JSON. */
export async function readAnyJson(file: string): Promise<Json> {
  return readJsonFile(file, z.custom<Json>())
}

/**
 * A value of a type, from a text file in the dictionary's own syntax, or from a .json file. Throws Trouble 'usage' with file,
 * line and column when it is no such value.
 */
export async function readValueFile(values: Values, type: string, file: string): Promise<Json> {
  if (file.toLowerCase().endsWith('.json')) return readJsonValueFile(values, type, file)
  knownType(values, type)
  const read = values.parse(await readTextFile(file), type)
  if (read.ok) return read.value
  throw new Trouble('usage', placed([read.problem], file).map(problemLine).join())
}

/** As `readValueFile`, of a JSON file whatever its name. */
export async function readJsonValueFile(values: Values, type: string, file: string): Promise<Json> {
  knownType(values, type)
  const schema = z.custom<Json>().superRefine((value, context) => {
    const fault = values.validate(value, type)
    if (fault !== null) context.addIssue({ code: 'custom', path: keysOf(fault.path), message: fault.message })
  })
  return readJsonFile(file, schema)
}

/** `constraints[3].weight` as the keys that lead there. */
function keysOf(path: string): (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([key, index]) => (index === undefined ? key : Number(index)))
}

function knownType(values: Values, type: string): void {
  const known = values.shape(type)
  if (!known.ok) throw new Trouble('usage', `--class ${type}: ${known.problem.message}`)
}
