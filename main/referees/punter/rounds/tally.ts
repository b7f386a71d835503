import type { PlayedMatch, StageResult, TallyContest, Tally } from '../../../contract/contests/contest-format.ts'
import { winnerOf } from '../../../contract/game/outcome.ts'
import type { StandingRow } from '../../../contract/contests/standings.ts'
import { rankPoints } from '../rank-points.ts'
import { afterCut, pointsPerGame } from './cut.ts'
import { mapsOfRounds, roundNames, type RoundsSettings } from '../choices.ts'

type Sums = Omit<StandingRow, 'agent' | 'rank' | 'counts' | 'stage' | 'session'>

/**
 * Standings and a table for each round. Those who have reached a later round rank before all others; among those who
 * have reached the same one the points a game in it decide. Extra games do not count.
 */
export function roundsTally({ settings, names, results, usual }: TallyContest<RoundsSettings>): Tally {
  const everybody = names.map((_, at) => at)
  const places = new Map(names.map((name, at) => [name, at]))
  const rounds = mapsOfRounds(settings).map(() => names.map(noSums))
  const shared = usual()

  const add = (played: PlayedMatch): void => {
    const { entrants, outcome, faults, stage, extras } = played
    const points = rankPoints(outcome)
    const winner = winnerOf(outcome)
    for (const [at, { seat, score, removed }] of outcome.places.entries()) {
      const entrant = places.get(entrants[seat] ?? '') ?? -1
      const sums = extras.includes(entrant) ? undefined : rounds[stage]?.[entrant]
      if (sums === undefined) continue
      sums.matches += 1
      sums.points += points[at]!
      sums.score += score
      sums.faults += faults[seat] ?? 0
      if (removed) sums.removals += 1
      if (at === winner) sums.wins += 1
    }
    shared.add(played)
  }

  /** The rows of a round's players, best first. */
  const ranked = (players: readonly number[], stage: number, before: number): readonly StandingRow[] => {
    const sorted = players
      .map((entrant) => ({ agent: names[entrant]!, ...rounds[stage]![entrant]!, stage: stage + 1 }))
      .sort((a, b) => pointsPerGame(b) - pointsPerGame(a))
    let rank = 0
    return sorted.map((row, at) => {
      const above = sorted[at - 1]
      if (above === undefined || pointsPerGame(row) !== pointsPerGame(above)) rank = before + at + 1
      return { ...row, rank }
    })
  }

  /** The players of each round that has begun. A single player left has no games, so the round before is its last. */
  const roundsWithGames = (): readonly (readonly number[])[] =>
    playersOfRounds(everybody, results(), rounds.length).filter(({ length }) => length > 1)

  return {
    headToHead: () => shared.headToHead(),
    totals: () => shared.standings(),
    add,
    standings() {
      const reached = roundsWithGames()
      return reached.toReversed().flatMap((players, at) => {
        const later = new Set(reached[reached.length - at] ?? [])
        return ranked(
          players.filter((player) => !later.has(player)),
          reached.length - at - 1,
          later.size,
        )
      })
    },
    tables() {
      const reached = roundsWithGames()
      return Object.fromEntries(
        reached.map((players, stage) => {
          const stays = new Set(reached[stage + 1] ?? [])
          const goesOn = (agent: string): object =>
            stage + 1 < reached.length ? { next: stays.has(places.get(agent)!) ? 'yes' : 'no' } : {}
          const rows = ranked(players, stage, 0).map(({ agent, rank, points, matches, wins, score }) => {
            return { rank, agent, points, games: matches, wins, lambdas: score, ...goesOn(agent) }
          })
          return [`Round ${stage + 1}, ${roundNames[stage]!} maps`, rows]
        }),
      )
    },
  }
}

/** The players of each round that has begun. */
export function playersOfRounds(
  everybody: readonly number[],
  results: readonly StageResult[],
  rounds: number,
): readonly (readonly number[])[] {
  return results
    .slice(0, rounds - 1)
    .reduce((reached, result) => [...reached, afterCut(reached.at(-1)!, result)], [everybody])
}

const noSums = (): { -readonly [K in keyof Sums]: Sums[K] } => ({
  points: 0,
  matches: 0,
  wins: 0,
  faults: 0,
  removals: 0,
  score: 0,
})
