import { createHmac, hash } from 'node:crypto'
import type { Post } from '../contract/game.ts'
import type { SeedDerivation } from '../contract/history.ts'
import type { MatchNumber, Sha256 } from '../contract/ids.ts'

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
