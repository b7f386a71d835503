import type { StandingRow } from '../../../contract/contests/standings.ts'
import type {
  TermContest,
  TermRating,
  TermResult,
  TermRow,
  TermTable,
  TermVersion,
  Trend,
} from '../../../contract/grades/term-table.ts'
import type { EntrantId, Sha256 } from '../../../contract/ids.ts'
import type { TeamId } from '../../../contract/people/teams.ts'
import type { Ratings } from '../../contests/statistics/paired-results.ts'
import type { UnitResults } from '../../contests/statistics/rating-inference.ts'
import { RATED_MAX, ratingsOver, type ContestUnits } from './term-ratings.ts'

/** The team of an entrant, or the agent itself if it belongs to no team. */
export interface Contender {
  readonly team: TeamId | null
  readonly name: string
}

/** An entrant of a contest. */
export interface TermEntrant {
  readonly name: EntrantId
  readonly contender: Contender
  readonly version: Pick<TermVersion, 'agent' | 'hash' | 'version'>
}

type Standing = Pick<StandingRow, 'agent' | 'rank' | 'points' | 'matches' | 'asPlayed'>

/** A contest that counts, as its record has it. */
export interface CountedContest extends Omit<TermContest, 'entrants'> {
  /** In the order of its description. */
  readonly entrants: readonly TermEntrant[]
  readonly standings: readonly Standing[]
  /** The meetings of every two entrants, numbered in their order: after rulings, and as they were played. */
  readonly meetings: readonly UnitResults[]
  readonly meetingsAsPlayed: readonly UnitResults[]
}

/** Numbers for things with a key, in the order in which they are first asked for. */
interface Numbers<T> {
  readonly all: readonly T[]
  of(key: string, value: T): number
}

function createNumbers<T>(): Numbers<T> {
  const known = new Map<string, number>()
  const all: T[] = []
  return {
    all,
    of(key, value) {
      const number = known.get(key) ?? all.push(value) - 1
      known.set(key, number)
      return number
    },
  }
}

const contenderKey = ({ team, name }: Contender): string => (team === null ? `agent ${name}` : `team ${team}`)
const versionKey = ({ contender, version }: TermEntrant): string => `${contenderKey(contender)} ${version.hash}`

/** A version with its contender. */
interface CountedVersion {
  readonly contender: number
  readonly hash: Sha256
  readonly shown: Pick<TermVersion, 'agent' | 'hash' | 'version'>
  contests: number
}

/** A contest with the numbers of its entrants, as contenders and as versions. */
interface NumberedContest {
  readonly contest: CountedContest
  readonly who: readonly number[]
  readonly which: readonly number[]
}

/** The table of `contests`, which are in the order in which they ended. A contest with one row of standings counts for nothing. */
export function termTable(contests: readonly CountedContest[]): Omit<TermTable, 'unreadable'> {
  const counted = contests.filter(({ standings }) => standings.length > 1)
  const contenders = createNumbers<Contender>()
  const versions = createNumbers<CountedVersion>()
  const numbersIn = (contest: CountedContest): Pick<NumberedContest, 'who' | 'which'> => {
    const who = contest.entrants.map(({ contender }) => contenders.of(contenderKey(contender), contender))
    const which = contest.entrants.map((entrant, at) =>
      versions.of(versionKey(entrant), {
        ...{ contender: who[at]!, hash: entrant.version.hash, shown: entrant.version, contests: 0 },
      }),
    )
    return { who, which }
  }
  // Those of rated contests come first, so that the others take no place in the ratings.
  for (const contest of counted) if (contest.isRated) numbersIn(contest)
  const [people, ratedVersions] = [contenders.all.length, versions.all.length]
  const numbered = counted.map((contest): NumberedContest => ({ contest, ...numbersIn(contest) }))
  for (const { which } of numbered) for (const version of new Set(which)) versions.all[version]!.contests += 1
  const ratedUnits = (
    all: readonly NumberedContest[],
    unitsOf: (each: NumberedContest) => ContestUnits,
  ): readonly ContestUnits[] => all.filter(({ contest }) => contest.isRated).map(unitsOf)
  const after = numbered.map((_, at) =>
    ratingsOver(
      people,
      ratedUnits(numbered.slice(0, at + 1), ({ who, contest }) => ({ who, units: contest.meetings })),
    ),
  )
  const byVersion = ratingsOver(
    ratedVersions,
    ratedUnits(numbered, ({ which, contest }) => ({ who: which, units: contest.meetings })),
  )
  const ratingOf = (version: number): Pick<TermVersion, 'rating' | 'interval'> =>
    version < ratedVersions && ratedVersions <= RATED_MAX ? byVersion.of(version) : { rating: null, interval: null }
  const hasRulings = counted.some(({ afterRuling }) => afterRuling !== undefined)
  const asPlayed = hasRulings
    ? ratingsOver(
        people,
        ratedUnits(numbered, ({ who, contest }) => ({ who, units: contest.meetingsAsPlayed })),
      )
    : null
  const isRated = counted.map((contest) => contest.isRated)
  const rows = contenders.all.map((contender, number): TermRow => {
    const results = numbered.flatMap(({ contest, who }, at) => resultIn(contest, who, number, at, after, isRated))
    const own = [...versions.all.entries()].filter(([, version]) => version.contender === number)
    const rated = own.map(([at, { shown, contests: played }]) => ({ ...shown, ...ratingOf(at), contests: played }))
    const last = numbered.findLast(({ who }) => who.includes(number))
    const latest = last === undefined ? undefined : last.which[last.who.indexOf(number)]
    const now = after.at(-1)!.of(number)
    return {
      ...contender,
      rank: null,
      points: rounded(results.reduce((sum, { score }) => sum + score, 0)),
      matches: sumOfMatches(numbered, number),
      ...now,
      results: results.map(({ scoreAsPlayed: _, ...result }) => result),
      ...(asPlayed === null
        ? {}
        : {
            asPlayed: {
              points: rounded(results.reduce((sum, each) => sum + each.scoreAsPlayed, 0)),
              rating: asPlayed.of(number).rating,
            },
          }),
      best: bestOf(rated),
      latest: rated.find(({ hash }) => hash === versions.all[latest ?? -1]?.hash) ?? null,
      trend: trendOf(results.flatMap((each) => (each.after === null ? [] : each.after))),
    }
  })
  return {
    contests: counted.map(({ standings, entrants: _, meetings: __, meetingsAsPlayed: ___, ...contest }) => ({
      ...contest,
      entrants: standings.length,
    })),
    rows: ranked(rows),
  }
}

