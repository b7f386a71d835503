import type { MatchOutline } from '../../games/match-outline.ts'

/** Events a second, or `recorded`: as fast as the match was played. */
export type Speed = number | 'recorded'

export const speeds: readonly { readonly speed: Speed; readonly label: string }[] = [
  { speed: 1, label: '1 a second' },
  { speed: 3, label: '3 a second' },
  { speed: 10, label: '10 a second' },
  { speed: 50, label: '50 a second' },
  { speed: 'recorded', label: 'as it was played' },
]

/** ms until the next event is shown. `gap`: ms between the two on the match clock. No pause is longer than 3 s. */
export function delayOf(speed: Speed, gap: number): number {
  return speed === 'recorded' ? Math.max(16, Math.min(3_000, gap)) : 1_000 / speed
}

/** The position of the mark after (1) or before (-1) a position; null where there is none. Marks rise. */
export function nextMark(
  marks: readonly { readonly position: number }[],
  position: number,
  way: 1 | -1,
): number | null {
  const found =
    way === 1 ? marks.find((mark) => mark.position > position) : marks.findLast((mark) => mark.position < position)
  return found?.position ?? null
}

/**
 * The position after the first event at or behind a moment of the match clock, at the seat it is about. Of several at the
 * very moment, such as what an agent printed and that it crashed, a marked one is meant.
 */
export function positionOf(
  outline: Pick<MatchOutline, 'length' | 'at' | 'seat'>,
  marks: readonly { readonly position: number; readonly seat: number }[],
  at: number,
  seat: number | null,
): number {
  const marked = marks.find((mark) => mark.seat === seat && outline.at(mark.position - 1) === at)
  if (marked !== undefined) return marked.position
  let later: number | null = null
  for (let event = 0; event < outline.length; event++) {
    if (outline.at(event) < at) continue
    later ??= event + 1
    if (seat === null || outline.seat(event) === seat) return event + 1
  }
  return later ?? outline.length
}
