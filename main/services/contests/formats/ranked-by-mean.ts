import type { Tally, TallyContest } from '../../../contract/contests/contest-format.ts'
import type { StandingRow } from '../../../contract/contests/standings.ts'

/**
 * The usual tables with the standings by points per match, for formats in which some play more matches than others. An
 * entrant that has not played has 0.
 */
export function rankedByMean({ usual }: Pick<TallyContest<unknown>, 'usual'>): Tally {
  const tally = usual()
  return {
    ...tally,
    standings() {
      const sorted = tally.standings().toSorted((a, b) => meanOf(b) - meanOf(a))
      let rank = 0
      return sorted.map((row, at) => {
        const above = sorted[at - 1]
        if (above === undefined || meanOf(above) !== meanOf(row)) rank = at + 1
        return { ...row, rank }
      })
    },
  }
}

const meanOf = ({ points, matches }: StandingRow): number => points / Math.max(1, matches)
