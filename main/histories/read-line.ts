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

const opening = '{"b":'
const closing = /^,"h":"([0-9a-f]{64})"\}$/
const closingLength = 72

/**
 * Parses one line (without its newline) strictly: it must equal, byte for byte, what the recorder writes for its value.
 * Never throws, whatever the bytes.
 */
export function readLine(bytes: Uint8Array): ReadLine {
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
