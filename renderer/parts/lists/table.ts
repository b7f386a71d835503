import type { Snippet } from 'svelte'

/** A column of `table.svelte`. */
export interface Column<R> {
  readonly key: string
  readonly label: string
  /** Right-aligned, in tabular figures. */
  readonly numeric?: boolean
  /** The text of the cell; also the sort key unless there is another. */
  text(row: R): string
  /** Sort key; makes the column sortable. */
  sortBy?(row: R): number | string
  /** Content that is more than text. */
  readonly cell?: Snippet<[R]>
}

export interface Sorting {
  readonly key: string
  readonly down: boolean
}

/** The rows sorted by a column, stably. Text is compared naturally, with numbers by value. */
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
