import { createHash } from 'node:crypto'
import type { PlacedDecision } from '../../contract/contests/decisions.ts'
import { linkHash, type ChainValue } from '../chain.ts'
import { glanceAtInput, readHistoryLine, type ReadLine } from '../read-line.ts'
import { readWholeLines } from '../read-lines.ts'
import type { PeekedLine, RunIndex, RunLocation } from './run-index.ts'
import { sealFault, type LineFault, type SegmentContext } from './segment-check.ts'

/** The result of scanning a segment. */
export interface SegmentScan {
  /** Offset after the last whole line; `lines`: the number of whole lines. */
  readonly end: number
  readonly lines: number
  /** Bytes after the last whole line, left by an incomplete write. */
  readonly tail: number
  /** Whole lines after the last seal. */
  readonly unsealed: number
  /** SHA-256 of the whole lines. */
  readonly sha256: string
  /** The line at which the scan failed, which need not be the first damaged one. */
  readonly fault: LineFault | null
}

/**
 * Reads a segment once, trusting lines that a valid seal covers, and adds its runs to the index. About as fast as
 * JSON.parse. `decide`: called for each decision of the educator once a seal covers it, after the runs before it.
 * Rejects with the system's error.
 */
export async function scanSegment(
  path: string,
  context: SegmentContext,
  runs: RunIndex,
  decide: (placed: PlacedDecision, at: RunLocation) => void = () => undefined,
): Promise<SegmentScan> {
  const { segment } = context
  const hash = createHash('sha256')
  let lines = 0
  let sealed = 0
  let fault: LineFault | null = null
  /** Decisions that no seal covers yet. */
  const decided: { readonly placed: PlacedDecision; readonly at: RunLocation }[] = []
  let chain: { readonly n: number; readonly h: ChainValue } = { n: -1, h: '' }

  /** Checks a line of the segment's own chain; returns the problem or null. */
  const own = ({ body, digest, h }: ReadLine & { ok: true }, covered: { bytes: number; lines: number }) => {
    if (!('n' in body) || body.n !== chain.n + 1 || h !== linkHash(chain.h, '-', digest)) return 'the chain is broken'
    chain = { n: body.n, h }
    if (body.k === 'seal') return sealFault(body, context, covered, hash)
    if (body.k === 'decision') {
      const { stage, matches, decision } = body
      decided.push({ placed: { stage, matches, decision }, at: { segment, byte: covered.bytes } })
      return null
    }
    const fits = body.k === 'segment' && body.previous === context.previous && body.segment === segment
    return fits && covered.lines === 0 ? null : 'a segment line that does not fit'
  }

  const read = await readWholeLines(path, (batch, offset) => {
    let hashed = 0
    for (let start = 0; start < batch.length && fault === null;) {
      const next = batch.indexOf(10, start) + 1
      const peeked = peek(batch.subarray(start, next - 1))
      const at = { segment, byte: offset + start }
      let message: string | null = 'the line is not a history record'
      if (peeked !== null && isOwn(peeked.k)) {
        // These kinds are parsed strictly: only its own chain and signature prove the last seal.
        const read = readHistoryLine(batch.subarray(start, next - 1))
        hash.update(batch.subarray(hashed, start))
        hashed = start
        message = read.ok ? own(read, { bytes: at.byte, lines }) : read.message
        if (message === null && peeked.k === 'seal') {
          runs.confirm()
          for (const { placed, at: place } of decided.splice(0)) decide(placed, place)
          sealed = lines + 1
        }
      } else if (peeked !== null) {
        message = peeked.k === 'blob' ? null : runs.note(peeked, at, { segment, byte: offset + next })
      }
      if (message !== null) fault = { line: lines + 1, message }
      lines++
      start = next
    }
    hash.update(batch.subarray(hashed))
    return fault === null
  })
  runs.forget()
  if (read.tooLong) fault ??= { line: lines + 1, message: 'the line is too long' }
  const { end, tail } = read
  return { end, lines, tail, unsealed: lines - sealed, sha256: hash.digest('hex'), fault }
}

/** True for lines of the segment's own chain. */
const isOwn = (kind: string): boolean => kind === 'seal' || kind === 'segment' || kind === 'decision'

/** The kind, position and hash of a line, unchecked; null if the line has none. */
function peek(bytes: Buffer): PeekedLine | null {
  const input = glanceAtInput(bytes)
  if (input !== null) return { k: 'input', ...input, body: null }
  try {
    const line: unknown = JSON.parse(bytes.toString('utf8'))
    if (typeof line !== 'object' || line === null || !('b' in line) || !('h' in line)) return null
    const { b, h } = line
    if (typeof b !== 'object' || b === null || typeof h !== 'string' || !('k' in b) || typeof b.k !== 'string')
      return null
    const r = 'r' in b && typeof b.r === 'number' ? b.r : 0
    const n = 'n' in b && typeof b.n === 'number' ? b.n : 0
    return { k: b.k, r, n, h, body: b }
  } catch {
    return null
  }
}
