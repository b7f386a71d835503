import type { MatchOutline } from '../../games/match-outline.ts'

/** Lines a second, or `recorded`: as fast as the match was played. */
export type Speed = number | 'recorded'

export const speeds: readonly { readonly speed: Speed; readonly label: string }[] = [
  { speed: 1, label: '1 a second' },
  { speed: 3, label: '3 a second' },
  { speed: 10, label: '10 a second' },
  { speed: 50, label: '50 a second' },
  { speed: 'recorded', label: 'as it was played' },
]

/** ms until the next line is shown. `gap`: ms between the two on the match clock. No pause is longer than 3 s. */
export function delayOf(speed: Speed, gap: number): number {
  return speed === 'recorded' ? Math.max(16, Math.min(3_000, gap)) : 1_000 / speed
}

/** The row of the mark after (1) or before (-1) a row; null where there is none. Marks rise. */
export function nextMark(marks: readonly { readonly row: number }[], row: number, way: 1 | -1): number | null {
  const found = way === 1 ? marks.find((mark) => mark.row > row) : marks.findLast((mark) => mark.row < row)
  return found?.row ?? null
}

/** The mark at a moment of the match clock that is about a seat; at Infinity its last one. */
export function markAt<M extends { readonly position: number; readonly seat: number }>(
  outline: Pick<MatchOutline, 'at'>,
  marks: readonly M[],
  at: number,
  seat: number | null,
): M | undefined {
  const own = marks.filter((mark) => mark.seat === seat)
  return at === Infinity ? own.at(-1) : own.find((mark) => outline.at(mark.position - 1) === at)
}

/** The position after the first event at or behind a moment of the match clock, at the seat it is about. */
export function positionOf(
  outline: Pick<MatchOutline, 'length' | 'at' | 'seat'>,
  at: number,
  seat: number | null,
): number {
  let later: number | null = null
  for (let event = 0; event < outline.length; event++) {
    if (outline.at(event) < at) continue
    later ??= event + 1
    if (seat === null || outline.seat(event) === seat) return event + 1
  }
  return later ?? outline.length
}
