import type { Tally, TallyContest } from '../../../contract/contests/contest-format.ts'
import type { StandingRow } from '../../../contract/contests/standings.ts'
import { inPoints } from '../points.ts'
import { bracketOf, compareScores, type Bracket } from './bracket.ts'
import type { PodsSettings } from '../choices.ts'

/**
 * Standings of a contest in pods: who reached a later round ranks first; within a round its score decides, then the scores of
 * earlier rounds. Those who were disqualified rank last. The house agent is not ranked.
 */
export function podsTally({ settings, names, seed, results, outcomes, usual }: TallyContest<PodsSettings>): Tally {
  const shared = usual()
  const bracket = (): Bracket =>
    bracketOf({ settings, entrants: names.length, seed, outcomes, finished: results().length })

  return {
    add: (played) => shared.add(played),
    headToHead: () => shared.headToHead(),
    totals: () => shared.standings(),
    standings() {
      const sums = new Map(shared.standings().map((row) => [row.agent, row]))
      const { standings } = bracket()
      const key = (entrant: number): readonly number[] => standings[entrant]!.scores
      const compare = (a: number, b: number): number =>
        Number(standings[a]!.disqualified) - Number(standings[b]!.disqualified) || compareScores(key(b), key(a))
      const sorted = standings.map(({ entrant }) => entrant).sort(compare)
      let rank = 0
      return sorted.map((entrant, at): StandingRow => {
        if (at === 0 || compare(sorted[at - 1]!, entrant) !== 0) rank = at + 1
        const { scores } = standings[entrant]!
        const score = scores.at(-1) ?? 0
        return {
          ...sums.get(names[entrant]!)!,
          rank,
          points: inPoints(score),
          score: inPoints(score),
          stage: Math.max(1, scores.length),
        }
      })
    },
    tables() {
      const { rounds, standings } = bracket()
      return Object.fromEntries(
        rounds.map((players, round) => {
          const later = rounds[round + 1]
          const rows = players
            .map((entrant) => ({
              agent: names[entrant]!,
              points: inPoints(standings[entrant]!.scores[round] ?? 0),
              ...(later === undefined ? {} : { next: later.includes(entrant) ? 'yes' : 'no' }),
              ...(standings[entrant]!.disqualified ? { disqualified: 'yes' } : {}),
            }))
            .sort((a, b) => b.points - a.points)
          return [round === 0 ? 'Regular season' : `Playoffs, round ${round}`, rows]
        }),
      )
    },
  }
}
