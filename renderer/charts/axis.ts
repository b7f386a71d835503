/** px of a character of a label, and between two labels. */
const CHARACTER = 8
const GAP = 16

/** The number of intervals that fit on an axis of a length in px, at most `most`, if each label is as long as this one. */
export function intervalsFor(length: number, label: string, most: number): number {
  return Math.max(1, Math.min(most, Math.floor(length / (label.length * CHARACTER + GAP))))
}

/** Distinct whole numbers from 0 to `total`, evenly spread, in at most `intervals` intervals. */
export function wholeTicks(total: number, intervals: number): readonly number[] {
  if (total <= 0) return [0]
  const count = Math.max(1, Math.min(intervals, total))
  return Array.from({ length: count + 1 }, (_, at) => Math.round((at * total) / count))
}
