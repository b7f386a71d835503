import { readFile } from 'node:fs/promises'
import type { z } from 'zod'
import { Trouble } from '../contract/trouble.ts'

/** A contest file of a thousand entrants is a hundredth of this. */
const BYTES_MAX = 64 * 1024 * 1024

/**
 * Reads a JSON file that a person wrote. Throws Trouble 'usage' with file, line and column: unreadable, not UTF-8, not JSON,
 * or not what the schema says.
 */
export async function readJsonFile<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const text = await readTextFile(path)
  const value = parse(path, text)
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const { line, column } = locate(text, issue?.path ?? [])
  const name = issue?.path.map(String).join('.') ?? ''
  throw new Trouble(
    'usage',
    `${path}:${line}:${column}: ${name === '' ? '' : `${name}: `}${issue?.message ?? 'not valid'}`,
  )
}

/** A whole text file. Throws Trouble 'usage' when it cannot be read, is too large or is not UTF-8. */
export async function readTextFile(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new Trouble('usage', `${path} cannot be read: ${reasons[error.code ?? ''] ?? error.message}.`)
  })
  if (bytes.length > BYTES_MAX) throw new Trouble('usage', `${path} is larger than ${BYTES_MAX / 1024 / 1024} MB.`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Trouble('usage', `${path} is not UTF-8 text.`)
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission is denied',
  ENOTDIR: 'a part of its path is not a folder',
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const { line, column } = placeOf(text, firstWrong(text))
    const what = message
      .replace(/ in JSON at position .*$/s, '')
      .replace(/, ".*" is not valid JSON$/s, '')
      .replace(/, \.{3}".*$/s, '')
    throw new Trouble('usage', `${path}:${line}:${column}: not JSON: ${what}`)
  }
}

/**
 * The offset of the first character that no JSON text could have there. The engine names positions for some errors only, so
 * the shortest prefix that could not be continued is looked for.
 */
function firstWrong(text: string): number {
  let good = 0
  let bad = text.length + 1
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1
    if (couldContinue(text.slice(0, middle))) good = middle
    else bad = middle
  }
  return good
}

function couldContinue(prefix: string): boolean {
  try {
    JSON.parse(prefix)
    return true
  } catch (error) {
    const { message } = error as Error
    if (/Unexpected end|Unterminated/.test(message)) return true
    const position = /at position (\d+)/.exec(message)?.[1]
    return position !== undefined && Number(position) >= prefix.length
  }
}

function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: offset - lineStart + 1 }
}

/** Where the value at `path` stands in a JSON text that is known to parse; where it is missing, its nearest parent. */
function locate(text: string, path: readonly PropertyKey[]): { readonly line: number; readonly column: number } {
  let at = skipSpace(text, 0)
  for (const key of path) {
    const inside = typeof key === 'number' ? elementOf(text, at, key) : memberOf(text, at, String(key))
    if (inside === null) break
    at = inside
  }
  return placeOf(text, at)
}

function skipSpace(text: string, at: number): number {
  while (/\s/.test(text[at] ?? '')) at++
  return at
}

/** The offset just behind the value that starts at `at`. */
function skipValue(text: string, at: number): number {
  if (text[at] === '"') {
    for (at++; text[at] !== '"'; at++) if (text[at] === '\\') at++
    return at + 1
  }
  if (text[at] !== '{' && text[at] !== '[') {
    while (at < text.length && !/[\s,\]}]/.test(text[at]!)) at++
    return at
  }
  let depth = 0
  do {
    if (text[at] === '"') {
      at = skipValue(text, at)
      continue
    }
    if (text[at] === '{' || text[at] === '[') depth++
    if (text[at] === '}' || text[at] === ']') depth--
    at++
  } while (depth > 0)
  return at
}

function elementOf(text: string, at: number, index: number): number | null {
  if (text[at] !== '[') return null
  at = skipSpace(text, at + 1)
  for (let i = 0; text[at] !== ']'; i++) {
    if (i === index) return at
    at = skipSpace(text, skipValue(text, at))
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  return null
}

function memberOf(text: string, at: number, key: string): number | null {
  if (text[at] !== '{') return null
  at = skipSpace(text, at + 1)
  while (text[at] === '"') {
    const end = skipValue(text, at)
    const name: unknown = JSON.parse(text.slice(at, end))
    at = skipSpace(text, skipSpace(text, end) + 1)
    if (name === key) return at
    at = skipSpace(text, skipValue(text, at))
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  return null
}
