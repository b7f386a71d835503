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

/**
 * The table of `contests`, which are in the order in which they ended. A contest with one row of standings counts for nothing. `onProgress`: called
 * after each part of the work, which is long with some hundred teams.
 */
export function termTable(
  contests: readonly CountedContest[],
  onProgress: () => void = () => undefined,
): Omit<TermTable, 'unreadable'> {
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
  const after = numbered.map((_, at) => {
    onProgress()
    return ratingsOver(
      people,
      ratedUnits(numbered.slice(0, at + 1), ({ who, contest }) => ({ who, units: contest.meetings })),
    )
  })
  const placed = numbered.map(placedIn)
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
  const versionsBy = Map.groupBy(versions.all.keys(), (at) => versions.all[at]!.contender)
  /** The version of each contender in its newest contest. */
  const latestBy = new Map<number, number>()
  for (const { who, which } of numbered.toReversed())
    for (const [at, each] of who.entries()) if (!latestBy.has(each)) latestBy.set(each, which[at]!)
  const rows = contenders.all.map((contender, number): TermRow => {
    onProgress()
    const results = placed.flatMap((each, at) => resultIn(each, number, at, after, isRated))
    const rated = (versionsBy.get(number) ?? []).map((at) => {
      const { shown, contests: played } = versions.all[at]!
      return { ...shown, ...ratingOf(at), contests: played }
    })
    const latest = latestBy.get(number)
    const now = after.at(-1)!.of(number)
    return {
      ...contender,
      rank: null,
      points: rounded(results.reduce((sum, { score }) => sum + score, 0)),
      matches: placed.reduce((sum, { best }) => sum + (best.get(number)?.matches ?? 0), 0),
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

/** A contest with its results by contender. */
interface PlacedContest {
  readonly contest: CountedContest
  /** The standing of each contender that played: that of its best entrant, since an educator may enter several. */
  readonly best: ReadonlyMap<number, Standing>
  /** The score of each rank, and as it was played. */
  readonly scores: ReadonlyMap<number, number>
  readonly scoresAsPlayed: ReadonlyMap<number, number>
}

function placedIn({ contest, who }: NumberedContest): PlacedContest {
  const { entrants, standings } = contest
  const numbers = new Map(entrants.map(({ name }, at) => [name, who[at]!]))
  const best = new Map<number, Standing>()
  for (const row of standings) {
    const contender = numbers.get(row.agent)
    if (contender === undefined || row.matches === 0) continue
    const known = best.get(contender)
    if (known === undefined || row.rank < known.rank) best.set(contender, row)
  }
  return {
    ...{ contest, best },
    scores: scoresOf(standings.map(({ rank }) => rank)),
    scoresAsPlayed: scoresOf(standings.map(({ rank, asPlayed }) => asPlayed?.rank ?? rank)),
  }
}

function resultIn(
  { contest: { contest, standings }, best, scores, scoresAsPlayed }: PlacedContest,
  contender: number,
  at: number,
  after: readonly Ratings[],
  isRated: readonly boolean[],
): (TermResult & { readonly scoreAsPlayed: number })[] {
  const standing = best.get(contender)
  if (standing === undefined) return []
  const { agent, rank, points, asPlayed } = standing
  return [
    {
      ...{ contest, entrant: agent, rank, of: standings.length, points },
      score: scores.get(rank)!,
      scoreAsPlayed: scoresAsPlayed.get(asPlayed?.rank ?? rank)!,
      ...(asPlayed === undefined ? {} : { asPlayed }),
      after: isRated.slice(0, at + 1).includes(true) ? after[at]!.of(contender) : null,
    },
  ]
}

/** By rank: the share of the others that are placed behind, in percent, a tie counted as half. `ranks`: of all, at least two. */
function scoresOf(ranks: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const rank of ranks) counts.set(rank, (counts.get(rank) ?? 0) + 1)
  let before = 0
  return new Map(
    [...counts]
      .sort(([a], [b]) => a - b)
      .map(([rank, count]) => {
        const behind = ranks.length - before - count
        before += count
        return [rank, rounded((100 * (behind + (count - 1) / 2)) / (ranks.length - 1))]
      }),
  )
}

/** Sums of shares are not exact. */
const rounded = (value: number): number => Number(value.toPrecision(12))

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
  let rank = 1
  return [
    ...teams.map((row, at) => {
      if (at > 0 && teams[at - 1]!.points > row.points) rank = at + 1
      return { ...row, rank }
    }),
    ...others,
  ]
}
