import { isUtf8 } from 'node:buffer'
import { deepestLine, historyBody, longestLine, type HistoryBody } from '../contract/histories/history.ts'
import type { Sha256 } from '../contract/ids.ts'
import type { Json } from '../contract/json.ts'
import { complaintLine, parsePlainly } from '../contract/complaints.ts'
import { canonicalText, sha256 } from './canonical.ts'

/** A parsed line; `h` has yet to be checked against its chain. Otherwise the reason why the line is invalid. */
export type ReadLine =
  | { readonly ok: true; readonly body: HistoryBody; readonly digest: Sha256; readonly h: Sha256 }
  | { readonly ok: false; readonly message: string }

/** A line is `opening`, the canonical body, and the hash of the chain so far in `closingLength` characters. */
const opening = '{"b":'
const closing = /^,"h":"([0-9a-f]{64})"\}$/
const closingLength = 72

/**
 * Parses one line (without its newline) strictly: it must equal, byte for byte, what the recorder writes for its value.
 * Never throws, whatever the bytes.
 */
export function readHistoryLine(bytes: Uint8Array): ReadLine {
  if (bytes.length > longestLine) return bad(`the line is longer than ${longestLine} bytes`)
  if (!isUtf8(bytes)) return bad('the line is not UTF-8 text')
  if (depth(bytes) > deepestLine) return bad(`the line is nested deeper than ${deepestLine} levels`)
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
  const h = closing.exec(text.slice(-closingLength))?.[1]
  if (!text.startsWith(opening) || h === undefined) return bad('the line is not a history record')
  const bodyText = text.slice(opening.length, -closingLength)
  try {
    const value = JSON.parse(bodyText) as Json
    if (canonicalText(value) !== bodyText) return bad('the record is not in canonical form')
    const body = parsePlainly(historyBody, value)
    if (!body.ok) return bad(`the record is not valid: ${complaintLine(body.complaint)}`)
    return { ok: true, body: body.value, digest: sha256(bodyText), h }
  } catch {
    return bad('the record is not JSON')
  }
}

function bad(message: string): ReadLine {
  return { ok: false, message }
}

/** Maximum nesting of brackets outside strings; checked because a parser could run out of memory on extreme nesting. */
function depth(bytes: Uint8Array): number {
  let deepest = 0
  let now = 0
  let inString = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (inString) {
      if (byte === 0x5c) i++
      else if (byte === 0x22) inString = false
    } else if (byte === 0x22) inString = true
    else if (byte === 0x5b || byte === 0x7b) deepest = Math.max(deepest, ++now)
    else if (byte === 0x5d || byte === 0x7d) now--
  }
  return deepest
}

/** The position and hash of an input's line, taken from its last bytes. */
export interface InputGlance {
  readonly n: number
  readonly r: number
  readonly h: Sha256
}

/**
 * The end of an input's line in canonical form. Members are sorted by name, so only `salt` follows `r`; and quotation
 * marks within strings are escaped, so no other line ends like this.
 */
const inputEnd = /,"k":"input","n":(\d{1,15}),"r":(\d{1,15})(?:,"salt":"[0-9a-f]{64}")?\},"h":"([0-9a-f]{64})"\}$/
/** Maximum bytes of such an end. */
const endBytes = 220

/** Recognizes an input's line without parsing it, because most lines are inputs. null: the line must be parsed. */
export function glanceAtInput(line: Buffer): InputGlance | null {
  const end = inputEnd.exec(line.toString('latin1', Math.max(0, line.length - endBytes)))
  return end === null ? null : { n: Number(end[1]), r: Number(end[2]), h: end[3]! }
}

/** The kind of a line and its run, unverified. */
export interface LineGlance {
  readonly k: string
  readonly r: number | null
}

/** Like `glanceAtInput`, for a line of any kind; null: not a history record. */
export function glanceAtLine(line: Buffer): LineGlance | null {
  const input = glanceAtInput(line)
  if (input !== null) return { k: 'input', r: input.r }
  try {
    const parsed: unknown = JSON.parse(line.toString('utf8'))
    if (typeof parsed !== 'object' || parsed === null || !('b' in parsed)) return null
    const { b } = parsed
    if (typeof b !== 'object' || b === null || !('k' in b) || typeof b.k !== 'string') return null
    return { k: b.k, r: 'r' in b && typeof b.r === 'number' ? b.r : null }
  } catch {
    return null
  }
}

/** The canonical body of a recognized line, which its digest covers. */
export function bodyBytes(line: Buffer): Buffer {
  return line.subarray(opening.length, line.length - closingLength)
}
