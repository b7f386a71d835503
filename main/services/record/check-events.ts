import { DatabaseSync } from 'node:sqlite'
import { isOfSqlite } from './build-database.ts'
import type { ErasedGame } from '../../contract/game/game.ts'
import type { OutcomeBody } from '../../contract/histories/history.ts'
import type { MatchNumber, Sha256 } from '../../contract/ids.ts'
import { beginning, findNewRuns, type Segments } from './new-runs.ts'
import { readRuns } from './read-runs.ts'
import { quoted } from './schema.ts'
import { sentence } from '../../contract/sentence.ts'

/** The comparison of an events database with the segments. */
export interface CheckedEvents {
  /** The number of matches in both. */
  readonly matches: number
  /** A sentence for each difference, of the first ones; none: they fit. */
  readonly problems: readonly string[]
}

/** Differences that are listed. */
const LISTED = 20

/** The counts of a match: in the database, or in the segments. */
interface MatchCounts {
  readonly head: Sha256
  readonly inputs: number
  readonly faults: number
  readonly prints: number
}

interface Checking {
  readonly problems: string[]
  /** By match, what the tables have. */
  readonly stored: Map<MatchNumber, StoredMatch>
}

interface StoredMatch extends MatchCounts {
  /** Rows of the tables of events and faults, of results, and of the game's. */
  events: number
  seats: number
  points: number
  removals: number
  faultRows: number
  rows: number
  readonly expectedRows: number
}

/**
 * Compares the numbers of rows and the heads of all matches with the segments, which are read anew. `refresh` brings the
 * database up to date once the segments were read: a contest may go on meanwhile, and matches that end later need not be in it. Throws ExpectedError
 * 'verdict' if the segments are damaged, and MachineError.
 */
export async function checkEvents(
  game: ErasedGame,
  segments: Segments,
  file: string,
  refresh: () => Promise<unknown>,
): Promise<CheckedEvents> {
  const found = await findNewRuns(segments, beginning, () => false)
  await refresh()
  const checking: Checking = { problems: [], stored: new Map() }
  try {
    readStored(checking, game, file)
  } catch (error) {
    if (!isOfSqlite(error)) throw error
    return {
      matches: 0,
      problems: [sentence(`The database cannot be read: ${error instanceof Error ? error.message : ''}`)],
    }
  }
  const due = new Set([...found.runs.values()].map(({ match }) => match))
  const later = await findNewRuns(segments, found.next, (match) => due.has(match))
  let matches = 0
  for (const runs of [found, later])
    await readRuns(segments.folder, runs, ({ match }) => {
      const counts = { inputs: 0, faults: 0, prints: 0 }
      return {
        event({ k }) {
          counts[k === 'input' ? 'inputs' : k === 'fault' ? 'faults' : 'prints'] += 1
        },
        end(body, head) {
          if (!due.has(match) && !checking.stored.has(match)) return
          if (compare(checking, match, { ...counts, head }, body)) matches += 1
        },
      }
    })
  for (const match of checking.stored.keys()) problem(checking, match, 'is in the database and not in the segments')
  return { matches, problems: checking.problems.slice(0, LISTED) }
}

function problem({ problems }: Checking, match: MatchNumber, what: string): void {
  if (problems.length < LISTED) problems.push(`Match ${match} ${what}.`)
}

/** Compares a match, and takes it off the list. Returns true if both have it. */
function compare(
  checking: Checking,
  match: MatchNumber,
  counts: MatchCounts,
  { inputs, outcome, removals = [] }: OutcomeBody,
): boolean {
  const stored = checking.stored.get(match)
  checking.stored.delete(match)
  if (stored === undefined) {
    problem(checking, match, 'is in the segments and not in the database')
    return false
  }
  if (stored.head !== counts.head) problem(checking, match, 'has another head in the database')
  for (const what of ['inputs', 'faults', 'prints'] as const)
    if (stored[what] !== counts[what])
      problem(checking, match, `has ${counts[what]} ${what} in the segments and ${stored[what]} in the database`)
  if (inputs !== counts.inputs) problem(checking, match, `has ${counts.inputs} inputs, and its outcome says ${inputs}`)
  if (stored.events !== counts.inputs + counts.faults)
    problem(checking, match, `has ${stored.events} rows of events, not ${counts.inputs + counts.faults}`)
  if (stored.faultRows !== counts.faults)
    problem(checking, match, `has ${stored.faultRows} rows of faults, not ${counts.faults}`)
  const results = { seats: outcome.places.length, points: outcome.places.length, removals: removals.length }
  for (const table of ['seats', 'points', 'removals'] as const)
    if (stored[table] !== results[table])
      problem(checking, match, `has ${stored[table]} rows of ${table}, not ${results[table]}`)
  if (stored.rows !== stored.expectedRows)
    problem(checking, match, `has ${stored.rows} rows in the tables of the game, not ${stored.expectedRows}`)
  return true
}

function readStored({ stored }: Checking, game: ErasedGame, file: string): void {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    for (const row of database.prepare('SELECT match, head, inputs, faults, prints, rows FROM matches').iterate()) {
      const { match, head, inputs, faults, prints, rows } = row
      stored.set(Number(match), {
        ...{ head: String(head), inputs: Number(inputs), faults: Number(faults), prints: Number(prints) },
        ...{ events: 0, faultRows: 0, seats: 0, points: 0, removals: 0, rows: 0, expectedRows: Number(rows) },
      })
    }
    const count = (table: string, add: (counted: StoredMatch, rows: number) => void): void => {
      const counts = database.prepare(`SELECT match, count(*) AS n FROM ${quoted(table)} GROUP BY match`)
      for (const { match, n } of counts.iterate()) {
        const counted = stored.get(Number(match))
        if (counted !== undefined) add(counted, Number(n))
      }
    }
    count('events', (counted, rows) => (counted.events += rows))
    count('faults', (counted, rows) => (counted.faultRows += rows))
    for (const table of ['seats', 'points', 'removals'] as const)
      count(table, (counted, rows) => (counted[table] += rows))
    for (const table of Object.keys(game.tables?.tables ?? {})) count(table, (counted, rows) => (counted.rows += rows))
  } finally {
    database.close()
  }
}
