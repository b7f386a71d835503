import type { GameContests, Tally } from '../../../contract/contests/contest-format.ts'
import type { EntrantId } from '../../../contract/ids.ts'
import type { ContestTables, HeadToHead, Interval } from '../../../contract/contests/standings.ts'
import { createGroupedValues, type GroupedValues } from '../statistics/grouped-values.ts'
import {
  DETAIL_MAX,
  type PairRow,
  type RemovalReason,
  type StandingRow,
} from '../../../contract/procedures/procedures.ts'
import { addCounts, namedCounts, shownScore, zeroCounts } from './counting.ts'
import { entrantPlaces } from './entrant-places.ts'

/** The maximum number of different reasons listed for an entrant; further ones count as the last. */
const REASONS_MAX = 20

interface PairSum {
  sessions: number
  /** In the order of the game's counts. */
  readonly counts: number[]
  readonly score: [number, number]
  readonly aborts: [number, number]
  /** Sessions in which each seat scored more than the other. */
  readonly wins: [number, number]
}

/** The sessions of a contest of ordered pairs. Entrants are indices here. */
interface PairTables {
  readonly names: readonly EntrantId[]
  readonly contests: GameContests
  readonly finalists: () => readonly number[]
  /** Points that rulings give or take, by entrant. */
  readonly ruled: readonly number[]
  /** The number of entrants. */
  readonly n: number
  readonly everybody: readonly number[]
  /** Entrants by their names. */
  readonly places: ReadonlyMap<EntrantId, number>
  /** By first and second: `first * n + second`. */
  readonly pairs: Map<number, PairSum>
  /** Scores of an entrant with another, in any seats: `entrant * n + other`. */
  readonly values: GroupedValues
  /** The least score, 0 if none is below it. */
  least: number
  /** By entrant. */
  readonly faults: number[]
  /** How often each reason ended a session of an entrant. */
  readonly reasons: readonly Map<string, number>[]
}

/**
 * Creates the empty tables of a contest of ordered pairs, whose points are scores. `finalists`: returns the finalists
 * when the first stage is over, before that none. They rank before all others, by their scores against one another in
 * both stages. `ruled`: points that rulings give or take, by entrant.
 */
export function createPairTally(
  names: readonly EntrantId[],
  contests: GameContests,
  finalists: () => readonly number[],
  ruled: readonly number[] = [],
): Tally {
  const n = names.length
  const tables: PairTables = {
    names,
    contests,
    finalists,
    ruled,
    n,
    everybody: names.map((_, at) => at),
    places: new Map(names.map((name, at) => [name, at])),
    pairs: new Map(),
    values: createGroupedValues(n * (n - 1)),
    least: 0,
    faults: names.map(() => 0),
    reasons: names.map(() => new Map()),
  }
  return {
    add: (match) => addSession(tables, match),
    totals: () => tables.everybody.map((at) => rowOf(tables, at, tables.everybody, false)),
    standings: () => standingsOf(tables),
    intervals: () => intervalsOf(tables),
    headToHead: () => ({ ...meetingsOf(tables, ({ score }, seat) => score[seat]), scores: true }),
    placings: () => meetingsOf(tables, ({ sessions, wins }, seat) => (sessions + wins[seat] - wins[1 - seat]!) / 2),
    tables: () => detailTables(tables),
  }
}

function addSession(tables: PairTables, { entrants, outcome, faults, unit }: Parameters<Tally['add']>[0]): void {
  const { n, pairs, contests, places } = tables
  const scores = outcome.places.map(({ score }) => shownScore(score, contests))
  const [first, second] = entrantPlaces(outcome, scores, (seat) => places.get(entrants[seat] ?? '') ?? -1)
  if (first === undefined || second === undefined || first.entrant === -1 || second.entrant === -1) return
  const key = first.entrant * n + second.entrant
  const met = pairs.get(key) ?? {
    sessions: 0,
    counts: zeroCounts(contests),
    score: [0, 0],
    aborts: [0, 0],
    wins: [0, 0],
  }
  pairs.set(key, met)
  met.sessions += 1
  addCounts(contests, outcome, met.counts)
  for (const seat of [0, 1] as const) {
    const [own, other] = seat === 0 ? [first, second] : [second, first]
    const { entrant, seats, points: score, removals, reason } = own
    met.score[seat] += score
    tables.values.add(entrant * n + other.entrant, unit, score)
    tables.least = Math.min(score, tables.least)
    if (score > other.points) met.wins[seat] += 1
    for (const each of seats) tables.faults[entrant]! += faults[each] ?? 0
    if (removals === 0) continue
    met.aborts[seat] += 1
    countReason(tables, entrant, reason ?? '')
  }
}

