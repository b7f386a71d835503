import type { ContestReport } from '../services/contests/contest-command.ts'
import type { ContestTables, CountColumn, StandingRow } from '../contract/procedures.ts'
import { standingsLines } from './standings.ts'
import type { Terminal } from './terminal.ts'
import { count, safeLine, table } from './text.ts'

/** What the tables of a contest are made from. */
type Told = Pick<ContestReport, 'standings' | 'headToHead' | 'countColumns' | 'tables'>

/** Entrants of which a terminal shows who got how much from whom. */
const MATRIX_MAX = 12
/** Rows of a further table that are listed; `--json` has all. */
const ROWS_MAX = 20

const right = (title: string) => ({ title, align: 'right' as const })
const left = (title: string) => ({ title, align: 'left' as const })

/** The standings of a contest, with what its game counts; and what its format has beside them. */
export function contestTables(terminal: Terminal, told: Told): readonly string[] {
  const { standings, countColumns, tables } = told
  const { pairs, walkedAway = [], ...others } = tables
  return [
    ...(pairs === undefined ? standingsLines(terminal, standings, countColumns) : sessionLines(terminal, told)),
    ...walkedAwayLines(walkedAway),
    ...Object.entries(others).flatMap(([name, rows = []]) => ['', `${safeLine(name)}:`, ...rowLines(terminal, rows)]),
  ]
}

/** Of ordered pairs: totals, and the mean that each got from each. */
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

/** Best first; what both seats of a pair came to. */
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

/** A table of a format that is nobody's but its game's: its rows as they are. */
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
