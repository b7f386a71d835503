import type { Column } from '../../../parts/lists/table.ts'
import { spaced } from '../../../games/settings-fields.ts'
import { number } from '../../../words.ts'
import type { PartColumn, PartRow, PartsForm } from '../../../../main/contract/game/match-parts.ts'

/** A row of a table of a game's own format. */
export type FormatRow = Readonly<Record<string, unknown>>

/** The columns of a table with rows as they come; the agent is first, because it is a link. */
export function columnsOf(rows: readonly FormatRow[]): readonly Column<FormatRow>[] {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const sorted = [...keys.filter((key) => key === 'agent'), ...keys.filter((key) => key !== 'agent')]
  return sorted.map((key): Column<FormatRow> => {
    const label = spaced(key)
    if (!rows.every((row) => typeof row[key] === 'number')) return { key, label, text: (row) => textOf(row[key]) }
    return { key, label, numeric: true, text: (row) => number(Number(row[key])), sortBy: (row) => Number(row[key]) }
  })
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined ? '' : JSON.stringify(value)
}

/** Digits after the point of amounts and means. */
const DIGITS = 3

/** The columns of a table of parts. */
export function partColumns({
  partWord,
  columns,
}: Pick<PartsForm, 'partWord' | 'columns'>): readonly Column<PartRow>[] {
  const nameOf = ({ part }: PartRow): string => part ?? 'all others'
  return [
    { key: 'agent', label: 'agent', text: ({ agent }) => agent, sortBy: ({ agent }) => agent },
    { key: 'part', label: partWord, text: nameOf, sortBy: nameOf },
    { key: 'role', label: 'as', text: ({ role }) => role, sortBy: ({ role }) => role },
    ...columns.map(valueColumn),
  ]
}

function valueColumn(column: PartColumn): Column<PartRow> {
  const { id: key } = column
  const unit = column.kind === 'amount' ? column.unit : 1
  return {
    key,
    label: key,
    numeric: true,
    text: ({ [key]: value }) => (typeof value === 'number' ? number(value / unit, DIGITS) : ''),
    // A missing mean sorts below all others.
    sortBy: ({ [key]: value }) => (typeof value === 'number' ? value : -Infinity),
  }
}
