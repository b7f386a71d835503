import type { Pairing } from '../../../contract/contests/contest-format.ts'
import type { Outcome } from '../../../contract/game/outcome.ts'

/** Six entrants who play six games, each once as the robber (4). The house agent may sit in several places. */
export type Pod = readonly number[]

export const POD = 6

/** A game of a pod: the robber sits first, the others follow in the order of the pod. */
export function gameOfPod(pod: Pod, game: number): Pairing {
  return { entrants: membersOfGame[game]!.map((member) => pod[member]!) }
}

/** Which member of the pod sits in each seat, by game. */
const membersOfGame: readonly (readonly number[])[] = [...Array(POD).keys()].map((game) => [
  game,
  ...[...Array(POD).keys()].filter((member) => member !== game),
])

/** The results of a pod's games for its members. */
export interface PodResult {
  /** By member. */
  readonly scores: readonly number[]
  /** Members, by their places in the pod, who were disqualified in one of its games. */
  readonly disqualified: readonly number[]
}

/** Sums up the games of a pod; a game that was void counts for nobody. */
export function podResult(outcomes: readonly (Outcome | null)[]): PodResult {
  const scores = Array.from({ length: POD }, () => 0)
  const disqualified = new Set<number>()
  for (const [game, outcome] of outcomes.entries()) {
    const members = membersOfGame[game]!
    for (const { seat, score, removed } of outcome?.places ?? []) {
      const member = members[seat]!
      scores[member]! += score
      if (removed) disqualified.add(member)
    }
  }
  return { scores, disqualified: [...disqualified] }
}
