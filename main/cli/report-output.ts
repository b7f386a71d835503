import type { ContestReport } from '../services/contests/command/contest-report.ts'
import type { ContestTables, CountColumn, StandingRow, PairRow } from '../contract/procedures/procedures.ts'
import { standingsLines } from './standings.ts'
import { rulingLines } from './rulings.ts'
import type { VerbOutput } from '../contract/outputs/verb-outputs.ts'
import type { Terminal } from './terminal.ts'
import { count, safeLine, table } from './text.ts'
import type { PartsTable } from '../contract/game/match-parts.ts'
import type { Breakdowns } from '../contract/contests/standings.ts'

/** The parts of a report that the tables use. */
type Told = Pick<ContestReport, 'standings' | 'headToHead' | 'countColumns' | 'tables' | 'schools' | 'shares' | 'ruled'>

/** The maximum number of entrants for which a terminal shows the scores of each against each. */
const MATRIX_MAX = 12
/** The maximum number of rows of additional tables; `--json` has all. */
const ROWS_MAX = 20

const right = (title: string) => ({ title, align: 'right' as const })
const left = (title: string) => ({ title, align: 'left' as const })

/** The standings of a contest with the game's counts, and the tables of its format. */
export function contestTables(terminal: Terminal, told: Told): readonly string[] {
  const { countColumns, tables, schools, shares, ruled } = told
  const schoolOf = new Map(schools.map(({ entrant, school }) => [entrant, school.name]))
  const standings = told.standings.map((row) => {
    const school = schoolOf.get(row.agent)
    return school === undefined ? row : { ...row, school }
  })
  const { pairs, walkedAway = [], ...others } = tables
  return [
    ...(pairs === undefined ? standingsLines(terminal, standings, countColumns) : sessionLines(terminal, told)),
    ...(ruled === undefined ? [] : rulingLines({ ...ruled, standings: told.standings })),
    ...(shares === undefined
      ? []
      : ['', 'With shares for the authors of components:', ...shareLines(terminal, shares)]),
    ...walkedAwayLines(walkedAway),
    ...schoolLines(schools),
    ...Object.entries(others).flatMap(([name, rows = []]) => ['', `${safeLine(name)}:`, ...rowLines(terminal, rows)]),
  ]
}

/** The points of play, and what teams gave and received for components. */
function shareLines(terminal: Terminal, shares: NonNullable<Told['shares']>): readonly string[] {
  const columns = [right('rank'), left('team'), ...['points', 'given', 'received', 'total'].map(right)]
  const rows = shares.map(({ rank, team, points, given, received, total }) => [
    String(rank),
    team,
    ...[points, given / 100, received / 100, total].map((each) => each.toFixed(2)),
  ])
  return titled(terminal, table(columns, rows))
}

/** Results of sessions: totals, and the mean score of each against each. */
function sessionLines(terminal: Terminal, told: Told): readonly string[] {
  const { standings, countColumns } = told
  const columns = [...totalColumns, ...countColumns.flatMap(countTitles), right('aborted'), left('')]
  const rows = standings.map((row) => totalCells(row, countColumns))
  return [
    ...titled(terminal, table(columns, rows)),
    ...(standings.length > MATRIX_MAX ? [] : ['', 'Mean score of each (row) with each (column):', ...matrix(told)]),
  ]
}

const titled = ({ paint }: Terminal, [header = '', ...lines]: readonly string[]): readonly string[] => [
  paint('dim', header),
  ...lines,
]

const totalColumns = [
  right('rank'),
  left('agent'),
  right('total'),
  right('sessions'),
  right('per session'),
  right('first'),
  right('second'),
]

const countTitles = ({ label, per }: CountColumn) =>
  [label, ...(per === undefined ? [] : [per])].map((title) => right(title.toLowerCase()))

function totalCells(row: StandingRow, columns: readonly CountColumn[]): readonly string[] {
  const { rank, agent, score, matches, removals, session, counts = {} } = row
  const seats = session?.bySeat ?? []
  return [
    String(rank),
    agent,
    String(score),
    String(matches),
    mean(score, matches),
    ...[0, 1].map((seat) => mean(seats[seat]?.score ?? 0, seats[seat]?.sessions ?? 0)),
    ...columns.flatMap(({ id, per }) => {
      const counted = counts[id] ?? 0
      return [String(counted), ...(per === undefined ? [] : [mean(score, counted)])]
    }),
    String(removals),
    session?.final === true ? 'finalist' : '',
  ]
}

