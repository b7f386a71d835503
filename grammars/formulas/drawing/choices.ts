import { BOOLEAN, fits, INT, NOTHING, NUMBER } from '../checking/types.ts'
import type { Type } from '../checking/types.ts'
import { copyOf, extremeOf, listOf, numberFrom, plain } from '../cost/extremes.ts'
import { misfit } from '../functions/built-in.ts'
import type { BuiltIn } from '../functions/built-in.ts'
import { digitsOf, listExtreme, numberExtreme } from '../functions/prices.ts'
import { toFraction } from '../numbers/exact.ts'
import type { Exact } from '../numbers/exact.ts'
import { FormulaError } from '../numbers/formula-error.ts'
import { show } from '../numbers/value.ts'
import type { Value } from '../numbers/value.ts'
import { LIST_STEPS, spend } from '../running/frame.ts'
import type { Frame } from '../running/frame.ts'
import { exactlyFor } from '../running/number-work.ts'
import { chanceOf, differentBelow, shuffleInPlace, unlessInts, wholeNumber } from './draw.ts'

type List = readonly Value[]

/** Draws are uniform among at most this many possibilities. */
const MOST_WAYS = 2 ** 53

/** The number of integers from low to high, of which one is drawn. */
function waysOf(name: string, low: number, high: number): number {
  const ways = high - low + 1
  // The difference is exact; a sum of one more may be rounded down to the most.
  if (ways >= 1 && high - low < MOST_WAYS) return ways
  const why = ways < 1 ? 'is empty' : 'is too long'
  throw new FormulaError(`${name}(...) cannot draw from ${low} to ${high}: this range ${why}.`)
}

const random: BuiltIn = {
  name: 'random',
  call: 'random(low, high)',
  meaning: 'an int from low to high, each with equal probability',
  steps: '1',
  takes: [2],
  resolve: (args) =>
    unlessInts('random', args) ?? {
      type: INT,
      run(frame, [a, b]) {
        const low = wholeNumber('random', a, Number.MIN_SAFE_INTEGER)
        const ways = waysOf('random', low, wholeNumber('random', b, Number.MIN_SAFE_INTEGER))
        spend(frame, 1)
        return low + chanceOf(frame)(ways)
      },
      most: ([low, high]) => ({ steps: 1, value: numberFrom(numberExtreme(low).low, numberExtreme(high).high) }),
    },
}

const chance: BuiltIn = {
  name: 'chance',
  call: 'chance(p)',
  meaning: 'true with probability p, a number from 0 to 1, exactly',
  steps: '1',
  takes: [1],
  resolve([type = NUMBER]) {
    if (!fits(type, NUMBER)) return misfit('chance', 0, 'a number', type)
    return {
      type: BOOLEAN,
      run(frame, [p]) {
        const { n, d } = toFraction(exactlyFor(frame, p as Exact))
        if (n < 0n || n > d) throw new FormulaError(`A probability is from 0 to 1, not ${show(p!)}.`)
        if (d > BigInt(MOST_WAYS)) throw new FormulaError('A probability has a denominator of at most 15 digits.')
        spend(frame, 1)
        return chanceOf(frame)(Number(d)) < Number(n)
      },
      most: () => ({ steps: 1, value: plain(2, 0) }),
    }
  },
}

/** The place that a number below the sum of all weights stands for. */
function weightedPlace(frame: Frame, weights: List, length: number): number {
  if (weights.length !== length) {
    throw new FormulaError(`choose(...) needs a weight for each of ${length} elements, not ${weights.length}.`)
  }
  spend(frame, length)
  let sum = 0
  for (const weight of weights) sum += wholeNumber('choose', weight, 0)
  if (sum < 1 || sum > MOST_WAYS) throw new FormulaError('The weights of choose(...) add up to 1 to 2^53.')
  let left = chanceOf(frame)(sum)
  return weights.findIndex((weight) => (left -= weight as number) < 0)
}

const choose: BuiltIn = {
  name: 'choose',
  call: 'choose(list)` or `choose(list, weights)',
  meaning: 'an element of the list; weights are ints from 0, one for each element',
  steps: '1; with weights 1 more for each element',
  takes: [1, 2],
  resolve([type = INT, weights]) {
    if (type.kind !== 'list') return misfit('choose', 0, 'a list', type)
    if (weights !== undefined && !(weights.kind === 'list' && fits(weights.of, INT)))
      return misfit('choose', 1, 'a list of int', weights)
    return {
      type: type.of,
      run(frame, [given, weighed]) {
        const list = given as List
        if (list.length === 0) throw new FormulaError('choose(...) needs at least one element.')
        spend(frame, 1)
        const place =
          weighed === undefined ? chanceOf(frame)(list.length) : weightedPlace(frame, weighed as List, list.length)
        const chosen = list[place]!
        return type.of.kind === 'number' ? exactlyFor(frame, chosen as Exact) : chosen
      },
      most([list, weighed]) {
        const { most, of } = listExtreme(list)
        return { steps: 1 + (weighed === undefined ? 0 : most), value: copyOf(of) }
      },
    }
  },
}

