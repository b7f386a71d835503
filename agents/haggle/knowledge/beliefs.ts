import { worth, type Share } from './shares.ts'

/** Valuations that are looked at: all where there are no more, else so many by chance. */
const LISTED = 3_000

/** What the partner may value, with a probability for each possibility. */
export interface Beliefs {
  /** Valuations, what one object of each type is worth. */
  readonly valuations: readonly (readonly number[])[]
  /** Their probabilities; they come to 1. */
  readonly chances: Float64Array
  /** Multiplies each probability by what `likelihood` says of the valuation. */
  learn(likelihood: (valuation: readonly number[]) => number): void
}

/** Every valuation but my own in which all objects come to what they are worth to me: each as likely as any other. */
export function createBeliefs(counts: Share, mine: readonly number[], random: () => number): Beliefs {
  const total = worth(counts, mine)
  const all = listValuations(counts, total) ?? drawValuations(counts, total, random)
  const others = all.filter((values) => values.some((value, type) => value !== mine[type]))
  const valuations = others.length === 0 ? [mine] : others
  const chances = new Float64Array(valuations.length).fill(1 / valuations.length)
  return {
    valuations,
    chances,
    learn(likelihood) {
      let sum = 0
      for (const [at, valuation] of valuations.entries()) {
        chances[at]! *= likelihood(valuation) + 1e-9
        sum += chances[at]!
      }
      for (let at = 0; at < chances.length; at++) chances[at]! /= sum
    },
  }
}

/** Every valuation; undefined: too many. */
function listValuations(counts: Share, total: number): readonly (readonly number[])[] | undefined {
  const found: number[][] = []
  const values: number[] = []
  let steps = 0
  const extend = (left: number): boolean => {
    const type = values.length
    const count = counts[type]!
    if (type === counts.length - 1) {
      if (left % count === 0) found.push([...values, left / count])
      return found.length <= LISTED
    }
    for (let value = 0; value * count <= left; value++) {
      values.push(value)
      const more = ++steps <= 20 * LISTED && extend(left - value * count)
      values.pop()
      if (!more) return false
    }
    return true
  }
  return extend(total) ? found : undefined
}

/**
 * So many of them by chance: each type gets a random part of the total, in whole dollars for every object of it, and the
 * first types that it pays for get what is left. What still pays for no object is forgotten.
 */
function drawValuations(counts: Share, total: number, random: () => number): readonly (readonly number[])[] {
  return Array.from({ length: LISTED }, () => {
    const values = counts.map(() => 0)
    const lures = counts.map(() => -Math.log(1 - random()))
    const sum = lures.reduce((a, b) => a + b, 0)
    let left = total
    for (const [type, count] of counts.entries()) {
      values[type] = Math.floor((total * lures[type]!) / sum / count)
      left -= values[type] * count
    }
    for (const [type, count] of counts.entries()) {
      const more = Math.floor(left / count)
      values[type]! += more
      left -= more * count
    }
    return values
  })
}
