import type { Sha256 } from '../contract/ids.ts'

/** Where an input's line belongs, as its last bytes say. */
export interface InputGlance {
  readonly n: number
  readonly r: number
  readonly h: Sha256
}

/**
 * The end of an input's line in canonical form. Members stand in the order of their names, so nothing but `salt` follows `r`;
 * and within a text no quotation mark stands unescaped, so no other line ends like this.
 */
const inputEnd = /,"k":"input","n":(\d{1,15}),"r":(\d{1,15})(?:,"salt":"[0-9a-f]{64}")?\},"h":"([0-9a-f]{64})"\}$/
/** Bytes that such an end has at most. */
const endBytes = 220

/** Inputs are nearly all of a history: they are told apart without parsing the line. null: it must be parsed. */
export function glanceAtInput(line: Buffer): InputGlance | null {
  const end = inputEnd.exec(line.toString('latin1', Math.max(0, line.length - endBytes)))
  return end === null ? null : { n: Number(end[1]), r: Number(end[2]), h: end[3]! }
}

/** What a line says of itself before it is looked at closely: its kind, and the run that it is of. */
export interface LineGlance {
  readonly k: string
  readonly r: number | null
}

/** As `glanceAtInput`, for a line of any kind; null: it is no history record. */
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

/** The canonical body of a line that was glanced at: what its digest covers. */
export function bodyBytes(line: Buffer): Buffer {
  return line.subarray(opening, line.length - closing)
}
