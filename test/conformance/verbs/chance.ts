import { createHash } from 'node:crypto'
import { randomStream } from '../../../main/contract/random.ts'

/** Numbers that are the same on every run of a test. */
export interface Chance {
  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number
  /** A number from 0 to 1. */
  share(): number
  pick<T>(list: readonly T[]): T
}

export function seededChance(seed: string): Chance {
  const next = randomStream(createHash('sha256').update(seed).digest('hex'))
  const share = (): number => next() / 2 ** 32
  const below = (limit: number): number => Math.floor(share() * limit)
  return { share, below, pick: (list) => list[below(list.length)]! }
}
