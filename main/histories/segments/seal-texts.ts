import type { ContestId, Sha256 } from '../../contract/ids.ts'
import { canonicalText } from '../canonical.ts'

/** The content of a seal: the first `bytes` bytes, which are `lines` lines, of one segment. */
export interface Sealed {
  readonly contest: ContestId
  readonly segment: number
  readonly bytes: number
  readonly lines: number
  readonly sha256: Sha256
}

/** The text that a seal signs. */
export function sealText({ contest, segment, bytes, lines, sha256 }: Sealed): string {
  return canonicalText({ signs: 'tartaglia segment', contest, segment, bytes, lines, sha256 })
}

/** The text that the signature of a contest's root signs. */
export function rootText(contest: ContestId, count: number, root: Sha256): string {
  return canonicalText({ signs: 'tartaglia contest root', contest, count, root })
}

/** The file name of a segment in its contest's folder; segments are numbered from 1. */
export function segmentName(segment: number): string {
  return `segment-${String(segment).padStart(6, '0')}.jsonl`
}

/** The number in a segment's file name; null for any other name. */
export function segmentNumber(name: string): number | null {
  const digits = /^segment-(\d{6,15})\.jsonl$/.exec(name)?.[1]
  if (digits === undefined) return null
  const number = Number(digits)
  return number > 0 && segmentName(number) === name ? number : null
}
