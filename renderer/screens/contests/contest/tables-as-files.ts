import type { EntrantId } from '../../../../main/contract/ids.ts'
import type { EntrantTeam } from '../../../../main/contract/contests/contest-procedures.ts'
import type { EntrantRating } from '../../../../main/contract/contests/standings.ts'
import type {
  CountColumn,
  Interval,
  MatchSummary,
  StandingRow,
} from '../../../../main/contract/procedures/procedures.ts'

/** A cell of a table. */
type Cell = string | number | boolean

/**
 * Standings as CSV with a header line: the columns of every contest, the round that an entrant reached if rounds
 * eliminate some, rank and points as played and the ruling after which the others are if there are rulings, the ends of the 95 % intervals of points per match if any are estimated, ratings with theirs, then the
 * game's own counts.
 */
export function standingsCsv(
  rows: readonly StandingRow[],
  counts: readonly CountColumn[],
  intervals: ReadonlyMap<EntrantId, Interval> = new Map(),
  ratings: ReadonlyMap<EntrantId, EntrantRating> = new Map(),
  ruling?: number,
): string {
  const rounds = rows.some(({ stage }) => stage !== undefined) ? ['round'] : []
  const ruled = ruling === undefined ? [] : ['after ruling', 'rank as played', 'points as played']
  const ends = intervals.size === 0 ? [] : ['points per match low', 'points per match high']
  const rated = ratings.size === 0 ? [] : ['rating', 'rating low', 'rating high']
  const head = ['rank', 'agent', 'points', 'matches', 'points per match', 'wins', 'score', 'faults', 'removals']
  return csv([
    [...head, ...rounds, ...ruled, ...ends, ...rated, ...counts.map(({ label }) => label)],
    ...rows.map((row) => [
      row.rank,
      row.agent,
      row.points,
      row.matches,
      row.points / Math.max(1, row.matches),
      row.wins,
      row.score,
      row.faults,
      row.removals,
      ...rounds.map(() => row.stage ?? ''),
      ...(ruling === undefined ? [] : [ruling, row.asPlayed?.rank ?? '', row.asPlayed?.points ?? '']),
      ...ends.map((_, end) => intervals.get(row.agent)?.[end] ?? ''),
      ...(rated.length === 0 ? [] : ratingCells(ratings.get(row.agent))),
      ...counts.map(({ id }) => row.counts?.[id] ?? 0),
    ]),
  ])
}

/** The standings of a team: the sums of its entrants. */
interface TeamRow {
  /** That of the best of its entrants among the teams; teams with equally good ones share it. */
  readonly rank: number
  readonly team: string
  /** Best first. */
  readonly agents: readonly EntrantId[]
  readonly points: number
  readonly matches: number
  readonly wins: number
  readonly score: number
  readonly faults: number
  readonly removals: number
}

/** Standings by team, best first. `rows`: those of the entrants, best first. An entrant without a team is one of its own. */
export function standingsByTeam(rows: readonly StandingRow[], teams: readonly EntrantTeam[]): readonly TeamRow[] {
  const teamOf = new Map(teams.map(({ entrant, team }) => [entrant, team]))
  const byTeam = Map.groupBy(rows, ({ agent }) => teamOf.get(agent) ?? agent)
  const best = [...byTeam.values()].map((own) => Math.min(...own.map(({ rank }) => rank)))
  return [...byTeam].map(([team, own], at) => {
    const sum = (of: 'points' | 'matches' | 'wins' | 'score' | 'faults' | 'removals'): number =>
      own.reduce((total, row) => total + row[of], 0)
    return {
      rank: 1 + best.filter((rank) => rank < best[at]!).length,
      ...{ team, agents: own.map(({ agent }) => agent) },
      ...{ points: sum('points'), matches: sum('matches'), wins: sum('wins'), score: sum('score') },
      ...{ faults: sum('faults'), removals: sum('removals') },
    }
  })
}

/** Standings by team as CSV with a header line, and the ruling after which they are if there are rulings. */
export function teamsCsv(rows: readonly TeamRow[], ruling?: number): string {
  const ruled = ruling === undefined ? [] : ['after ruling']
  const head = [
    'rank',
    'team',
    'agents',
    'points',
    'matches',
    'points per match',
    'wins',
    'score',
    'faults',
    'removals',
  ]
  return csv([
    [...head, ...ruled],
    ...rows.map(({ rank, team, agents, points, matches, wins, score, faults, removals }) => [
      ...[rank, team, agents.join('; '), points, matches, points / Math.max(1, matches)],
      ...[wins, score, faults, removals],
      ...ruled.map(() => ruling!),
    ]),
  ])
}

function ratingCells(of: EntrantRating | undefined): readonly Cell[] {
  if (of === undefined) return ['', '', '']
  return [of.rating, of.interval?.[0] ?? '', of.interval?.[1] ?? '']
}

/** Results as CSV with a header line: a row for each seat of each match. */
export function resultsCsv(matches: readonly MatchSummary[]): string {
  return csv([
    ['match', 'seat', 'agent', 'rank', 'score', 'removed'],
    ...matches.flatMap(({ match, seats }) =>
      seats.map(({ name, rank, score, removed }, seat) => [match, seat, name, rank, score, removed]),
    ),
  ])
}

/** By RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe in front. */
function csv(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')
}

function cellText(cell: Cell): string {
  if (typeof cell !== 'string') return String(cell)
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
