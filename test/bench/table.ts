import { table } from '../../main/cli/text.ts'
import type { Figure, Row } from './row.ts'

/** The rows as an aligned table, a line each. */
export function tableOf(rows: readonly Row[]): readonly string[] {
  return table(
    [
      { title: 'Measured', align: 'left' },
      { title: 'figure', align: 'right' },
      { title: 'unit', align: 'left' },
      { title: 'Baseline', align: 'left' },
      { title: 'figure', align: 'right' },
      { title: 'unit', align: 'left' },
      { title: 'ratio', align: 'right' },
      { title: 'target', align: 'left' },
    ],
    rows.map((row) => [...cells(row), ...cells(row.baseline), digits(row.ratio), targetOf(row)]),
  )
}

function cells({ name, value, unit }: Figure): readonly string[] {
  return [name, digits(value), unit]
}

function targetOf({ unit, target }: Row): string {
  if (target === undefined) return ''
  const bound =
    target.atLeast === undefined ? `below ${digits(target.below ?? 0)}` : `at least ${digits(target.atLeast)}`
  return target.of === 'ratio' ? `${bound} (ratio)` : `${bound} ${unit}`
}

/** Three digits that matter. */
function digits(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return value.toLocaleString('en', { maximumSignificantDigits: 3 })
}
