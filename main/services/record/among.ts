import type { DatabaseSync } from 'node:sqlite'
import type { EntrantId } from '../../contract/ids.ts'
import { quoted } from './schema.ts'

/** The matches of an agent in which nobody else plays than some opponents. */
export interface AmongOpponents {
  readonly agent: EntrantId
  readonly others: readonly EntrantId[]
}

/** The table of the matches that are left; queries of ours read it through the views below. */
export const AMONG = 'among_matches'

/**
 * Narrows a database to these matches, for this connection: temporary views take the place of its tables, and its own views are made
 * over them.
 */
export function narrowTo(database: DatabaseSync, { agent, others }: AmongOpponents): void {
  const named = (type: 'table' | 'view'): readonly (readonly [name: string, sql: string])[] =>
    database.prepare('SELECT name, sql FROM main.sqlite_schema WHERE type = ?').all(type) as never
  const ofMatches = named('table').filter(
    ([name]) => database.prepare("SELECT 1 FROM pragma_table_info(?) WHERE name = 'match'").get(name) !== undefined,
  )
  database.exec(`CREATE TEMP TABLE ${AMONG} (match INTEGER PRIMARY KEY)`)
  database
    .prepare(
      `INSERT INTO ${AMONG} SELECT match FROM main.seats GROUP BY match
       HAVING sum(entrant = ?) > 0 AND sum(entrant NOT IN (SELECT value FROM json_each(?))) = 0`,
    )
    .run(agent, JSON.stringify([agent, ...others]))
  for (const [name] of ofMatches)
    database.exec(
      `CREATE TEMP VIEW ${quoted(name)} AS SELECT * FROM main.${quoted(name)} WHERE match IN (SELECT match FROM ${AMONG})`,
    )
  for (const [, sql] of named('view')) database.exec(sql.replace(/^CREATE VIEW/, 'CREATE TEMP VIEW'))
}
