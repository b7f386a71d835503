import type { Random } from '../property.ts'

/** The source of all choices: random ones, or every combination in turn, for enumeration. */
export interface Chooser {
  /** A whole number from 0 to n - 1; n from 1 to 2^53. */
  below(n: number): number
  /** Like `below`, without a limit on n. */
  belowBig(n: bigint): bigint
  /** The index of a weight, with probability proportional to it; their sum is from 1 to 2^53. */
  weighted(weights: readonly number[]): number
  /** Reports that the next choice is only one of infinitely many. */
  unbounded(): void
}

/** Maximum number of rejected draws: never reached with a uniform stream, but ends with any stream. */
const TRIES = 200

export function randomChooser(random: Random): Chooser {
  function below(n: number): number {
    if (n <= 1) return 0
    if (n <= 0x1_0000_0000) {
      const limit = 0x1_0000_0000 - (0x1_0000_0000 % n)
      for (let i = 0; i < TRIES; i++) {
        const drawn = random()
        if (drawn < limit) return drawn % n
      }
      return 0
    }
    const limit = 2 ** 53 - (2 ** 53 % n)
    for (let i = 0; i < TRIES; i++) {
      const drawn = (random() >>> 11) * 0x1_0000_0000 + random()
      if (drawn < limit) return drawn % n
    }
    return 0
  }
  function belowBig(n: bigint): bigint {
    if (n <= 0x20_0000_0000_0000n) return BigInt(below(Number(n)))
    const words = Math.ceil((n - 1n).toString(16).length / 8)
    const top = (n - 1n) >> BigInt(32 * (words - 1))
    // As many bits as n - 1 has, so that each draw is accepted with a probability of at least 1/2.
    const mask = (1n << BigInt(top.toString(2).length)) - 1n
    for (let i = 0; i < TRIES; i++) {
      let drawn = BigInt(random()) & mask
      for (let word = 1; word < words; word++) drawn = (drawn << 32n) | BigInt(random())
      if (drawn < n) return drawn
    }
    return 0n
  }
  return { below, belowBig, weighted: (weights) => placeOf(weights, below), unbounded: () => undefined }
}

function placeOf(weights: readonly number[], below: (n: number) => number): number {
  let left = below(weights.reduce((sum, weight) => sum + weight, 0))
  const found = weights.findIndex((weight) => (left -= weight) < 0)
  return Math.max(found, 0)
}

/** Thrown if there are too many combinations to enumerate. */
export class TooMany extends Error {}

/** Enumerates all combinations of choices of a computation: run it repeatedly while `next` returns true. */
export class EveryWay implements Chooser {
  readonly #most: number
  #choices: { at: number; readonly of: number }[] = []
  #place = 0
  #runs = 0

  /** `most`: the maximum number of combinations; with more, TooMany is thrown. */
  constructor(most: number) {
    this.#most = most
  }

  /** Starts the next run; false: all combinations are done. */
  next(): boolean {
    if (this.#runs++ > 0) {
      let last = this.#choices.at(-1)
      while (last && last.at + 1 >= last.of) {
        this.#choices.pop()
        last = this.#choices.at(-1)
      }
      if (!last) return false
      last.at++
    }
    if (this.#runs > this.#most) throw new TooMany()
    this.#place = 0
    return true
  }

  below(n: number): number {
    if (n <= 1) return 0
    if (n > this.#most) throw new TooMany()
    const known = this.#choices[this.#place++]
    if (known) return known.at
    this.#choices.push({ at: 0, of: n })
    return 0
  }

  belowBig(n: bigint): bigint {
    if (n > BigInt(this.#most)) throw new TooMany()
    return BigInt(this.below(Number(n)))
  }

  weighted(weights: readonly number[]): number {
    const possible = weights.flatMap((weight, i) => (weight > 0 ? [i] : []))
    return possible[this.below(possible.length)] ?? 0
  }

  unbounded(): never {
    throw new TooMany()
  }
}
