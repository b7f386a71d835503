import type { GameContests } from '../../contract/contest-format.ts'

/** Rank points, as the contest of 2017 gave them: n less the number of punters that are better. */
export const contests: GameContests = {
  points: ({ places }) => places.map(({ rank }) => places.length + 1 - rank),
}
