/** The number of characters that hold 128 random bits as hexadecimal digits. */
const UNGUESSABLE = 32

/**
 * A warning about the seed of a contest; null: the seed is long enough. Every agent gets random numbers that follow from
 * it, so a short one can be found by trying, and with it everything that is dealt in the contest.
 */
export function seedWarning(seed: string): string | null {
  if (seed.length >= UNGUESSABLE) return null
  return 'This seed is short. An agent can find it by trying and compute what others are dealt. 64 random hexadecimal digits are safe.'
}
