import type { Command } from 'commander'
import type { PartRow } from '../../../contract/game/match-parts.ts'
import { scoreText } from '../../../services/game-facts.ts'
import { predicateColumns, predicatesIn } from '../../../services/games/specker/predicates.ts'
import { addVerb, type Context } from '../../context.ts'
import { table } from '../../text.ts'
import { addExports, noteOwnKeys, readLine } from './exports.ts'

/** The maximum number of rows that a terminal shows; `--json` has more. */
const ROWS_MAX = 40

/** `tartaglia specker predicates histories/*.jsonl` */
export function addPredicates(group: Command, { terminal }: Context): void {
  const verb = addVerb(
    group,
    'predicates',
    'Show what each agent earned with each predicate, from the histories of a contest',
    'tartaglia specker predicates histories/*.jsonl',
  )
  addExports(verb).action(async (files: readonly string[], { key }: { readonly key?: string }) => {
    const report = await predicatesIn(files, key)
    noteOwnKeys(terminal, key)
    terminal.result(report)
    const { predicates } = report
    const shown = predicates.slice(0, ROWS_MAX)
    terminal.print(
      `${readLine(report)}; amounts in energy.`,
      '',
      ...table([...left, ...right], shown.map(cells)),
      ...(predicates.length > shown.length ? ['', `${predicates.length - shown.length} more rows: see --json.`] : []),
    )
  })
}

const left = ['agent', 'predicate', 'as'].map((title) => ({ title, align: 'left' as const }))
const right = predicateColumns.map(({ id }) => ({ title: id, align: 'right' as const }))

function cells(row: PartRow): readonly string[] {
  const { agent, part, role } = row
  const values = predicateColumns.map(({ id, kind }) => {
    const value = row[id]
    if (typeof value !== 'number') return '-'
    if (kind === 'amount') return scoreText('specker', value)
    return kind === 'mean' ? value.toFixed(4) : String(value)
  })
  return [agent, part ?? '(all others)', role, ...values]
}
