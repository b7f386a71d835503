import type { EntrantResult, StageResult } from '../../../contract/contests/contest-format.ts'

/** Rank points a game, of the games that count; 0 if all of them were voided. */
export const pointsPerGame = ({ points, matches }: Pick<EntrantResult, 'points' | 'matches'>): number =>
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
