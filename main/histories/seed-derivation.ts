import type { SeedDerivation } from '../contract/history.ts'
import type { MatchNumber, Sha256 } from '../contract/ids.ts'
import { sha256 } from './canonical.ts'
import { seedOfMatch } from './derived-seeds.ts'

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

/** Whether a match's seed follows from a contest's, but for the first 32 bits, which its format may have determined. */
export function followsFrom(
  contestSeed: string,
  match: MatchNumber,
  seed: Sha256,
  derivation: SeedDerivation,
): boolean {
  return seedOfMatch(contestSeed, match, derivation).slice(SCENARIO) === seed.slice(SCENARIO)
}

/** Hex digits of a scenario. */
const SCENARIO = 8
