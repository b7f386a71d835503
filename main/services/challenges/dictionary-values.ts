import type { JsonSchema } from '../../../grammars/values/json-schema.ts'
import { createHash } from 'node:crypto'
import type { Values } from '../../../grammars/values/index.ts'
import type { Json } from '../../contract/json.ts'
import { randomStream } from '../../contract/random.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { valuesOf, type DictionaryOptions } from './dictionary-files.ts'
import { isJson, readValue, type ValueRead } from './value-files.ts'

/** A type of values and the dictionary that defines it. */
export interface TypeOf extends DictionaryOptions {
  /** The dictionary's file. */
  readonly dictionary: string
  /** `Instance`, `List(int)`. */
  readonly type: string
}

/**
 * Parses the value in a text file, a .json file, or standard input for `-`. A problem of the value is returned; throws
 * ExpectedError 'usage' if the dictionary, the type or the file cannot be read.
 */
export async function parseWithDictionary(of: TypeOf, file: string): Promise<ValueRead> {
  return readValue(await valuesOf(of.dictionary, of), of.type, file, isJson(file) ? 'json' : 'text')
}

/** Prints the value in a JSON file as text; otherwise like `parseWithDictionary`. */
export async function printWithDictionary(
  of: TypeOf,
  file: string,
): Promise<{ readonly ok: true; readonly text: string } | Extract<ValueRead, { ok: false }>> {
  const values = await valuesOf(of.dictionary, of)
  const read = await readValue(values, of.type, file, 'json')
  if (!read.ok) return read
  const text = textOf(values, read.value, of.type)
  if (text === null)
    throw new ExpectedError(
      'usage',
      'value-class-unsuitable',
      `--class ${of.type}: its values have no text that could be parsed.`,
    )
  return { ok: true, text }
}

/**
 * A random value and its text; null if values of the type have no text that could be parsed, such as a list of lists.
 */
export interface ValueSample {
  readonly value: Json
  readonly text: string | null
}

/**
 * Random values of a type; value n does not depend on the count. `size`: the approximate number of objects and lists in
 * each. Throws ExpectedError 'usage' if the dictionary cannot be read or the type has no values.
 */
export async function* sampleWithDictionary(
  of: TypeOf,
  options: { readonly seed: string; readonly count: number; readonly size?: number },
): AsyncGenerator<ValueSample> {
  const { seed, count, size } = options
  const values = await valuesOf(of.dictionary, of)
  for (let n = 0; n < count; n++) {
    const hash = createHash('sha256')
      .update(JSON.stringify([seed, n]))
      .digest('hex')
    const sampled = values.sample(of.type, randomStream(hash), size === undefined ? {} : { size })
    if (!sampled.ok)
      throw new ExpectedError('usage', 'value-class-unsuitable', `--class ${of.type}: ${sampled.problem.message}`)
    yield { value: sampled.value, text: textOf(values, sampled.value, of.type) }
  }
}

/** The TypeScript declarations and the JSON Schema of a type. Throws ExpectedError 'usage' like the others. */
export async function typesOfDictionary(
  of: TypeOf,
): Promise<{ readonly typescript: string; readonly schema: JsonSchema }> {
  const values = await valuesOf(of.dictionary, of)
  const typescript = values.typescript(of.type)
  const schema = values.jsonSchema(of.type)
  if (!typescript.ok)
    throw new ExpectedError('usage', 'value-class-unsuitable', `--class ${of.type}: ${typescript.problem.message}`)
  if (!schema.ok)
    throw new ExpectedError('usage', 'value-class-unsuitable', `--class ${of.type}: ${schema.problem.message}`)
  return { typescript: typescript.text, schema: schema.schema }
}

/** null: the value is valid but has no text that could be parsed. */
function textOf(values: Values, value: Json, type: string): string | null {
  try {
    return values.print(value, type)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}
