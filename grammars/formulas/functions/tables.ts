import { BOOLEAN, fits, INT } from '../checking/types.ts'
import type { Type } from '../checking/types.ts'
import { copyOf, listOf, plain } from '../cost/extremes.ts'
import type { Extreme } from '../cost/extremes.ts'
import { times } from '../cost/magnitudes.ts'
import { FormulaError } from '../numbers/formula-error.ts'
import type { Value } from '../numbers/value.ts'
import { LIST_STEPS, spend } from '../running/frame.ts'
import { misfit } from './built-in.ts'
import type { BuiltIn, Misfit } from './built-in.ts'
import { listExtreme } from './prices.ts'

type Table = readonly (readonly Value[])[]

/** Refuses what is not a list of lists. */
function unlessTable(name: string, type: Type | undefined): Misfit | null {
  if (type?.kind === 'list' && (type.of.kind === 'list' || type.of.kind === 'nothing')) return null
  return misfit(name, 0, 'a table, which is a list of lists,', type ?? INT)
}

const isTable: BuiltIn = {
  name: 'isTable',
  call: 'isTable(table, m, n)',
  meaning: 'whether a list of lists has m rows of n elements each',
  steps: '1 for each row',
  takes: [3],
  resolve([table, ...sizes]) {
    const refused = unlessTable('isTable', table)
    if (refused) return refused
    for (const [i, size] of sizes.entries()) if (!fits(size, INT)) return misfit('isTable', i + 1, 'an int', size)
    return {
      type: BOOLEAN,
      run(frame, [rows, m, n]) {
        spend(frame, (rows as Table).length)
        return (rows as Table).length === m && (rows as Table).every((row) => row.length === n)
      },
      most: ([rows]) => ({ steps: listExtreme(rows).most, value: plain(2, 0) }),
      assume([rows, m, n]) {
        if (rows?.kind !== 'list') return
        if (m?.kind === 'number') rows.most = Math.min(rows.most, Math.max(0, m.high))
        if (n?.kind === 'number' && rows.of.kind === 'list') rows.of.most = Math.min(rows.of.most, Math.max(0, n.high))
      },
    }
  },
}

const transpose: BuiltIn = {
  name: 'transpose',
  call: 'transpose(table)',
  meaning: 'the list of its columns, of a list of rows that have equally many elements',
  steps: '4, 1 for each row, 4 for each column and 1 for each element',
  takes: [1],
  resolve([table = INT]) {
    const refused = unlessTable('transpose', table)
    if (refused) return refused
    return {
      type: table,
      run(frame, [value]) {
        const rows = value as Table
        spend(frame, LIST_STEPS + rows.length)
        const columns = rows[0]?.length ?? 0
        if (rows.some(({ length }) => length !== columns)) {
          throw new FormulaError('transpose(...) needs rows that have equally many elements.')
        }
        spend(frame, columns * (LIST_STEPS + rows.length))
        return Array.from({ length: columns }, (_, column) => rows.map((row) => row[column]!))
      },
      most([value]) {
        const rows = listExtreme(value)
        const row = listExtreme(rows.of)
        const steps = LIST_STEPS + rows.most + times(row.most, LIST_STEPS + rows.most)
        const column: Extreme = listOf(copyOf(row.of), rows.most, false)
        return { steps, value: listOf(column, row.most, false) }
      },
    }
  },
}

export const tableFunctions: readonly BuiltIn[] = [isTable, transpose]
