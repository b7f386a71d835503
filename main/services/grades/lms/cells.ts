/** A cell of a file of separated values, as it is written. */
export interface Cell {
  /** Without its quotes. */
  readonly value: string
  /** The offsets of what is written for it, quotes included, the end exclusive. */
  readonly start: number
  readonly end: number
  readonly isQuoted: boolean
}

/** The records of a text, each with the cells of its line. `null`: a quotation mark is out of place in this record, from 1. */
export function cellsIn(
  text: string,
  delimiter: string,
): { readonly records: readonly (readonly Cell[])[] } | { readonly brokenAt: number } {
  const records: Cell[][] = []
  let record: Cell[] = []
  let at = 0
  for (;;) {
    const cell = text[at] === '"' ? quoted(text, at) : plain(text, at, delimiter)
    if (cell === null) return { brokenAt: records.length + 1 }
    record.push(cell)
    at = cell.end
    const next = text[at]
    if (next === delimiter) {
      at += 1
      continue
    }
    if (next !== undefined && next !== '\n' && next !== '\r') return { brokenAt: records.length + 1 }
    records.push(record)
    record = []
    if (next === undefined) break
    at += next === '\r' && text[at + 1] === '\n' ? 2 : 1
    if (at === text.length) break
  }
  return { records }
}

function plain(text: string, start: number, delimiter: string): Cell {
  let end = start
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end += 1
  return { value: text.slice(start, end), start, end, isQuoted: false }
}

/** null: it is not closed. */
function quoted(text: string, start: number): Cell | null {
  let at = start + 1
  for (;;) {
    const mark = text.indexOf('"', at)
    if (mark === -1) return null
    if (text[mark + 1] !== '"') {
      const value = text.slice(start + 1, mark).replaceAll('""', '"')
      return { value, start, end: mark + 1, isQuoted: true }
    }
    at = mark + 2
  }
}

/** A cell as it is written. `isQuoted`: with quotes in any case. */
export function written(value: string, delimiter: string, isQuoted = false): string {
  const needsQuotes = isQuoted || value.includes(delimiter) || /["\r\n]/.test(value)
  return needsQuotes ? `"${value.replaceAll('"', '""')}"` : value
}

/** A number in a cell, such as `-5` or `66.67`, which no spreadsheet takes for a formula. */
const NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/

/** A text that no spreadsheet takes for a formula: one that begins like a formula gets an apostrophe, except for numbers. */
export function harmless(value: string): string {
  return /^[=+\-@\t\r]/.test(value) && !NUMBER.test(value) ? `'${value}` : value
}

/** The text with the cells at these offsets replaced; `edits` do not overlap. */
export function withCells(
  text: string,
  edits: readonly { readonly cell: Pick<Cell, 'start' | 'end'>; readonly written: string }[],
): string {
  let [done, out] = [0, '']
  for (const { cell, written: replacement } of edits.toSorted((a, b) => a.cell.start - b.cell.start)) {
    out += text.slice(done, cell.start) + replacement
    done = cell.end
  }
  return out + text.slice(done)
}
