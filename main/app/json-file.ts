import type { z } from 'zod'
import { readJsonText } from '../contract/json-text.ts'
import { Trouble } from '../contract/trouble.ts'
import { readTextFile } from './files.ts'

/**
 * Reads a JSON file that a person wrote. Throws Trouble 'usage' with file, line and column: unreadable, not UTF-8, not JSON,
 * or not what the schema says.
 */
export async function readJsonFile<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const read = readJsonText(await readTextFile(path), schema)
  if (read.ok) return read.value
  throw new Trouble('usage', `${path}:${read.line}:${read.column}: ${read.message}`)
}
