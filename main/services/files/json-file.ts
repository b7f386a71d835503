import type * as z from 'zod'
import { readJsonText } from '../../contract/json-text.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { readTextFile } from './read-file.ts'

/**
 * Reads a JSON file that a person wrote. Throws ExpectedError 'usage' with file, line and column if it cannot be read,
 * is not UTF-8, is not JSON or does not match the schema.
 */
export async function readJsonFile<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const read = readJsonText(await readTextFile(path), schema)
  if (read.ok) return read.value
  throw new ExpectedError('usage', 'json-invalid', `${path}:${read.line}:${read.column}: ${read.message}`)
}
