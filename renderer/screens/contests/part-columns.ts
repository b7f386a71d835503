import type { PartColumn, PartRow, PartsForm } from '../../../main/contract/match-parts.ts'
import type { Column } from '../../parts/table.ts'
import { number } from '../../words.ts'

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
    // A mean of nothing is below all others.
    sortBy: ({ [key]: value }) => (typeof value === 'number' ? value : -Infinity),
  }
}
