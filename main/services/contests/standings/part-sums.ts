import type { EntrantId } from '../../../contract/ids.ts'
import type { PartColumn, PartRow, PartsForm, PartsTable, SeatPart } from '../../../contract/game/match-parts.ts'

/** The results of entrants in the parts of matches, added up. */
export interface PartSums {
  /** `entrants`: by seat; null: one for whom the match does not count. */
  add(entrants: readonly (EntrantId | null)[], parts: readonly SeatPart[]): void
  /** The rows of the table. */
  rows(): PartsTable['rows']
}

/** The maximum number of rows in memory; parts that come later are added up as parts without a name. */
const KEPT_MAX = 20_000
/** The maximum number of rows of named parts that are shown. */
const SHOWN_MAX = 500

interface Row {
  readonly agent: EntrantId
  readonly part: string | null
  readonly role: string
  readonly sums: Record<string, number>
}

/**
 * Creates empty sums. If there are more rows than `shown`, those with the least of the form's `amount` are added up in
 * one row for each agent and role. The rows depend on the order of the matches only beyond `kept` rows.
 */
export function createPartSums(
  form: PartsForm,
  { kept = KEPT_MAX, shown = SHOWN_MAX }: { readonly kept?: number; readonly shown?: number } = {},
): PartSums {
  const all = createRows()
  return {
    add(entrants, parts) {
      for (const { seat, part, role, sums } of parts) {
        const agent = entrants[seat] ?? null
        if (agent === null) continue
        const named = all.has(agent, part, role) || all.named < kept
        addTo(all.of(agent, named ? part : null, role), sums)
      }
    },
    rows() {
      const named = all.list().filter(({ part }) => part !== null)
      named.sort((a, b) => b.sums[form.amount]! - a.sums[form.amount]! || byName(a, b))
      const table = createRows()
      for (const { agent, part, role, sums } of named.slice(0, shown)) addTo(table.of(agent, part, role), sums)
      const others = [...named.slice(shown), ...all.list().filter(({ part }) => part === null)]
      for (const { agent, role, sums } of others) addTo(table.of(agent, null, role), sums)
      // The sums of what has no name of its own come last.
      const rank = ({ part }: Row): number => (part === null ? 1 : 0)
      const best = (a: Row, b: Row): number => b.sums[form.best]! - a.sums[form.best]!
      const sorted = table.list().sort((a, b) => rank(a) - rank(b) || best(a, b) || byName(a, b))
      return sorted.map((row) => rowOf(row, form))
    },
  }
}

function createRows() {
  const rows = new Map<string, Row>()
  let named = 0
  const keyOf = (agent: EntrantId, part: string | null, role: string): string => JSON.stringify([agent, part, role])
  return {
    /** The number of rows whose part has a name. */
    get named() {
      return named
    },
    list: (): Row[] => [...rows.values()],
    has: (agent: EntrantId, part: string | null, role: string): boolean => rows.has(keyOf(agent, part, role)),
    /** The sums of a row, which is created if there is none. */
    of(agent: EntrantId, part: string | null, role: string): Record<string, number> {
      const key = keyOf(agent, part, role)
      const known = rows.get(key)
      if (known !== undefined) return known.sums
      const row: Row = { agent, part, role, sums: {} }
      rows.set(key, row)
      if (part !== null) named += 1
      return row.sums
    },
  }
}

function addTo(sums: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [column, value] of Object.entries(more)) sums[column] = (sums[column] ?? 0) + value
}

function byName(a: Row, b: Row): number {
  return compare(a.agent, b.agent) || compare(a.part ?? '', b.part ?? '') || compare(a.role, b.role)
}

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

function rowOf({ agent, part, role, sums }: Row, { columns }: PartsForm): PartRow {
  const values = columns.map((column) => [column.id, valueOf(column, sums)] as const)
  return { agent, part, role, ...Object.fromEntries(values) }
}

function valueOf(column: PartColumn, sums: Readonly<Record<string, number>>): number | null {
  const sum = sums[column.id] ?? 0
  if (column.kind !== 'mean') return sum
  const of = sums[column.per] ?? 0
  return of === 0 ? null : sum / of / column.unit
}
