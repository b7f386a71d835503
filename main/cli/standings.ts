import type { CountColumn, Interval } from '../contract/procedures/procedures.ts'
import type { Terminal } from './terminal.ts'
import { table } from './text.ts'

/** The standing of an entrant. `points` is the exact value. */
export interface StandingLine {
  readonly rank: number
  readonly agent: string
  /** The school whose entry it is; absent: it is of this class. */
  readonly school?: string
  readonly points: number
  readonly matches: number
  readonly wins: number
  /** The number of matches from which it was removed. */
  readonly removals: number
  readonly faults: number
  readonly counts?: Readonly<Record<string, number>>
  /** The last stage that it reached, where stages eliminate entrants. */
  readonly stage?: number
  /** See `EntrantRating`; absent: not estimated. */
  readonly rating?: number
  readonly interval?: Interval | null
}

/** Instead of an interval. */
const TOO_FEW = 'too few matches'

const columns = [
  { title: 'rank', align: 'right' },
  { title: 'agent', align: 'left' },
  { title: 'points', align: 'right' },
  { title: 'matches', align: 'right' },
  { title: 'wins', align: 'right' },
  { title: 'removed', align: 'right' },
  { title: 'faults', align: 'right' },
] as const

const schoolColumn = { title: 'school', align: 'left' } as const
const stageColumn = { title: 'round', align: 'right' } as const
const ratingColumns = [
  { title: 'rating', align: 'right' },
  { title: '95 % interval', align: 'right' },
] as const
const titleOf = ({ label }: CountColumn) => ({ title: label.toLowerCase(), align: 'right' }) as const

/** Standings as the lines of a table, the header first; `counted`: the columns of what the game counts. */
export function standingsLines(
  terminal: Terminal,
  standings: readonly StandingLine[],
  counted: readonly CountColumn[] = [],
): readonly string[] {
  const eliminates = standings[0]?.stage !== undefined
  const isJoint = standings.some(({ school }) => school !== undefined)
  const isRated = standings[0]?.rating !== undefined
  const rows = standings.map((row) => [
    String(row.rank),
    row.agent,
    ...(isJoint ? [row.school ?? ''] : []),
    ...(eliminates ? [String(row.stage)] : []),
    row.points.toFixed(1),
    String(row.matches),
    String(row.wins),
    String(row.removals),
    String(row.faults),
    ...counted.map(({ id }) => String(row.counts?.[id] ?? 0)),
    ...(isRated ? ratingCells(row) : []),
  ])
  const [header = '', ...lines] = table(
    [
      ...columns.slice(0, 2),
      ...(isJoint ? [schoolColumn] : []),
      ...(eliminates ? [stageColumn] : []),
      ...columns.slice(2),
      ...counted.map(titleOf),
      ...(isRated ? ratingColumns : []),
    ],
    rows,
  )
  return [terminal.paint('dim', header), ...lines]
}

function ratingCells({ rating = 0, interval = null }: StandingLine): readonly string[] {
  return [rating.toFixed(0), interval === null ? TOO_FEW : `${interval[0].toFixed(0)} to ${interval[1].toFixed(0)}`]
}
