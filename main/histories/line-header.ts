import type { Sha256 } from '../contract/ids.ts'

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

const opening = '{"b":'.length
const closing = ',"h":""}'.length + 64

/** The canonical body of a recognized line, which its digest covers. */
export function bodyBytes(line: Buffer): Buffer {
  return line.subarray(opening, line.length - closing)
}