/** Best entrant first; the scores of both seats combined. */
function matrix({ standings, headToHead }: Told): readonly string[] {
  const { names, better, met } = headToHead
  const best = standings.map(({ agent }) => agent)
  const places = best.map((agent) => names.indexOf(agent))
  return table(
    [left('agent'), ...best.map(right)],
    best.map((agent, i) => [
      agent,
      ...places.map((column) => mean(better[places[i]!]?.[column] ?? 0, met[places[i]!]?.[column] ?? 0)),
    ]),
  )
}

function walkedAwayLines(reasons: NonNullable<ContestTables['walkedAway']>): readonly string[] {
  if (reasons.length === 0) return []
  const commonest = reasons.toSorted((a, b) => b.sessions - a.sessions).slice(0, ROWS_MAX)
  return [
    '',
    'Sessions broken off:',
    ...commonest.map(
      ({ agent, reason, sessions }) =>
        `  ${safeLine(agent)}, ${count(sessions, 'session', 'sessions')}: ${safeLine(reason)}`,
    ),
  ]
}

/** The schools whose entries play, with the fingerprints of their keys. */
function schoolLines(schools: Told['schools']): readonly string[] {
  const bySchool = Map.groupBy(schools, ({ school }) => `${school.name}, fingerprint ${school.fingerprint}`)
  return [...bySchool].map(([school, entrants]) => {
    const names = entrants.map(({ entrant }) => safeLine(entrant))
    return `Entries of ${safeLine(school)}: ${names.slice(0, ROWS_MAX).join(', ')}${names.length > ROWS_MAX ? ', ...' : ''}.`
  })
}

/** A table of a game's own format, with its rows unchanged. */
function rowLines(terminal: Terminal, rows: readonly object[]): readonly string[] {
  const cellsOf = (row: object): ReadonlyMap<string, unknown> => new Map(Object.entries(row))
  const keys = [...new Set(rows.flatMap((row) => [...cellsOf(row).keys()]))]
  const isNumber = (key: string): boolean => rows.every((row) => typeof cellsOf(row).get(key) === 'number')
  const columns = keys.map((key) => (isNumber(key) ? right(key) : left(key)))
  const cell = (value: unknown): string => {
    if (typeof value === 'string') return value
    return value === undefined ? '' : JSON.stringify(value)
  }
  return titled(
    terminal,
    table(
      columns,
      rows.slice(0, ROWS_MAX).map((row) => keys.map((key) => cell(cellsOf(row).get(key)))),
    ),
  )
}

const mean = (sum: number, of: number): string => (of === 0 ? '-' : (sum / of).toFixed(4))

/**
 * A report as `contest run --json` prints it. The table of parts is one of the breakdowns; `parts` has the number of
 * matches that it covers. Counts of the game are added to the rows of sessions and pairs, and the format's tables to the
 * report.
 */
export function contestJson({
  tables,
  countColumns: _,
  standings,
  parts,
  ...report
}: ContestReport): VerbOutput<'contest run'> {
  const { pairs, ...others } = tables
  return {
    ...others,
    ...report,
    ...(parts === null ? {} : partsJson(report.breakdowns, parts)),
    standings: standings.map(standingJson),
    ...(pairs === undefined ? {} : { pairs: pairs.map(pairJson) }),
  }
}

function partsJson(breakdowns: Breakdowns, { title, matches, complete, rows }: PartsTable) {
  return { breakdowns: { ...breakdowns, [title]: rows }, parts: { title, matches, complete } }
}

function standingJson({ counts, session, ...row }: ContestReport['standings'][number]) {
  if (session === undefined) return counts === undefined ? row : { ...row, counts }
  return { ...row, session: { ...counts, ...session } }
}

const pairJson = ({ counts, ...row }: PairRow) => ({ ...counts, ...row })
