import type { ContestFormat, Tally, TallyContest } from '../../../contract/contests/contest-format.ts'
import { swissSettings, type Swiss } from '../../../contract/contests/format-settings.ts'
import { seatsOf } from './seats.ts'
import { isActive } from './contest-field.ts'
import { byePoints, decidedRound, nextRound, tablesAndByes, type DecidedRound } from './swiss-pairing.ts'

/** With more rounds than this a rematch could not be ruled out. */
function mostRounds(settings: Swiss, entrants: number): number {
  const seats = seatsOf(settings)
  // Everybody can meet everybody; with an odd number, everybody has a bye as well.
  if (seats === 2 && settings.pairing === 'least-gap') return Math.max(1, entrants - 1 + (entrants % 2))
  return Math.max(1, seats === 2 ? Math.ceil(entrants / 2) : Math.floor((entrants - 1) / (seats - 1)))
}

/** Without a setting: the rounds after which one entrant can have won all its matches. */
function roundsOf(settings: Swiss, entrants: number): number {
  const enough = Math.ceil(Math.log(Math.max(2, entrants)) / Math.log(seatsOf(settings)) - 1e-9)
  return settings.rounds ?? Math.max(1, Math.min(enough, mostRounds(settings, entrants)))
}

/**
 * A Swiss tournament: in each round entrants meet others with about the same points. In pairs nobody meets twice,
 * and nobody sits in one seat three times running or three times more often than in the other; at larger tables entrants meet
 * again as seldom as possible. An entrant left over gets a bye, the last in the standings first and
 * nobody twice before all have had one; it is worth as much as the best result of the round.
 */
export const swiss: ContestFormat<Swiss> = {
  id: 'swiss',
  settings: swissSettings,
  forNewContests: { pairing: 'least-gap' },
  tableSize: seatsOf,
  fault(settings, entrants) {
    const most = mostRounds(settings, entrants)
    if (roundsOf(settings, entrants) <= most) return null
    return `With ${entrants} entrants a Swiss tournament has at most ${most} rounds without a rematch; ${String(settings.rounds)} are asked for.`
  },
  stages(settings, entrants, field) {
    const tables = (players: number): number => Math.floor(players / seatsOf(settings))
    if (field === undefined) return Array.from({ length: roundsOf(settings, entrants) }, () => tables(entrants))
    // The number of rounds stays what it was at first.
    return Array.from({ length: roundsOf(settings, field.initial) }, (_, stage) => {
      const there = field.joined.filter((__, entrant) => isActive(field, entrant, stage))
      return field.paired.get(stage)?.tables.length ?? tables(there.length)
    })
  },
  next: (contest, results, pairings) => nextRound(contest, results, pairings, roundsOf),
  tally: swissTally,
  withdrawal: () => 'kept',
  lateEntry: true,
  pairedByHand: true,
}

/**
 * Points with those of byes; of equals, who met the stronger opponents (the sum of their points, Buchholz) is first. For
 * that sum a round counts half the points of a bye for an opponent that was absent from it.
 */
function swissTally({ names, field, pairings, soFar, ruled, usual }: TallyContest<Swiss>): Tally {
  const tally = usual()
  const places = new Map(names.map((name, at) => [name, at]))

  const count = () => {
    const known = soFar()
    // A bye is worth what it was when the round was played.
    const played = ruled?.soFar() ?? known
    const rounds = pairings().map((round, stage): DecidedRound => {
      if (field !== undefined) return decidedRound(field, round, stage)
      return { ...tablesAndByes(round, names.length), unplayed: [], absent: [] }
    })
    const points = names.map(() => 0)
    const byes = names.map(() => 0)
    const opponents = names.map((): number[] => [])
    const absences = names.map(() => 0)
    for (const [number, { tables, byes: away, absent }] of rounds.entries()) {
      const result = known[number] ?? []
      const bye = byePoints(played[number] ?? [])
      for (const entrant of absent) absences[entrant]! += bye / 2
      for (const [entrant, { points: won }] of result.entries()) points[entrant]! += won
      for (const entrant of away) {
        points[entrant]! += bye
        byes[entrant]! += 1
      }
      for (const table of tables) {
        for (const entrant of table) {
          // An entrant that has not played yet has no opponents in this round.
          if ((result[entrant]?.matches ?? 0) > 0)
            opponents[entrant]!.push(...table.filter((other) => other !== entrant))
        }
      }
    }
    const buchholz = opponents.map((met) => met.reduce((sum, other) => sum + points[other]! + absences[other]!, 0))
    // Points that a ruling gives or takes say nothing of how strong an opponent was.
    return { points: points.map((won, at) => won + (ruled?.points[at] ?? 0)), byes, buchholz, rounds, known }
  }

  return {
    ...tally,
    totals: () => tally.standings(),
    standings() {
      const { points, buchholz } = count()
      const at = (agent: string): number => places.get(agent)!
      const sorted = tally
        .standings()
        .map((row) => ({ ...row, points: points[at(row.agent)]! }))
        .sort((a, b) => b.points - a.points || buchholz[at(b.agent)]! - buchholz[at(a.agent)]!)
      let rank = 0
      return sorted.map((row, place) => {
        const above = sorted[place - 1]
        const equal = above?.points === row.points && buchholz[at(above.agent)] === buchholz[at(row.agent)]
        if (!equal) rank = place + 1
        return { ...row, rank }
      })
    },
    tables() {
      const { points, byes, buchholz, rounds, known } = count()
      const rows = names.map((agent, at) => ({
        agent,
        points: points[at]!,
        byes: byes[at]!,
        'points of opponents': buchholz[at]!,
      }))
      const byRound = rounds.map(({ tables, unplayed, byes: away }, number): readonly [string, readonly object[]] => {
        const byHand = field?.paired.has(number) === true ? { paired: 'by the educator' } : {}
        const won = (entrant: number): number => known[number]?.[entrant]?.points ?? 0
        return [
          `Round ${number + 1}`,
          [
            ...tables.map((table) => ({
              agents: table.map((entrant) => names[entrant]).join(' – '),
              points: table.map(won).join(' : '),
              ...byHand,
            })),
            ...unplayed.map((table) => ({
              agents: table.map((entrant) => names[entrant]).join(' – '),
              points: 'not played',
              ...byHand,
            })),
            ...away.map((entrant) => ({ agents: names[entrant], points: 'bye', ...byHand })),
          ],
        ]
      })
      return { 'Tie-breaks': rows, ...Object.fromEntries(byRound) }
    },
  }
}