const shuffle: BuiltIn = {
  name: 'shuffle',
  call: 'shuffle(list)',
  meaning: 'the elements in another order, each order with equal probability',
  steps: '4, and 2 for each element',
  takes: [1],
  resolve([type = INT]) {
    if (type.kind !== 'list') return misfit('shuffle', 0, 'a list', type)
    return {
      type,
      run(frame, [list]) {
        spend(frame, LIST_STEPS + 2 * (list as List).length)
        return shuffleInPlace([...(list as List)], chanceOf(frame))
      },
      most([list]) {
        const { most, of } = listExtreme(list)
        return { steps: LIST_STEPS + 2 * most, value: listOf(copyOf(of), most, false) }
      },
    }
  },
}

const sample: BuiltIn = {
  name: 'sample',
  call: 'sample(list, k)',
  meaning: 'k elements at different places of the list, in any order',
  steps: '4, and 2 for each element of the sample',
  takes: [2],
  resolve([type = INT, count = INT]) {
    if (type.kind !== 'list') return misfit('sample', 0, 'a list', type)
    if (!fits(count, INT)) return misfit('sample', 1, 'an int', count)
    return {
      type,
      run(frame, [given, k]) {
        const list = given as List
        const wanted = wholeNumber('sample', k, 0)
        if (wanted > list.length)
          throw new FormulaError(`sample(...) cannot take ${wanted} of ${list.length} elements.`)
        spend(frame, LIST_STEPS + 2 * wanted)
        const places = shuffleInPlace(differentBelow(list.length, wanted, chanceOf(frame)), chanceOf(frame))
        return places.map((place) => list[place]!)
      },
      most([list, k]) {
        const { most, of } = listExtreme(list)
        const taken = Math.min(most, Math.max(0, numberExtreme(k).high))
        return { steps: LIST_STEPS + 2 * taken, value: listOf(copyOf(of), taken, false) }
      },
    }
  },
}

const pick: BuiltIn = {
  name: 'pick',
  call: 'pick(k, low, high)',
  meaning: 'k different ints from low to high, in any order',
  steps: '4, and 2 for each of them',
  takes: [3],
  resolve: (args) =>
    unlessInts('pick', args) ?? {
      type: { kind: 'list', of: INT },
      run(frame, [k, a, b]) {
        const wanted = wholeNumber('pick', k, 0)
        const low = wholeNumber('pick', a, Number.MIN_SAFE_INTEGER)
        const high = wholeNumber('pick', b, Number.MIN_SAFE_INTEGER)
        const ways = wanted === 0 ? 0 : waysOf('pick', low, high)
        if (wanted > ways) throw new FormulaError(`pick(...) cannot take ${wanted} different ints of ${ways}.`)
        spend(frame, LIST_STEPS + 2 * wanted)
        const chosen = differentBelow(ways, wanted, chanceOf(frame)).map((number) => low + number)
        return shuffleInPlace(chosen, chanceOf(frame))
      },
      most([k, low, high]) {
        const wanted = Math.max(0, numberExtreme(k).high)
        const of = numberFrom(numberExtreme(low).low, numberExtreme(high).high)
        return { steps: LIST_STEPS + 2 * wanted, value: listOf(of, wanted, false) }
      },
    },
}

const parts: BuiltIn = {
  name: 'parts',
  call: 'parts(total, k)',
  meaning: 'k ints from 1 that add up to the total, each such list with equal probability',
  steps: '4, and for each of k parts 2 and the binary digits of k',
  takes: [2],
  resolve: (args) =>
    unlessInts('parts', args) ?? {
      type: { kind: 'list', of: INT },
      run(frame, [sum, k]) {
        const wanted = wholeNumber('parts', k, 1)
        const total = wholeNumber('parts', sum, 1)
        if (wanted > total) throw new FormulaError(`parts(...) cannot divide ${total} into ${wanted} ints from 1.`)
        spend(frame, LIST_STEPS + wanted * (2 + digitsOf(wanted)))
        const cuts = differentBelow(total - 1, wanted - 1, chanceOf(frame)).sort((a, b) => a - b)
        return [...cuts, total - 1].map((cut, i) => cut - (i === 0 ? -1 : cuts[i - 1]!))
      },
      most([sum, k]) {
        const wanted = Math.max(1, numberExtreme(k).high)
        const of = numberFrom(1, numberExtreme(sum).high)
        return { steps: LIST_STEPS + wanted * (2 + digitsOf(wanted)), value: listOf(of, wanted, false) }
      },
    },
}

const none: BuiltIn = {
  name: 'none',
  call: 'none()',
  meaning: 'the absent value of an optional field',
  steps: '0',
  takes: [0],
  resolve() {
    const type: Type = { kind: 'option', of: NOTHING }
    return { type, run: () => null, most: () => ({ steps: 0, value: extremeOf(type, false) }) }
  },
}

export const choices: readonly BuiltIn[] = [random, chance, choose, shuffle, sample, pick, parts, none]
