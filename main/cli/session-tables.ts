import type { ContestReport } from '../services/contests/contest-command.ts'
import type { StandingRow } from '../contract/procedures.ts'
import type { Terminal } from './terminal.ts'
import { count, safeLine, table } from './text.ts'

/** The largest number of entrants for which the matrix of mean scores is shown. */
const MATRIX_MAX = 12
/** The number of reasons listed; `--json` has all. */
const REASONS_MAX = 20

const right = (title: string) => ({ title, align: 'right' as const })
const left = (title: string) => ({ title, align: 'left' as const })

/** The tables of a contest of ordered pairs: totals, mean scores per pair, and why sessions were broken off. */
export function sessionLines({ paint }: Terminal, report: ContestReport): readonly string[] {
  const { standings, walkedAway = [] } = report
  const titled = ([header = '', ...lines]: readonly string[]): readonly string[] => [paint('dim', header), ...lines]
  const reasons = walkedAway.toSorted((a, b) => b.sessions - a.sessions).slice(0, REASONS_MAX)
  return [
    ...titled(table(totalColumns, standings.map(totalCells))),
    ...(standings.length > MATRIX_MAX
      ? []
      : ['', 'Mean score of each agent (row) against each other (column):', ...matrix(report)]),
    ...(reasons.length === 0 ? [] : ['', 'Sessions broken off:']),
    ...reasons.map(
      ({ agent, reason, sessions }) =>
        `  ${safeLine(agent)}, ${count(sessions, 'session', 'sessions')}: ${safeLine(reason)}`,
    ),
  ]
}

const totalColumns = [
  right('rank'),
  left('agent'),
  right('total'),
  right('sessions'),
  right('per session'),
  right('first'),
  right('second'),
  right('agreed'),
  right('per agreement'),
  right('aborted'),
  left(''),
]

function totalCells({ rank, agent, score, matches, removals, session }: StandingRow): readonly string[] {
  const seats = session?.bySeat ?? []
  const agreements = session?.agreements ?? 0
  return [
    String(rank),
    agent,
    String(score),
    String(matches),
    mean(score, matches),
    ...[0, 1].map((seat) => mean(seats[seat]?.score ?? 0, seats[seat]?.sessions ?? 0)),
    String(agreements),
    mean(score, agreements),
    String(removals),
    session?.final === true ? 'finalist' : '',
  ]
}

/** Mean scores over both seats of each pair, best agent first. */
function matrix({ standings, pairs = [] }: ContestReport): readonly string[] {
  const met = new Map<string, { sessions: number; score: number }>()
  for (const { first, second, sessions, score } of pairs) {
    for (const [seat, key] of [`${first}\n${second}`, `${second}\n${first}`].entries()) {
      const sum = met.get(key) ?? { sessions: 0, score: 0 }
      met.set(key, { sessions: sum.sessions + sessions, score: sum.score + score[seat]! })
    }
  }
  const names = standings.map(({ agent }) => agent)
  const cell = (row: string, column: string): string => {
    const { sessions, score } = met.get(`${row}\n${column}`) ?? { sessions: 0, score: 0 }
    return mean(score, sessions)
  }
  return table(
    [left('agent'), ...names.map(right)],
    names.map((row) => [row, ...names.map((column) => cell(row, column))]),
  )
}

const mean = (sum: number, of: number): string => (of === 0 ? '-' : (sum / of).toFixed(4))
