import { createHash } from 'node:crypto'
import type { Values } from '../../../grammars/values/index.ts'
import type { Dialect } from '../../../grammars/class-dictionary/index.ts'
import type { Json } from '../../contract/json.ts'
import { randomStream } from '../../contract/random.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { valuesOf } from './dictionary-files.ts'
import { isJson, readValue, type ValueRead } from './value-files.ts'

/** A type of a dictionary's values. */
export interface TypeOf {
  /** A file. */
  readonly dictionary: string
  /** `Instance`, `List(int)`. */
  readonly type: string
  /** By default the dictionary's own, stated or found. */
  readonly dialect?: Dialect
}

/**
 * The value that a text file holds, or a .json file, or standard input for `-`. What is wrong with it comes back; throws
 * ExpectedError 'usage' where dictionary, type or file cannot be read.
 */
export async function parseWithDictionary(of: TypeOf, file: string): Promise<ValueRead> {
  return readValue(await valuesOf(of.dictionary, of.dialect), of.type, file, isJson(file) ? 'json' : 'text')
}

/** The text of the value that a JSON file holds; otherwise as `parseWithDictionary`. */
export async function printWithDictionary(
  of: TypeOf,
  file: string,
): Promise<{ readonly ok: true; readonly text: string } | Extract<ValueRead, { ok: false }>> {
  const values = await valuesOf(of.dictionary, of.dialect)
  const read = await readValue(values, of.type, file, 'json')
  if (!read.ok) return read
  const text = textOf(values, read.value, of.type)
  if (text === null) throw new ExpectedError('usage', `--class ${of.type}: its values have no text that could be read.`)
  return { ok: true, text }
}

/** A random value, and its text; null where a type has values but no text that could be read, such as a list of lists. */
export interface ValueSample {
  readonly value: Json
  readonly text: string | null
}

/**
 * Random values of a type; value n is the same whatever the count. `size`: about how many objects and lists each has.
 * Throws ExpectedError 'usage' where the dictionary cannot be read or the type has no values.
 */
export async function* sampleWithDictionary(
  of: TypeOf,
  options: { readonly seed: string; readonly count: number; readonly size?: number },
): AsyncGenerator<ValueSample> {
  const { seed, count, size } = options
  const values = await valuesOf(of.dictionary, of.dialect)
  for (let n = 0; n < count; n++) {
    const hash = createHash('sha256')
      .update(JSON.stringify([seed, n]))
      .digest('hex')
    const sampled = values.sample(of.type, randomStream(hash), size === undefined ? {} : { size })
    if (!sampled.ok) throw new ExpectedError('usage', `--class ${of.type}: ${sampled.problem.message}`)
    yield { value: sampled.value, text: textOf(values, sampled.value, of.type) }
  }
}

/** What students are given for a type: TypeScript declarations, or a JSON Schema. Throws ExpectedError 'usage' like the others. */
export async function typesOfDictionary(of: TypeOf): Promise<{ readonly typescript: string; readonly schema: Json }> {
  const values = await valuesOf(of.dictionary, of.dialect)
  const typescript = values.typescript(of.type)
  const schema = values.jsonSchema(of.type)
  if (!typescript.ok) throw new ExpectedError('usage', `--class ${of.type}: ${typescript.problem.message}`)
  if (!schema.ok) throw new ExpectedError('usage', `--class ${of.type}: ${schema.problem.message}`)
  return { typescript: typescript.text, schema: schema.schema }
}

/** null: the value is valid, and has no text that could be read. */
function textOf(values: Values, value: Json, type: string): string | null {
  try {
    return values.print(value, type)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}
