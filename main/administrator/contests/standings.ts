import type { ContestDescription } from '../../contract/contests.ts'
import type { EntrantId, MatchNumber } from '../../contract/ids.ts'
import type { Outcome } from '../../contract/outcome.ts'

/** What standings need of a finished match: read from its history. */
export interface PlayedMatch {
  readonly match: MatchNumber
  /** Entrants' indices in seat order. */
  readonly entrants: readonly number[]
  readonly outcome: Outcome
  /** Faults of each seat, `host` not counted. */
  readonly faults: readonly number[]
}

export interface Standing {
  readonly agent: EntrantId
  /** 1 is best; equal points share a rank. */
  readonly rank: number
  /** One for every player left behind in a match, half for every player level with. */
  readonly points: number
  readonly matches: number
  /** Matches in which the agent had first place, alone or shared. */
  readonly wins: number
  readonly faults: number
  /** Matches in which the agent was removed before the end. */
  readonly removals: number
  /** Sum of the scores, in the game's smallest unit. For information: points decide. */
  readonly score: number
}

/** The table of a contest, best first. A pure function of the matches, whatever order they come in. */
export function standingsOf(description: ContestDescription, played: Iterable<PlayedMatch>): readonly Standing[] {
  const rows = description.entrants.map(({ name }) => ({
    agent: name,
    points: 0,
    matches: 0,
    wins: 0,
    faults: 0,
    removals: 0,
    score: 0,
  }))
  for (const { entrants, outcome, faults } of played) {
    for (const place of outcome.places) {
      const row = rows[entrants[place.seat]!]!
      row.matches += 1
      row.points += pointsOf(outcome, place.rank)
      row.score += place.score
      row.faults += faults[place.seat] ?? 0
      if (place.rank === 1) row.wins += 1
      if (place.removed) row.removals += 1
    }
  }
  // Sorting is stable: entrants level on points keep the description's order.
  const sorted = [...rows].sort((a, b) => b.points - a.points)
  let rank = 0
  return sorted.map((row, at) => {
    if (row.points !== sorted[at - 1]?.points) rank = at + 1
    return { ...row, rank }
  })
}

function pointsOf(outcome: Outcome, rank: number): number {
  let points = -0.5
  for (const other of outcome.places) {
    if (other.rank > rank) points += 1
    else if (other.rank === rank) points += 0.5
  }
  return points
}
