import { hash } from 'node:crypto'
import { SEATS_MAX, type ContestDescription } from '../../contract/contests.ts'
import type { Sha256 } from '../../contract/ids.ts'
import { randomStream, shuffled } from '../../contract/random.ts'
import { finalCount, firstStage, firstStageCount } from './ordered-pairs.ts'
import type { ScheduledMatch } from './scheduled-match.ts'

/** More than this is refused: the schedule is held in memory, and no class waits for it. */
const MATCHES_MAX = 2_000_000

/**
 * All matches of a contest, a pure function of its description. Single: one match. Round-robin: every set of `seats` entrants meets `repeats`
 * times, the sets in an order that the seed gives. Within a set, seats are dealt so that nobody sits in one seat more often
 * than he must; each repeat moves everybody on by one seat, so that two repeats of two players are a game and its return.
 * Ordered pairs: the first stage alone; ordered-pairs.ts has the final, which follows from what that comes to. Returns a
 * sentence where there can be no such schedule.
 */
export function scheduleOf(description: ContestDescription): readonly ScheduledMatch[] | string {
  const { format, entrants, seed } = description
  const fault = scheduleFault(description)
  if (fault !== null) return fault
  if (format.type === 'single') return [{ match: 0, entrants: entrants.map((_, at) => at) }]
  if (format.type === 'ordered-pairs') return firstStage(format, entrants.length, seed)
  const next = randomStream(hash('sha256', `schedule:${seed}`))
  const sets = shuffled([...subsets(entrants.length, format.seats)], next)
  const seated = dealSeats(sets, entrants.length, next)
  const matches: ScheduledMatch[] = []
  for (let repeat = 0; repeat < format.repeats; repeat++) {
    for (const set of seated) {
      matches.push({ match: matches.length, entrants: set.map((_, at) => set[(at + repeat) % set.length]!) })
    }
  }
  return matches
}

/** Why there can be no schedule, in a sentence; null where there can. */
export function scheduleFault({
  format,
  entrants,
}: Pick<ContestDescription, 'format'> & { readonly entrants: readonly unknown[] }): string | null {
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
  const count = matchCount({ format, entrants })
  if (count <= MATCHES_MAX) return null
  return `The contest would have ${count.toLocaleString('en')} matches; ${MATCHES_MAX.toLocaleString('en')} are the most.`
}

/** How many matches the schedule has, without making it; the description has one. */
export function matchCount({
  format,
  entrants,
}: Pick<ContestDescription, 'format'> & { readonly entrants: readonly unknown[] }): number {
  if (format.type === 'ordered-pairs') {
    return firstStageCount(format, entrants.length) + finalCount(format, entrants.length)
  }
  return format.type === 'single' ? 1 : binomial(entrants.length, format.seats) * format.repeats
}

/** The seed of one match, 64 hex digits. An attempt after a host fault plays with the same seed. */
export function matchSeed(
  contestSeed: string,
  { match, scenario }: Pick<ScheduledMatch, 'match' | 'scenario'>,
): Sha256 {
  const seed = hash('sha256', `match:${String(match)}:${contestSeed}`)
  return scenario === undefined ? seed : scenario.toString(16).padStart(8, '0') + seed.slice(8)
}

/** Number of k-subsets of n things, as a double: exact while it matters, Infinity when hopeless. */
function binomial(n: number, k: number): number {
  let result = 1
  for (let i = 1; i <= k; i++) result = Math.round((result * (n - k + i)) / i)
  return result
}

function* subsets(n: number, k: number): Generator<number[]> {
  const chosen = Array.from({ length: k }, (_, i) => i)
  for (;;) {
    yield [...chosen]
    let at = k - 1
    while (at >= 0 && chosen[at] === n - k + at) at--
    if (at < 0) return
    chosen[at]!++
    for (let i = at + 1; i < k; i++) chosen[i] = chosen[i - 1]! + 1
  }
}

/** Gives each seat of each set to whoever of it has sat there least often so far; chance decides among equals. */
function dealSeats(sets: readonly number[][], entrants: number, next: () => number): number[][] {
  const seats = sets[0]?.length ?? 0
  const sat = Array.from({ length: entrants }, () => new Array<number>(seats).fill(0))
  return sets.map((set) => {
    const waiting = shuffled(set, next)
    const order: number[] = []
    for (let seat = 0; seat < seats; seat++) {
      let best = 0
      for (let i = 1; i < waiting.length; i++) {
        if (sat[waiting[i]!]![seat]! < sat[waiting[best]!]![seat]!) best = i
      }
      const [entrant] = waiting.splice(best, 1)
      sat[entrant!]![seat]!++
      order.push(entrant!)
    }
    return order
  })
}
