import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { MinedTable } from '../../../main/contract/procedures/procedures.ts'

/** The words of SQL that the editor marks and offers, in small letters. */
export const keywords = new Set(
  `all and as asc between by case cast cross desc distinct else end escape except exists filter following from full glob group
  having in inner intersect is isnull join left like limit natural not notnull null offset on or order outer over partition
  preceding range recursive right rows select then unbounded union using values when where window with`.split(/\s+/),
)

/** Offers tables, their columns, and words of SQL. After a table and a dot, its columns alone. */
export function sqlCompletion(context: CompletionContext, tables: readonly MinedTable[]): CompletionResult | null {
  const word = context.matchBefore(/[\w.]*/)
  if (word === null || (word.from === word.to && !context.explicit)) return null
  const dot = word.text.lastIndexOf('.')
  const of = tables.find(({ name }) => name === word.text.slice(0, Math.max(0, dot)))
  const columnsOf = ({ columns }: MinedTable) => columns.map(({ name, about }) => ({ label: name, detail: about }))
  if (dot !== -1) return of === undefined ? null : { from: word.from + dot + 1, options: columnsOf(of) }
  const columns = new Map(tables.flatMap((table) => columnsOf(table)).map((each) => [each.label, each]))
  return {
    from: word.from,
    options: [
      ...tables.map(({ name, about }) => ({ label: name, detail: about, boost: 1 })),
      ...columns.values(),
      ...[...keywords].map((each) => ({ label: each.toUpperCase(), boost: -1 })),
    ],
    validFor: /^\w*$/,
  }
}
