import { parseScheme } from '../../../grammars/grades/parse-scheme.ts'
import type { Band } from '../../../main/contract/grades/schemes.ts'

/** A bar of the distribution: the number of grades from `from` up to the next bar. */
interface Bar {
  readonly from: number
  readonly count: number
}

/** The bands that a scheme is written with; none if it cannot be read. */
export function bandsIn(text: string): readonly Band[] {
  const tree = parseScheme(text)
  if ('faults' in tree) return []
  return tree.bands.map(({ from, label, written }) => ({ from: written === null ? null : from, label, written }))
}

/** The range that is drawn: 0 to 100, or further if a grade or a band is outside. */
export function rangeOf(values: readonly number[], bands: readonly Band[]): readonly [number, number] {
  const all = [...values, ...bands.flatMap(({ from }) => from ?? [])]
  return [Math.floor(Math.min(0, ...all)), Math.ceil(Math.max(100, ...all))]
}

/** Bars of equal width; the last one has the upper end, too. */
export function barsOf(values: readonly number[], [low, high]: readonly [number, number], count = 20): readonly Bar[] {
  const width = (high - low) / count
  const counts = new Array<number>(count).fill(0)
  for (const value of values) counts[Math.min(count - 1, Math.floor((value - low) / width))]! += 1
  return counts.map((each, at) => ({ from: low + at * width, count: each }))
}

/** The value nearest to one that the threshold of a band can have: between those of its neighbours, in steps of a half. */
export function allowed(bands: readonly Band[], at: number, value: number): number {
  const above = bands[at - 1]?.from ?? null
  const below = bands[at + 1]?.from ?? null
  const high = above === null ? Infinity : Math.ceil(above * 2) / 2 - 0.5
  const low = Math.max(0, below === null ? 0 : Math.floor(below * 2) / 2 + 0.5)
  // Neighbours that are closer than a half leave no room.
  if (low > high) return bands[at]?.from ?? value
  return Math.max(low, Math.min(high, Math.round(value * 2) / 2))
}

/** Names of the thresholds of bands, one for each: bands may have the same label. */
export const thresholdNames = (labels: readonly string[]): readonly string[] =>
  labels.map((label, at) => {
    const before = labels.slice(0, at).filter((each) => each === label).length
    return `Threshold of ${label}${before === 0 ? '' : ` (${before + 1})`}`
  })

/** The text of a scheme with the threshold of a band replaced. */
export function withThreshold(text: string, { written }: Pick<Band, 'written'>, value: number): string {
  return written === null ? text : text.slice(0, written.start) + String(value) + text.slice(written.end)
}

/** The number of grades in each band, in their order; a grade below all of them is in none. */
export const countsIn = (bands: readonly Band[], values: readonly number[]): readonly number[] =>
  bands.map(
    (_, at) => values.filter((value) => bands.findIndex(({ from }) => value >= (from ?? -Infinity)) === at).length,
  )
