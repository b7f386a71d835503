import { createHmac, hash } from 'node:crypto'
import type { Post } from '../contract/game/table.ts'
import type { SeedDerivation } from '../contract/histories/history.ts'
import type { MatchNumber, Sha256 } from '../contract/ids.ts'
import { sha256 } from './canonical.ts'

// From the seed of a contest to those of its matches, players and streams. Everything that is drawn in a contest follows from these.

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

/** True if a match's seed follows from a contest's, except for the first 32 bits, which its format may have determined. */
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

/** The seed of one match of a contest. All attempts at a match have the same seed. */
export function seedOfMatch(contestSeed: string, match: MatchNumber, derivation: SeedDerivation): Sha256 {
  return derivation === 'hmac'
    ? derived(contestSeed, `match ${match}`)
    : hash('sha256', `match:${match}:${contestSeed}`)
}

/** The seed of a player's own randomness: what an agent is given. */
export function seedOfPlayer(matchSeed: Sha256, { seat, body }: Post, derivation: SeedDerivation): Sha256 {
  return derivation === 'hmac'
    ? derived(matchSeed, `player ${seat}.${body}`)
    : hash('sha256', `${matchSeed}:player:${seat}.${body}`)
}

/** The seed of a stream of a referee's random numbers. */
export function seedOfStream(matchSeed: Sha256, stream: string, derivation: SeedDerivation): Sha256 {
  return derivation === 'hmac' ? derived(matchSeed, `stream ${stream}`) : hash('sha256', `${matchSeed}:${stream}`)
}

/** The secret is the key: without it, the values for some purposes tell nothing about the value for another. */
function derived(secret: string, purpose: string): Sha256 {
  return createHmac('sha256', secret).update(purpose).digest('hex')
}
