import type { ContestDescription } from '../../contract/contests.ts'
import type { ContestEntry } from '../../contract/classroom.ts'
import type { Sha256 } from '../../contract/ids.ts'
import type { SeedReveal } from '../../contract/standings.ts'
import { sha256 } from '../../histories/canonical.ts'

/** The SHA-256 of `seed:`, the nonce (64 hex digits) and the seed, as UTF-8 text. Histories hold it as their seed. */
export function seedCommitment(nonce: Sha256, { seed }: Pick<ContestDescription, 'seed'>): Sha256 {
  return sha256(`seed:${nonce}${seed}`)
}

/** What a contest tells of its seed: from its creation on the commitment, and both parts when it has ended. */
export function seedReveal({ nonce, description, state }: ContestEntry): SeedReveal {
  const commitment = seedCommitment(nonce, description)
  return state === 'ended' ? { commitment, seed: description.seed, nonce } : { commitment, seed: null, nonce: null }
}
