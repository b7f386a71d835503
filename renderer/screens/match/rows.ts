import type { Digest } from './specker.ts'

/** The event list's rows: one for every happening, and one for an event in which nothing happened. */
export interface Rows {
  readonly length: number
  /** The event of a row, and which of its happenings; null: the event itself. */
  at(row: number): { readonly index: number; readonly part: number | null }
  /** The first row of an event. */
  first(index: number): number
  /** Takes over the digests that are new since the last call. */
  grow(digests: readonly Digest[]): void
}

export function createRows(): Rows {
  // Numbers only: a long match has a million rows.
  const eventOfRow: number[] = []
  const firstRow: number[] = []
  const happenings: number[] = []
  return {
    get length() {
      return eventOfRow.length
    },
    at(row) {
      const index = eventOfRow[row]!
      return { index, part: happenings[index] === 0 ? null : row - firstRow[index]! }
    },
    first: (index) => firstRow[index] ?? 0,
    grow(digests) {
      for (let index = firstRow.length; index < digests.length; index++) {
        const count = digests[index]!.happenings.length
        firstRow.push(eventOfRow.length)
        happenings.push(count)
        for (let part = 0; part < Math.max(1, count); part++) eventOfRow.push(index)
      }
    },
  }
}
