/** A mark in the picture of an instance: its column and row, and its size from 0 to 1. */
export interface InstanceMark {
  readonly column: number
  readonly row: number
  readonly size: number
}

/** The picture of an instance; `columns` and `rows` are at least 1. */
export interface InstanceMarks {
  readonly columns: number
  readonly rows: number
  readonly marks: readonly InstanceMark[]
}

/** The most that a small picture can show. */
const COLUMNS_MAX = 10
const ROWS_MAX = 8
/** The length that the smallest number keeps, so that it can be seen. */
const SMALLEST = 0.25

/**
 * Draws an instance of a challenge from its text, whatever the challenge: its numbers in rows, each as large as it is
 * among those of its column. Lines are rows, and so are the items of a list with equally many numbers each; a long row
 * goes on in the next one. Words count by their length where there are no numbers.
 */
export function instanceMarks(text: string): InstanceMarks {
  const rows = rowsOf(text).flatMap(wrapped).slice(0, ROWS_MAX)
  const columns = Math.max(1, ...rows.map((row) => row.length))
  const largest = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => Math.abs(row[column] ?? 0))),
  )
  const marks = rows.flatMap((row, at) =>
    row.map((value, column) => {
      const most = largest[column]!
      return { column, row: at, size: most === 0 ? SMALLEST : SMALLEST + (1 - SMALLEST) * (Math.abs(value) / most) }
    }),
  )
  return { columns, rows: Math.max(1, rows.length), marks }
}

function rowsOf(text: string): readonly (readonly number[])[] {
  const lines = text.split(/[\n;]/).map(numbersIn)
  const rows = lines.filter((row) => row.length > 0)
  if (rows.length > 1) return rows
  // One line: its items are what brackets or words separate.
  const items = text.split(/[()[\]{}]|[a-z]\w*/i).map(numbersIn)
  const filled = items.filter((row) => row.length > 0)
  if (filled.length > 0) return filled
  return [text.split(/\s+/).flatMap((word) => (word === '' ? [] : word.length))]
}

function numbersIn(text: string): readonly number[] {
  return (text.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number).filter(Number.isFinite)
}

function wrapped(row: readonly number[]): readonly (readonly number[])[] {
  return Array.from({ length: Math.ceil(row.length / COLUMNS_MAX) }, (_, part) =>
    row.slice(part * COLUMNS_MAX, (part + 1) * COLUMNS_MAX),
  )
}
