import type { Moment, MoveLine } from './playback.ts'

/** The start of playback in the address of a match. */
export interface MomentParameters {
  /** ms on the match clock or `end`, and a seat. */
  readonly at?: string | undefined
  readonly seat?: string | undefined
  /** The number of an event, from 1, and of its line. */
  readonly move?: string | undefined
  readonly line?: string | undefined
}

/** The place to start at; null: the beginning, also if the address is not valid. */
export function momentOf({ at, seat, move, line }: MomentParameters): Moment | MoveLine | null {
  const position = whole(move)
  if (position !== null) return { position, line: Math.max(0, (whole(line) ?? 1) - 1) }
  const when = at === 'end' ? Infinity : Number(at)
  if (at === undefined || Number.isNaN(when)) return null
  return { at: when, seat: whole(seat) }
}

function whole(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null
}
