import { createHash, type Hash } from 'node:crypto'
import type { ContestId, Sha256 } from '../../contract/ids.ts'
import type { HistoryBody } from '../../contract/histories/history.ts'
import { linkHash, tagOf, type ChainValue } from '../chain.ts'
import { fingerprint, signedBy, type PublicKey } from '../keys.ts'
import type { Mismatch } from '../mismatch.ts'
import { readHistoryLine } from '../read-line.ts'
import { eachLine, readWholeLines } from '../read-lines.ts'
import type { ChainEnd } from './run-index.ts'
import { sealText } from './seal-texts.ts'
import { hashOf } from '../canonical.ts'

/** Facts that a segment must match. */
export interface SegmentContext {
  readonly contest: ContestId
  readonly key: PublicKey
  readonly segment: number
  /** SHA-256 of the whole previous file; null for the first. */
  readonly previous: Sha256 | null
}

/** The message about a segment's first line if the previous file is not the one that it continues. */
export const discontinued = 'the segment does not continue the one before it'

/** The first problem in a file. */
export interface LineFault extends Mismatch {
  /** From 1. */
  readonly line: number
}

/**
 * Checks every line of a segment and returns the first problem, or null. Slower than a scan, which trusts sealed bytes,
 * so called only if the scan found a problem or unsealed lines. `chains`: the runs open at the start of the segment.
 * Rejects with the system's error.
 */
export async function checkSegment(
  path: string,
  context: SegmentContext,
  chains: ReadonlyMap<number, ChainEnd>,
): Promise<LineFault | null> {
  const check = createLineCheck(context, new Map(chains))
  const found: LineFault[] = []
  let line = 0
  const read = await readWholeLines(path, (batch) =>
    eachLine(batch, (bytes) => {
      line++
      const message = check(bytes)
      if (message !== null) found.push({ line, message })
      return message === null
    }),
  )
  if (read.tooLong) found.push({ line: line + 1, message: 'the line is too long' })
  return found[0] ?? null
}

/** Creates a check to call with each line in order; it returns the problem or null. */
function createLineCheck(context: SegmentContext, runs: Map<number, ChainEnd>): (bytes: Buffer) => string | null {
  const hash = createHash('sha256')
  const covered = { bytes: 0, lines: 0 }
  const ended = new Set<number>()
  runs.delete(0)

  return (bytes) => {
    const read = readHistoryLine(bytes)
    if (!read.ok) return read.message
    const { body, digest, h } = read
    const first = covered.lines === 0
    if (first !== (body.k === 'segment')) {
      return first ? 'a segment begins with a segment line' : 'a segment line in the middle of a segment'
    }
    const message = chainProblem(body, digest, h, context, runs, ended) ?? claimProblem(body, context, covered, hash)
    if (message !== null) return message
    hash.update(bytes).update('\n')
    covered.bytes += bytes.length + 1
    covered.lines++
    return null
  }
}

/** Why a line does not continue its chain; null: it does. */
function chainProblem(
  body: HistoryBody,
  digest: Sha256,
  h: Sha256,
  context: SegmentContext,
  runs: Map<number, ChainEnd>,
  ended: Set<number>,
): string | null {
  if (body.k === 'proof' || body.k === 'redacted') return `a ${body.k} line, which belongs in exported matches only`
  if (body.k === 'blob') {
    if (h !== linkHash('', '-', digest)) return 'the hash does not match the line'
    return hashOf(body.value) === body.sha256 ? null : 'the value does not match its hash'
  }
  const { k, r, n } = body
  if (ended.has(r)) return `run ${r} continues after its end`
  const before = runs.get(r)
  const begins = k === 'header' || k === 'segment'
  if (begins !== (before === undefined)) return begins ? `run ${r} begins twice` : `run ${r} has no beginning`
  const expected = before === undefined ? 0 : before.n + 1
  if (n !== expected) return `run ${r} continues with record ${n} instead of ${expected}`
  const previous: ChainValue = before?.h ?? ''
  if (h !== linkHash(previous, tagOf(k), digest)) return 'the hash does not match the line and those before it'
  if (k === 'header' && body.contest !== context.contest) return `the match belongs to ${body.contest}`
  if (k === 'outcome' || k === 'void') {
    runs.delete(r)
    ended.add(r)
  } else runs.set(r, { n, h })
  return null
}

/** Why a segment or seal line does not match its segment; null: it does. */
function claimProblem(
  body: HistoryBody,
  context: SegmentContext,
  covered: { readonly bytes: number; readonly lines: number },
  hash: Hash,
): string | null {
  if (body.k === 'segment') {
    if (body.contest !== context.contest) return `the segment belongs to ${body.contest}`
    if (body.segment !== context.segment) return `the line says that the file is segment ${body.segment}`
    if (body.key !== fingerprint(context.key)) return 'the segment is signed by another key'
    if (body.previous !== context.previous) return discontinued
  }
  if (body.k === 'seal') return sealFault(body, context, covered, hash)
  return null
}

/** The problem of a seal that comes after the `covered` bytes of `hash`; null: none. */
export function sealFault(
  seal: { readonly bytes: number; readonly lines: number; readonly sha256: Sha256; readonly signature: string },
  { contest, segment, key }: SegmentContext,
  covered: { readonly bytes: number; readonly lines: number },
  hash: Hash,
): string | null {
  const { bytes, lines } = covered
  const sha256 = hash.copy().digest('hex')
  if (seal.bytes !== bytes || seal.lines !== lines || seal.sha256 !== sha256) {
    return `the seal does not match the ${lines} lines before it`
  }
  const text = sealText({ contest, segment, bytes, lines, sha256 })
  return signedBy(key, text, seal.signature) ? null : 'the signature of the seal is not by the key of this class'
}
