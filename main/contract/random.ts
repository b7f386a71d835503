import type { RandomGenerator } from 'pure-rand/types/RandomGenerator'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'
import type { Sha256 } from './ids.ts'

/**
 * A stream of uniform unsigned 32-bit numbers, determined by the hash (xoroshiro128+ seeded with its first 128 bits).
 */
export function randomStream(hash: Sha256): () => number {
  const generator = xoroshiro128plusFromState(randomState(hash))
  return () => generator.next() >>> 0
}

/**
 * A stream as a value of four signed 32-bit words, for the state of a game's rules: it is saved and loaded with the
 * state. Equal hashes give the same numbers as `randomStream`.
 */
export type RandomState = readonly [number, number, number, number]

/** The initial state of the stream of a hash. */
export function randomState(hash: Sha256): RandomState {
  const word = (at: number): number => Number.parseInt(hash.slice(at, at + 8), 16) | 0
  const state = [word(0), word(8), word(16), word(24)] as const
  // The all-zero state is the one fixed point of the generator.
  return state.every((each) => each === 0) ? [1, 0, 0, 0] : state
}

/** The next unsigned 32-bit number of a stream, and the state after it. */
export function drawNext(state: RandomState): { readonly value: number; readonly state: RandomState } {
  const generator = xoroshiro128plusFromState(state)
  const value = generator.next() >>> 0
  return { value, state: generator.getState() as unknown as RandomState }
}

/** A uniformly random permutation of the list, which is not changed. */
export function shuffled<T>(list: readonly T[], next: () => number): T[] {
  const result = [...list]
  shuffle(result, next)
  return result
}

/** Like `shuffled`, in place. */
export function shuffle<T>(list: { readonly length: number; [index: number]: T }, next: () => number): void {
  const generator = generatorOf(next)
  for (let i = list.length - 1; i > 0; i--) {
    const j = uniformInt(generator, 0, i)
    const held = list[i]!
    list[i] = list[j]!
    list[j] = held
  }
}

/** A uniform whole number from 0 to n - 1; n from 1 to 2^32. */
export function drawBelow(next: () => number, n: number): number {
  return uniformInt(generatorOf(next), 0, n - 1)
}

function generatorOf(next: () => number): RandomGenerator {
  const generator = { next: () => next() | 0, clone: () => generator, getState: () => [] }
  return generator
}
