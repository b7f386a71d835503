import type {
  PlayedMatch,
  StageResult,
  TallyContest,
  Tally,
  EntrantResult,
} from '../../../contract/contests/contest-format.ts'
import { winnerOf, type Outcome } from '../../../contract/game/outcome.ts'
import type { StandingRow } from '../../../contract/contests/standings.ts'
import { mapsOfRounds, roundNames, type RoundsSettings } from '../choices.ts'

type Sums = Omit<StandingRow, 'agent' | 'rank' | 'counts' | 'stage' | 'session'>

/**
 * Standings and a table for each round. Those who have reached a later round rank before all others; among those who
 * have reached the same one the points a game in it decide. Extra games do not count. Rulings change points, not the rounds.
 */
export function roundsTally({ settings, names, ruled, usual, ...contest }: TallyContest<RoundsSettings>): Tally {
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

  const given = (entrant: number): number => ruled?.points[entrant] ?? 0

  /** The rows of a round's players, best first. `extra`: the points that rulings give. */
  const ranked = (
    players: readonly number[],
    stage: number,
    before: number,
    extra: (entrant: number) => number = given,
  ): readonly StandingRow[] => {
    const sorted = players
      .map((entrant) => {
        const sums = rounds[stage]![entrant]!
        return {
          agent: names[entrant]!,
          ...sums,
          points: sums.points + extra(entrant),
          stage: stage + 1,
        }
      })
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
    playersOfRounds(everybody, (ruled ?? contest).results(), rounds.length).filter(({ length }) => length > 1)

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
          // Points of rulings are counted once, in the last round of each entrant.
          const rows = ranked(players, stage, 0, (each) => (stays.has(each) ? 0 : given(each))).map(
            ({ agent, rank, points, matches, wins, score }) => {
              return { rank, agent, points, games: matches, wins, lambdas: score, ...goesOn(agent) }
            },
          )
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

/** Rank points a game, of the games that count; 0 if all of them were voided. */
const pointsPerGame = ({ points, matches }: Pick<EntrantResult, 'points' | 'matches'>): number =>
  matches === 0 ? 0 : points / matches

/** Entrants with less than the median of all players' points a game are eliminated (1.0, section 6). */
export function afterCut(players: readonly number[], result: StageResult): readonly number[] {
  const points = (player: number): number => pointsPerGame(result[player]!)
  const least = median(players.map(points))
  return players.filter((player) => points(player) >= least)
}

/** The median; of an even number of values the mean of the two in the middle. `values`: not empty. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
}

/** Points by place, as in the contest of 2017 (1.0 section 6, 1.2): n less the number of punters that are better. */
export const rankPoints = ({ places }: Outcome): readonly number[] => places.map(({ rank }) => places.length + 1 - rank)
