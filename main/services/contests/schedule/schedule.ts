import type { GameContests } from '../../../contract/contests/contest-format.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import type { SeedDerivation } from '../../../contract/histories/history.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import { seedOfMatch } from '../../../histories/derived-seeds.ts'
import { formatCount } from '../formats/set-limits.ts'
import { chosenFormat, stagePairings, variesIn } from '../formats/registry.ts'
import { scheduleFrom, type Schedule, type ScheduledMatch } from './scheduled-match.ts'

/** The maximum number of matches. A finished match takes at least 32 bytes of memory, so these take 3 GB. */
const MATCHES_MAX = 100_000_000

/** The parts of a description that determine the number of matches. */
type Shape = Pick<ContestDescription, 'format'> & { readonly entrants: readonly unknown[] }

/**
 * The first stage of a contest, a pure function of its description; later stages depend on results, see
 * `ContestRecord.stage`. `contests`, here and below: the contest settings of the game. Returns a sentence if no
 * schedule is possible.
 */
export function scheduleOf(description: ContestDescription, contests: GameContests = {}): Schedule | string {
  const fault = scheduleFault(description, contests)
  if (fault !== null) return fault
  const chosen = chosenFormat(description.format, contests)
  if (typeof chosen === 'string') return chosen
  const { entrants, seed } = description
  return scheduleFrom(0, stagePairings(chosen, { entrants: entrants.length, seed, outcomes: () => null }, [], []))
}

/** Why no schedule is possible, in a sentence; null: it is. */
export function scheduleFault({ format: written, entrants }: Shape, contests: GameContests = {}): string | null {
  const chosen = chosenFormat(written, contests)
  if (typeof chosen === 'string') return chosen
  const { format, settings } = chosen
  const fault = format.fault?.(settings, entrants.length) ?? null
  if (fault !== null) return fault
  const seats = format.tableSize(settings, entrants.length)
  if (format.repeatsEntrants !== true && entrants.length < seats) {
    return `A match with ${seats} players needs at least ${seats} entrants; there are ${entrants.length}.`
  }
  const count = sumOf(format.stages(settings, entrants.length))
  if (count <= MATCHES_MAX) return null
  return `The contest would have ${formatCount(count)} matches; the maximum is ${formatCount(MATCHES_MAX)}, because each finished match takes memory.`
}

/** The number of matches in all stages of the contest; 0 for an unknown format. */
export function matchCount({ format: written, entrants }: Shape, contests: GameContests = {}): number {
  const chosen = chosenFormat(written, contests)
  return typeof chosen === 'string' ? 0 : sumOf(chosen.format.stages(chosen.settings, entrants.length))
}

/** True if results may change the number of matches. */
export function matchCountVaries({ format: written }: Pick<Shape, 'format'>, contests: GameContests = {}): boolean {
  const chosen = chosenFormat(written, contests)
  return typeof chosen !== 'string' && variesIn(chosen)
}

/** Players per match; 0 for an unknown format. */
export function tableSize({ format: written, entrants }: Shape, contests: GameContests = {}): number {
  const chosen = chosenFormat(written, contests)
  return typeof chosen === 'string' ? 0 : chosen.format.tableSize(chosen.settings, entrants.length)
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

/** The seed of one scheduled match: `seedOfMatch`, with the format's scenario as its first 32 bits. */
export function matchSeed(
  contestSeed: string,
  { match, scenario }: Pick<ScheduledMatch, 'match' | 'scenario'>,
  derivation: SeedDerivation,
): Sha256 {
  const seed = seedOfMatch(contestSeed, match, derivation)
  return scenario === undefined ? seed : scenario.toString(16).padStart(8, '0') + seed.slice(8)
}