/** The standing of a contender in a contest: that of its best entrant, since an educator may enter several. */
function standingOf({ standings, entrants }: CountedContest, who: readonly number[], contender: number): Standing[] {
  const names = new Set(entrants.filter((_, at) => who[at] === contender).map(({ name }) => name))
  return standings
    .filter(({ agent, matches }) => names.has(agent) && matches > 0)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, 1)
}

function resultIn(
  contest: CountedContest,
  who: readonly number[],
  contender: number,
  at: number,
  after: readonly Ratings[],
  isRated: readonly boolean[],
): (TermResult & { readonly scoreAsPlayed: number })[] {
  const { standings } = contest
  const hasRating = isRated.slice(0, at + 1).includes(true)
  return standingOf(contest, who, contender).map(({ agent, rank, points, asPlayed }) => ({
    contest: contest.contest,
    entrant: agent,
    ...{ rank, of: standings.length, points },
    score: scoreOf(
      rank,
      standings.map((row) => row.rank),
    ),
    scoreAsPlayed: scoreOf(
      asPlayed?.rank ?? rank,
      standings.map((row) => row.asPlayed?.rank ?? row.rank),
    ),
    ...(asPlayed === undefined ? {} : { asPlayed }),
    after: hasRating ? after[at]!.of(contender) : null,
  }))
}

/** The share of the others that are placed behind, in percent. `ranks`: of all, at least two. */
function scoreOf(rank: number, ranks: readonly number[]): number {
  const behind = ranks.filter((other) => other > rank).length
  const tied = ranks.filter((other) => other === rank).length - 1
  return rounded((100 * (behind + tied / 2)) / (ranks.length - 1))
}

/** Sums of shares are not exact. */
const rounded = (value: number): number => Number(value.toPrecision(12))

const sumOfMatches = (numbered: readonly NumberedContest[], contender: number): number =>
  numbered.reduce((sum, { contest, who }) => sum + (standingOf(contest, who, contender)[0]?.matches ?? 0), 0)

function bestOf(versions: readonly TermVersion[]): TermVersion | null {
  const rated = versions.flatMap((version) => (version.rating === null ? [] : { version, rating: version.rating }))
  const known = rated.filter(({ version }) => version.interval !== null)
  const candidates = known.length > 0 ? known : rated
  return candidates.toSorted((a, b) => b.rating - a.rating)[0]?.version ?? null
}

/** `after`: the ratings after each rated contest, oldest first. */
function trendOf(after: readonly TermRating[]): Trend | null {
  const [before, now] = [after.at(-2), after.at(-1)]
  if (before === undefined || now === undefined || now.interval === null) return null
  const [low, high] = now.interval
  return before.rating < low ? 'rising' : before.rating > high ? 'falling' : 'steady'
}

/** Teams first, by points and then by rating; teams with equal points share a rank. */
function ranked(rows: readonly TermRow[]): readonly TermRow[] {
  const byRating = (a: TermRow, b: TermRow): number => b.rating - a.rating || (a.name < b.name ? -1 : 1)
  const teams = rows.filter(({ team }) => team !== null).sort((a, b) => b.points - a.points || byRating(a, b))
  const others = rows.filter(({ team }) => team === null).sort(byRating)
  return [
    ...teams.map((row) => ({ ...row, rank: 1 + teams.filter(({ points }) => points > row.points).length })),
    ...others,
  ]
}
