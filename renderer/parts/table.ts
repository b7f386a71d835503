import type { Snippet } from 'svelte'

/** A column of `table.svelte`. */
export interface Column<R> {
  readonly key: string
  readonly label: string
  /** Set to the right, in tabular figures. */
  readonly numeric?: boolean
  /** What the cell says; also what it is sorted by where it says no more. */
  text(row: R): string
  /** Gives the column a button that sorts by this. */
  sortBy?(row: R): number | string
  /** Shows more than text. */
  readonly cell?: Snippet<[R]>
}

export interface Sorting {
  readonly key: string
  readonly down: boolean
}

/** The rows in a column's order; equal ones stay as they are. Text is ordered as people do, with numbers in it. */
export function sorted<R>(rows: readonly R[], columns: readonly Column<R>[], sorting: Sorting | null): readonly R[] {
  const sortBy = columns.find(({ key }) => key === sorting?.key)?.sortBy
  if (sorting === null || sortBy === undefined) return rows
  const sign = sorting.down ? -1 : 1
  const keys = new Map(rows.map((row) => [row, sortBy(row)]))
  return [...rows].sort((a, b) => sign * compare(keys.get(a)!, keys.get(b)!))
}

const words = new Intl.Collator(undefined, { numeric: true })

function compare(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return words.compare(String(a), String(b))
}
