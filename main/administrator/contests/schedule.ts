import { hash } from 'node:crypto'
import { SEATS_MAX, type ContestDescription } from '../../contract/contests.ts'
import type { Sha256 } from '../../contract/ids.ts'
import { finalCount, firstStage, firstStageCount } from './ordered-pairs.ts'
import { roundRobin, setCount } from './round-robin.ts'
import { scheduleFrom, type Schedule, type ScheduledMatch } from './scheduled-match.ts'

/** A finished match takes 32 bytes of memory or more, so these take 3 GB. */
const MATCHES_MAX = 100_000_000
/** Sets of a round-robin, whose shuffled order is held in memory; ordered pairs, each of which has a row in a table. */
const SETS_MAX = 2_000_000

/** As much of a description as says which matches there are. */
type Shape = Pick<ContestDescription, 'format'> & { readonly entrants: readonly unknown[] }

/**
 * All matches of a contest, a pure function of its description. Single: one match. Round-robin: see round-robin.ts. Ordered
 * pairs: the first stage alone; ordered-pairs.ts has the final, which follows from what that comes to. Returns a sentence where
 * there can be no such schedule.
 */
export function scheduleOf(description: ContestDescription): Schedule | string {
  const { format, entrants, seed } = description
  const fault = scheduleFault(description)
  if (fault !== null) return fault
  if (format.type === 'single') return scheduleFrom(0, 1, () => ({ entrants: entrants.map((_, at) => at) }))
  if (format.type === 'ordered-pairs') return firstStage(format, entrants.length, seed)
  return roundRobin(format, entrants.length, seed)
}

/** Why there can be no schedule, in a sentence; null where there can. */
export function scheduleFault({ format, entrants }: Shape): string | null {
  if (format.type === 'single') {
    if (entrants.length <= SEATS_MAX) return null
    return `One match seats ${SEATS_MAX} players at most; there are ${entrants.length} entrants.`
  }
  if (format.type === 'ordered-pairs' && format.finalists === 1) {
    return 'A final needs two finalists at least; 0 leaves it out.'
  }
  const seats = format.type === 'ordered-pairs' ? 2 : format.seats
  if (entrants.length < seats) {
    return `${seats} players a match need at least ${seats} entrants; there are ${entrants.length}.`
  }
  const sets = format.type === 'round-robin' ? setCount(format, entrants.length) : 0
  if (sets > SETS_MAX) {
    return `Each of ${inWords(sets)} sets of entrants would meet, in no fewer matches; ${inWords(SETS_MAX)} are the most, because their shuffled order is held in memory.`
  }
  const pairs = format.type === 'ordered-pairs' ? entrants.length * (entrants.length - 1) : 0
  if (pairs > SETS_MAX) {
    return `There would be ${inWords(pairs)} ordered pairs of entrants; ${inWords(SETS_MAX)} are the most, because the table of all pairs is held in memory.`
  }
  const count = matchCount({ format, entrants })
  if (count <= MATCHES_MAX) return null
  return `The contest would have ${inWords(count)} matches; ${inWords(MATCHES_MAX)} are the most, because each that is finished takes memory.`
}

const inWords = (count: number): string => count.toLocaleString('en')

/** How many matches the contest has in all its stages; the description has a schedule. */
export function matchCount({ format, entrants }: Shape): number {
  if (format.type === 'ordered-pairs') {
    return firstStageCount(format, entrants.length) + finalCount(format, entrants.length)
  }
  return format.type === 'single' ? 1 : setCount(format, entrants.length) * format.repeats
}

/** The seed of one match, 64 hex digits. An attempt after a host fault plays with the same seed. */
export function matchSeed(
  contestSeed: string,
  { match, scenario }: Pick<ScheduledMatch, 'match' | 'scenario'>,
): Sha256 {
  const seed = hash('sha256', `match:${String(match)}:${contestSeed}`)
  return scenario === undefined ? seed : scenario.toString(16).padStart(8, '0') + seed.slice(8)
}
