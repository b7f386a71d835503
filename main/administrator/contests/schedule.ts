import { hash } from 'node:crypto'
import type { GameContests } from '../../contract/contest-format.ts'
import type { ContestDescription } from '../../contract/contests.ts'
import type { Sha256 } from '../../contract/ids.ts'
import { inWords } from './formats/held-sets.ts'
import { chosenFormat, stagePairings } from './formats/registry.ts'
import { scheduleFrom, type Schedule, type ScheduledMatch } from './scheduled-match.ts'

/** A finished match takes 32 bytes of memory or more, so these take 3 GB. */
const MATCHES_MAX = 100_000_000

/** As much of a description as says which matches there are. */
type Shape = Pick<ContestDescription, 'format'> & { readonly entrants: readonly unknown[] }

/**
 * The first stage of a contest, a pure function of its description; the record gives those that hang on results. `contests`: what
 * the game says of contests, here and below. Returns a sentence where there can be no such schedule.
 */
export function scheduleOf(description: ContestDescription, contests: GameContests = {}): Schedule | string {
  const fault = scheduleFault(description, contests)
  if (fault !== null) return fault
  const chosen = chosenFormat(description.format, contests)
  if (typeof chosen === 'string') return chosen
  const { entrants, seed } = description
  return scheduleFrom(0, stagePairings(chosen, { entrants: entrants.length, seed }, []))
}

/** Why there can be no schedule, in a sentence; null where there can. */
export function scheduleFault({ format: written, entrants }: Shape, contests: GameContests = {}): string | null {
  const chosen = chosenFormat(written, contests)
  if (typeof chosen === 'string') return chosen
  const { format, settings } = chosen
  const fault = format.fault?.(settings, entrants.length) ?? null
  if (fault !== null) return fault
  const seats = format.tableSize(settings, entrants.length)
  if (entrants.length < seats) {
    return `${seats} players a match need at least ${seats} entrants; there are ${entrants.length}.`
  }
  const count = sumOf(format.stages(settings, entrants.length))
  if (count <= MATCHES_MAX) return null
  return `The contest would have ${inWords(count)} matches; ${inWords(MATCHES_MAX)} are the most, because each that is finished takes memory.`
}

/** How many matches the contest has in all its stages; 0 where its format is not known. */
export function matchCount({ format: written, entrants }: Shape, contests: GameContests = {}): number {
  const chosen = chosenFormat(written, contests)
  return typeof chosen === 'string' ? 0 : sumOf(chosen.format.stages(chosen.settings, entrants.length))
}

/** Players a match; 0 where the format is not known. */
export function tableSize({ format: written, entrants }: Shape, contests: GameContests = {}): number {
  const chosen = chosenFormat(written, contests)
  return typeof chosen === 'string' ? 0 : chosen.format.tableSize(chosen.settings, entrants.length)
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

/** The seed of one match, 64 hex digits. An attempt after a host fault plays with the same seed. */
export function matchSeed(
  contestSeed: string,
  { match, scenario }: Pick<ScheduledMatch, 'match' | 'scenario'>,
): Sha256 {
  const seed = hash('sha256', `match:${String(match)}:${contestSeed}`)
  return scenario === undefined ? seed : scenario.toString(16).padStart(8, '0') + seed.slice(8)
}
