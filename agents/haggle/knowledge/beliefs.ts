import { same, worth, type Share } from './shares.ts'

/** Up to this number, all valuations are listed before some are selected; beyond it they are drawn at random. */
const LISTED = 20_000

/** The partner's possible valuations, with their probabilities. */
export interface Beliefs {
  /** Valuations: the value of one object of each type. */
  readonly valuations: readonly (readonly number[])[]
  /** Their probabilities; the sum is 1. */
  readonly chances: Float64Array
  /** Multiplies the probability of each valuation by the likelihood of what was observed, given its index. */
  learn(likelihood: (valuation: number) => number): void
}

/**
 * Every valuation but my own with the same total value as mine, all equally likely. If there are more than `most`, this
 * number of them, evenly selected.
 */
export function createBeliefs(counts: Share, mine: readonly number[], most: number, random: () => number): Beliefs {
  const total = worth(counts, mine)
  const all = listValuations(counts, total) ?? drawValuations(counts, total, most, random)
  const others = selected(
    all.filter((values) => !same(values, mine)),
    most,
  )
  const valuations = others.length === 0 ? [mine] : others
  const chances = new Float64Array(valuations.length).fill(1 / valuations.length)
  return {
    valuations,
    chances,
    learn(likelihood) {
      let sum = 0
      for (let at = 0; at < chances.length; at++) {
        chances[at]! *= likelihood(at)
        sum += chances[at]!
      }
      for (let at = 0; at < chances.length; at++) chances[at]! /= sum
    },
  }
}

/** The mean of the valuations. */
export function expected({ valuations, chances }: Beliefs): readonly number[] {
  const [first = []] = valuations
  const sums = first.map(() => 0)
  for (const [at, valuation] of valuations.entries()) {
    for (const [type, value] of valuation.entries()) sums[type]! += chances[at]! * value
  }
  return sums
}

function selected<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all
  return Array.from({ length: most }, (_, at) => all[Math.floor((at * all.length) / most)]!)
}

/** All valuations; undefined: too many. */
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
 * A random selection: each type gets a random part of the total, in whole dollars per object, and the remainder goes to
 * the first types whose objects it can pay for. A remainder that pays for no object is dropped.
 */
function drawValuations(
  counts: Share,
  total: number,
  most: number,
  random: () => number,
): readonly (readonly number[])[] {
  return Array.from({ length: most }, () => {
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
