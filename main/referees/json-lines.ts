import { mistakeInLine } from '../contract/json-text.ts'
import type { Json } from '../contract/json.ts'

export type JsonObject = Readonly<Record<string, Json>>

/** Cuts a stream of bytes into lines; each byte is looked at once, however it comes. */
export interface LineReader<T> {
  /** The values of the lines that have become whole; in words why one has none. Empty lines are passed over. */
  read(chunk: Uint8Array): readonly (T | string)[]
  /** Forgets what is not whole: another connection follows. */
  reset(): void
}

const newline = 10

/** Lines that are JSON objects. */
export function jsonLineReader(): LineReader<JsonObject> {
  return lineReader(jsonObject)
}

/** `read`: what a line is; a text: why it is nothing, in words. */
export function lineReader<T extends object>(read: (line: string) => T | string): LineReader<T> {
  let parts: Uint8Array[] = []

  const whole = (last: Uint8Array): Uint8Array => {
    if (parts.length === 0) return last
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, last.length))
    let at = 0
    for (const part of [...parts, last]) {
      bytes.set(part, at)
      at += part.length
    }
    parts = []
    return bytes
  }

  return {
    read(chunk) {
      const found: (T | string)[] = []
      let from = 0
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
        const value = valueOf(whole(chunk.subarray(from, end)), read)
        from = end + 1
        if (value !== null) found.push(value)
      }
      // A copy: the chunk may be used again by its reader.
      if (from < chunk.length) parts.push(chunk.slice(from))
      return found
    },
    reset() {
      parts = []
    },
  }
}

/** One JSON value, and the end of its line. */
export function jsonLine(value: Json): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value)}\n`)
}

/** null: an empty line. */
function valueOf<T>(bytes: Uint8Array, read: (line: string) => T | string): T | string | null {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return 'A line is not UTF-8.'
  }
  return text.trim() === '' ? null : read(text)
}

/** The object in a line; a text: the line holds something else. */
export function jsonObject(text: string): JsonObject | string {
  try {
    const value = JSON.parse(text) as Json
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  } catch {
    // Said below.
  }
  const mistake = mistakeInLine(text)
  return mistake === null
    ? `The line ${quoted(text)} is no JSON object.`
    : `The line ${quoted(text)} is not JSON: ${mistake}.`
}

/** The mark of a fault whose line may have been printed for people; `problem`: as a reader of lines gives it. */
export function printedMark(problem: string): { readonly unreadable?: true } {
  return /^The line \s*\{/.test(problem) ? {} : { unreadable: true }
}

/** Characters of a line that are quoted. */
const QUOTED = 60

/** The beginning of what somebody has written, for a sentence about it. */
export function quoted(text: string): string {
  return text.length > QUOTED ? `${text.slice(0, QUOTED).toWellFormed()}...` : text.trimEnd()
}
