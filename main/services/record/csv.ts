import type { QueryAnswer } from './query.ts'

/**
 * The rows as CSV (RFC 4180) with a line of column names. A text that a spreadsheet would take for a formula gets an apostrophe in
 * front of it: agents choose texts.
 */
export function csvLines({ columns, rows }: Pick<QueryAnswer, 'columns' | 'rows'>): readonly string[] {
  return [columns, ...rows].map((row) => row.map(cellText).join(','))
}

function cellText(cell: string | number | null): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
