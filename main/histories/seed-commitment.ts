import type { ContestEntry } from '../contract/procedures/classroom.ts'
import type { ContestDescription } from '../contract/contests/contests.ts'
import type { SeedReveal } from '../contract/contests/standings.ts'
import type { ExportSource } from './export.ts'
import { mixedSeed, seedCommitment } from './derived-seeds.ts'

/**
 * The public facts about a contest's seed: the commitment and the phrase of the class, if there is one, from its creation
 * on; seed and nonce when it has ended.
 */
export function seedReveal({ nonce, description, phrase, state, rebuilt }: ContestEntry): SeedReveal {
  if (rebuilt !== undefined) return { commitment: description.seed, phrase: phrase ?? null, seed: null, nonce: null }
  const commitment = seedCommitment(nonce, description)
  const opened = state === 'ended'
  return { commitment, phrase: phrase ?? null, seed: opened ? description.seed : null, nonce: opened ? nonce : null }
}

/** The opening of the commitment of a contest that has ended; undefined: it has not, or its seed is lost. */
export function openedSeed({ nonce, description: { seed }, state, rebuilt }: ContestEntry): ExportSource['reveal'] {
  return state === 'ended' && rebuilt === undefined ? { seed, nonce } : undefined
}

/** The description with the seed from which its matches follow: mixed with the phrase of the class, if there is one. */
export function withMixedSeed(description: ContestDescription, phrase: string | undefined): ContestDescription {
  return { ...description, seed: mixedSeed(description.seed, phrase) }
}
