import type * as z from 'zod'
import { complaintLine, parsePlainly, type Complaint } from './complaints.ts'

/** The value of a JSON text, or its first problem. Line and column from 1, columns in UTF-16 units. */
export type JsonRead<T> =
  | { readonly ok: true; readonly value: T }
  | ({ readonly ok: false; readonly others: readonly JsonProblem[] } & JsonProblem)

/** A problem and its position. */
export interface JsonProblem {
  readonly line: number
  readonly column: number
  readonly message: string
}

/**
 * Parses a JSON text written by a person and checks it against the schema; a problem has its position in the text.
 * `deepest`: the maximum nesting of lists and objects; more than the default only for schemas that do not recurse.
 */
export function readJsonText<T>(text: string, schema: z.ZodType<T>, deepest = deepestText): JsonRead<T> {
  let value: unknown
  const deep = firstDeeperThan(text, deepest)
  if (deep !== null) {
    return {
      ok: false,
      others: [],
      ...placeOf(text, deep),
      message: `lists and objects are nested more than ${deepest} levels deep`,
    }
  }
  try {
    value = JSON.parse(text)
  } catch (error) {
    const what = error instanceof Error ? reasonOf(error) : String(error)
    return { ok: false, others: [], ...placeOf(text, firstWrong(text)), message: `not JSON: ${what}` }
  }
  const parsed = parsePlainly(schema, value)
  if (parsed.ok) return parsed
  const members: MemberTables = new Map()
  const problem = (complaint: Complaint): JsonProblem => {
    return { ...locate(text, complaint.place, members), message: complaintLine(complaint) }
  }
  const others = parsed.others.map(problem)
  return { ok: false, others, ...problem(parsed.complaint) }
}

/** All problems of a text in one line: `3:5: title: it is missing; expected text. Also 4:1: there is no field "x".` */
export function problemsLine({ others, ...first }: JsonProblem & { readonly others: readonly JsonProblem[] }): string {
  const [one, ...more] = [first, ...others].map(({ line, column, message }) => `${line}:${column}: ${message}`)
  return more.length === 0 ? one! : `${one!.replace(/\.$/, '')}. Also ${more.join('; ')}`
}

/** Characters of a line in which a mistake is looked for; the search takes up to the square of them. */
const LOOKED_AT = 1_000

/**
 * The mistake in a line that was meant as a JSON object, with the remedy, as the end of a sentence; null: it does not begin like one, so
 * that it may have been printed for people. The line is known not to be JSON.
 */
export function mistakeInLine(line: string): string | null {
  if (!/^\s*\{/.test(line)) return null
  const beginning = line.slice(0, LOOKED_AT)
  const code = beginning.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
  const [number] = /-?\b(?:NaN|Infinity)\b/.exec(code) ?? []
  if (number !== undefined)
    return `it has ${number}, which JSON cannot write: log the numbers from which it was calculated`
  const [word] = /'|\b(?:True|False|None)\b/.exec(code) ?? []
  if (word !== undefined) return `it has ${word} as Python writes it: write json.dumps(...) of the value`
  const at = firstWrong(beginning)
  if (at < beginning.length) return `column ${at + 1} is wrong`
  return line.length > LOOKED_AT ? 'its end is wrong' : 'it ends too early; a message is one line, without indentation'
}

/** Maximum nesting: with more of it a recursive schema could overflow the stack. */
const deepestText = 512

/** The offset of the first bracket nested deeper than `most` levels; null: none. */
function firstDeeperThan(text: string, most: number): number | null {
  let depth = 0
  // No regular expression: it would overflow the stack on a long string and be slow on an unterminated one.
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === ']' || character === '}') depth--
    else if ((character === '[' || character === '{') && ++depth > most) return at
  }
  return null
}

/** The offset of the closing quote of the string at `at`, or of the text's end. */
function endOfString(text: string, at: number): number {
  for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++
  return at
}

/** The engine's message without its quotation of the text and its own position. */
function reasonOf({ message }: Error): string {
  return message.replace(/ in JSON at position .*$/s, '').replace(/, (?:\.{3})?".*$/s, '')
}

/**
 * The offset of the first character that makes the text invalid. The engine reports positions only for some errors, so
 * this searches for the shortest prefix that cannot be continued to valid JSON.
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

/** The offsets of the values of objects that have been searched, by the offset of the object: each is read once. */
type MemberTables = Map<number, ReadonlyMap<string, number>>

/** The position of the value at `path` in a valid JSON text; if it is missing, of its nearest parent. */
function locate(
  text: string,
  path: readonly PropertyKey[],
  members: MemberTables,
): { readonly line: number; readonly column: number } {
  let at = skipSpace(text, 0)
  for (const key of path) {
    const inside = typeof key === 'number' ? elementOf(text, at, key) : memberOf(text, at, String(key), members)
    if (inside === null) break
    at = inside
  }
  return placeOf(text, at)
}

function skipSpace(text: string, at: number): number {
  while (/\s/.test(text[at] ?? '')) at++
  return at
}

/** The offset just after the value that starts at `at`. */
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

function memberOf(text: string, at: number, key: string, members: MemberTables): number | null {
  if (text[at] !== '{') return null
  const table = members.get(at) ?? membersAt(text, at)
  members.set(at, table)
  return table.get(key) ?? null
}

/** The offsets of the values of the object at `at`, by name; of members with one name, the first. */
function membersAt(text: string, at: number): ReadonlyMap<string, number> {
  const table = new Map<string, number>()
  at = skipSpace(text, at + 1)
  while (text[at] === '"') {
    const end = skipValue(text, at)
    const name = JSON.parse(text.slice(at, end)) as string
    at = skipSpace(text, skipSpace(text, end) + 1)
    if (!table.has(name)) table.set(name, at)
    at = skipSpace(text, skipValue(text, at))
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  return table
}
