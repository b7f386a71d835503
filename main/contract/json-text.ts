import type { z } from 'zod'
import { complaintLine, parsePlainly } from './complaints.ts'

/** What a JSON text holds, or the first thing wrong with it. Line and column from 1, columns in UTF-16 units. */
export type JsonRead<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly line: number; readonly column: number; readonly message: string }

/**
 * Reads a JSON text that a person wrote: parsed, held against the schema, and what is wrong with it placed. `deepest`: lists and
 * objects inside one another, at most; more than the default only where the schema does not recurse.
 */
export function readJsonText<T>(text: string, schema: z.ZodType<T>, deepest = deepestText): JsonRead<T> {
  let value: unknown
  const deep = firstDeeperThan(text, deepest)
  if (deep !== null) {
    return { ok: false, ...placeOf(text, deep), message: `more than ${deepest} lists and objects in each other` }
  }
  try {
    value = JSON.parse(text)
  } catch (error) {
    const what = error instanceof Error ? reasonOf(error) : String(error)
    return { ok: false, ...placeOf(text, firstWrong(text)), message: `not JSON: ${what}` }
  }
  const parsed = parsePlainly(schema, value)
  if (parsed.ok) return parsed
  const { complaint } = parsed
  return { ok: false, ...locate(text, complaint.place), message: complaintLine(complaint) }
}

/** Nesting beyond which schemas, which recurse, might run out of stack. */
const deepestText = 512

/** The offset of the first bracket that opens more than `most` levels; null where there is none. */
function firstDeeperThan(text: string, most: number): number | null {
  let depth = 0
  // By hand: a regular expression for strings overflows its stack on a long one, and is slow on one that never ends.
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === ']' || character === '}') depth--
    else if ((character === '[' || character === '{') && ++depth > most) return at
  }
  return null
}

/** The offset of the quote that closes the string at `at`, or of the text's end. */
function endOfString(text: string, at: number): number {
  for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++
  return at
}

/** The engine's words without the piece of the text that it quotes and without its own idea of the place. */
function reasonOf({ message }: Error): string {
  return message.replace(/ in JSON at position .*$/s, '').replace(/, (?:\.{3})?".*$/s, '')
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
