import { createPartSums } from '../../contests/standings/part-sums.ts'
import type { PartRow } from '../../../contract/game/match-parts.ts'
import { predicateTable, predicateTrade } from '../../../referees/specker/analysis/predicate-trade.ts'
import { readExports, type ReadExports } from './exported-matches.ts'

/** The points that agents earned with predicates in the matches of a contest. */
export interface ExportsPredicates extends ReadExports {
  /** The highest profit first; predicates that are too many to be named last. */
  readonly predicates: readonly PartRow[]
}

/** The columns of the table, which its rows have by their ids. */
export const { columns: predicateColumns } = predicateTable

/** Computes the table "By predicate" from exported matches, all of which count. Throws like `readExports`. */
export async function predicatesIn(files: readonly string[], key: string | undefined): Promise<ExportsPredicates> {
  const sums = createPartSums(predicateTable)
  const read = await readExports(files, key, ({ entrants, config, inputs }) =>
    sums.add(entrants, predicateTrade(config, entrants.length, inputs)),
  )
  return { ...read, predicates: sums.rows() }
}
