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

/** The position after the first event at or behind a moment of the match clock, at the seat it is about. */
export function positionOf(
  digests: readonly { readonly at: number; readonly seat: number }[],
  at: number,
  seat: number | null,
): number {
  const here = digests.findIndex((digest) => digest.at >= at && (seat === null || digest.seat === seat))
  if (here !== -1) return here + 1
  const later = digests.findIndex((digest) => digest.at >= at)
  return later === -1 ? digests.length : later + 1
}
