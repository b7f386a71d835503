import { hash } from 'node:crypto'
import type { MatchNumber, Sha256 } from '../contract/ids.ts'
import { sha256 } from './canonical.ts'

// From the seed of a contest to the seeds of its matches. Everything that is drawn in a contest follows from these.

/** The SHA-256 of `seed:`, the nonce (64 hex digits) and the seed, as UTF-8 text. Histories hold it as their seed. */
export function seedCommitment(nonce: Sha256, { seed }: { readonly seed: string }): Sha256 {
  return sha256(`seed:${nonce}${seed}`)
}

/**
 * The seed from which pairings and matches follow: the contest's own, or, if the class has given a phrase, the SHA-256
 * of `phrase:`, the SHA-256 of the contest's own seed (64 hex digits) and the phrase.
 */
export function mixedSeed(seed: string, phrase: string | undefined): string {
  return phrase === undefined ? seed : sha256(`phrase:${sha256(seed)}${phrase}`)
}

/**
 * The seed of one match, 64 hex digits. All attempts at a match have the same seed. `scenario`: its first 32 bits, if
 * the contest's format determines them.
 */
export function matchSeed(
  contestSeed: string,
  { match, scenario }: { readonly match: MatchNumber; readonly scenario?: number },
): Sha256 {
  const seed = hash('sha256', `match:${String(match)}:${contestSeed}`)
  return scenario === undefined ? seed : scenario.toString(16).padStart(SCENARIO, '0') + seed.slice(SCENARIO)
}

/** Whether a match's seed follows from a contest's, but for what its format may have determined. */
export function followsFrom(contestSeed: string, match: MatchNumber, seed: Sha256): boolean {
  return matchSeed(contestSeed, { match }).slice(SCENARIO) === seed.slice(SCENARIO)
}

/** Hex digits of a scenario. */
const SCENARIO = 8