/** Finalists first, by their sessions with one another. */
function standingsOf(tables: PairTables): readonly StandingRow[] {
  const { everybody } = tables
  const best = tables.finalists()
  const chosen = new Set(best)
  const byPoints = (a: Omit<StandingRow, 'rank'>, b: Omit<StandingRow, 'rank'>): number => b.points - a.points
  const inFinal = best.map((at) => rowOf(tables, at, best, true)).sort(byPoints)
  const others = everybody.filter((at) => !chosen.has(at)).map((at) => rowOf(tables, at, everybody, false))
  return [...ranked(inFinal, 0), ...ranked(others.sort(byPoints), inFinal.length)]
}

function intervalsOf(tables: PairTables): ReadonlyMap<EntrantId, Interval> {
  const best = tables.finalists()
  const chosen = new Set(best)
  return new Map(
    tables.names.flatMap((name, at) => {
      const interval = intervalOf(tables, at, chosen.has(at) ? best : tables.everybody)
      return interval === null ? [] : [[name, interval]]
    }),
  )
}

/** `better`: from the sessions in which an entrant had this seat. */
function meetingsOf(
  { n, names, pairs }: PairTables,
  better: (met: PairSum, seat: 0 | 1) => number,
): Omit<HeadToHead, 'scores'> {
  const heads = n > DETAIL_MAX ? [] : names
  const of = (each: (met: PairSum, seat: 0 | 1) => number): number[][] =>
    heads.map((_, i) =>
      heads.map((__, j) => {
        const [first, second] = [pairs.get(i * n + j), pairs.get(j * n + i)]
        return (first === undefined ? 0 : each(first, 0)) + (second === undefined ? 0 : each(second, 1))
      }),
    )
  return { names: heads, better: of(better), met: of(({ sessions }) => sessions) }
}

function detailTables({ n, names, contests, pairs, reasons }: PairTables): ContestTables {
  return {
    pairs: [...pairs]
      .sort(([a], [b]) => a - b)
      .map(([key, { sessions, counts, score, aborts }]): PairRow => {
        const [first, second] = [names[Math.floor(key / n)]!, names[key % n]!]
        return { first, second, sessions, ...namedCounts(contests, counts), score, aborts }
      }),
    walkedAway: names.flatMap((agent, at) =>
      [...reasons[at]!].map(([reason, sessions]): RemovalReason => ({ agent, reason, sessions })),
    ),
  }
}

function countReason(tables: PairTables, entrant: number, reason: string): void {
  const all = tables.reasons[entrant]!
  const known = all.has(reason) || all.size < REASONS_MAX ? reason : [...all.keys()].at(-1)!
  all.set(known, (all.get(known) ?? 0) + 1)
}

/** The sessions of an entrant in a seat with another in the other one. */
function pairOf(tables: PairTables, entrant: number, other: number, seat: 0 | 1): PairSum | undefined {
  return tables.pairs.get(seat === 0 ? entrant * tables.n + other : other * tables.n + entrant)
}

/** An entrant's row from its sessions with `others`. */
function rowOf(
  tables: PairTables,
  entrant: number,
  others: readonly number[],
  final: boolean,
): Omit<StandingRow, 'rank'> {
  const sum = { matches: 0, score: 0, wins: 0, removals: 0 }
  const counted = zeroCounts(tables.contests)
  const seats: [number, number][] = [
    [0, 0],
    [0, 0],
  ]
  for (const other of others) {
    if (other === entrant) continue
    for (const seat of [0, 1] as const) {
      const met = pairOf(tables, entrant, other, seat)
      if (met === undefined) continue
      sum.matches += met.sessions
      for (const [at, count] of met.counts.entries()) counted[at]! += count
      sum.score += met.score[seat]
      sum.removals += met.aborts[seat]
      sum.wins += met.wins[seat]
      seats[seat]![0] += met.sessions
      seats[seat]![1] += met.score[seat]
    }
  }
  const bySeat = seats.map(([sessions, score]) => ({ sessions, score }))
  const points = sum.score + (tables.ruled[entrant] ?? 0)
  const row = { agent: tables.names[entrant]!, ...sum, points, faults: tables.faults[entrant]! }
  return { ...row, ...namedCounts(tables.contests, counted), session: { bySeat, final } }
}

/** The interval of an entrant's score per session with `others`, as in its row. */
function intervalOf(tables: PairTables, entrant: number, others: readonly number[]): Interval | null {
  return tables.values.interval(
    others.map((other) => entrant * tables.n + other),
    [tables.least, Infinity],
  )
}

/** Adds ranks to sorted rows that come after `before` others; ties share a rank. */
function ranked(rows: readonly Omit<StandingRow, 'rank'>[], before: number): readonly StandingRow[] {
  let rank = 0
  return rows.map((row, at) => {
    if (row.points !== rows[at - 1]?.points) rank = before + at + 1
    return { ...row, rank }
  })
}
