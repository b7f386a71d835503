import type { ContestFormat } from '../../../contract/contests/contest-format.ts'
import { ladderSettings, type Ladder } from '../../../contract/contests/format-settings.ts'
import { challengesInTurn, challengeLength, type Challenge } from './challenge.ts'
import { rankedByMean } from './ranked-by-mean.ts'
import { seatsOf } from './seats.ts'

/**
 * The pyramid: entrants join one after another, in the order of the description, and each plays all that are there
 * already. If more than two play a match, the first to join are the last of those that fill the first table, and those who
 * join early play more matches, so points per match decide.
 */
export const ladder: ContestFormat<Ladder> = {
  id: 'ladder',
  settings: ladderSettings,
  rating: 'openskill',
  tableSize: seatsOf,
  withdrawal: () => 'removed',
  lateEntry: true,
  stages(settings, entrants) {
    return [challengesOf(settings, entrants).reduce((sum, each) => sum + challengeLength(each), 0)]
  },
  next: ({ settings, entrants, seed }) => challengesInTurn(challengesOf(settings, entrants), seed),
  tally: rankedByMean,
}

function challengesOf(settings: Ladder, entrants: number): readonly Challenge[] {
  const seats = seatsOf(settings)
  return Array.from({ length: Math.max(0, entrants - seats + 1) }, (_, at) => {
    const challenger = at + seats - 1
    return { challenger, first: 0, others: challenger, repeats: settings.repeats, seats }
  })
}
