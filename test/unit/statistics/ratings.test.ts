import { describe, expect, test } from 'vitest'
import { createPairedResults } from '../../../main/services/contests/statistics/paired-results.ts'
import { createRatedInOrder } from '../../../main/services/contests/statistics/rated-in-order.ts'
import { randomStream } from '../../../main/contract/random.ts'
import { sha256 } from '../../../main/histories/canonical.ts'

/** Ranks of a match drawn by the model of Plackett and Luce, whose pairs follow Bradley and Terry. */
function drawRanks(strengths: readonly number[], next: () => number): readonly number[] {
  const left = [...strengths.keys()]
  const ranks = strengths.map(() => 0)
  for (let rank = 1; left.length > 0; rank++) {
    const weights = left.map((at) => Math.exp(strengths[at]!))
    let point = (next() / 2 ** 32) * weights.reduce((a, b) => a + b, 0)
    let chosen = 0
    while (chosen < weights.length - 1 && point >= weights[chosen]!) point -= weights[chosen++]!
    ranks[left.splice(chosen, 1)[0]!] = rank
  }
  return ranks
}

describe('Bradley-Terry ratings', () => {
  test('of two entrants are the log of their odds: 3 of 4 wins with half a win and defeat each are 4 to 2 and back', () => {
    const results = createPairedResults(2)
    for (const [at, ranks] of [
      [1, 2],
      [1, 2],
      [2, 1],
      [1, 2],
    ].entries())
      results.add(at, [0, 1], ranks)
    const { rating: a } = results.ratings().of(0)
    const { rating: b } = results.ratings().of(1)
    // Without the prior: odds of 3 to 1, that is 400 * log10(3) = 190.8 points; the prior brings them nearer.
    expect(a - b).toBeGreaterThan(120)
    expect(a - b).toBeLessThan(190.8)
    expect(a + b).toBeCloseTo(3_000, 6)
  })

  test('with many matches the prior vanishes: odds of 3 to 1 are 190.8 points', () => {
    const results = createPairedResults(2)
    for (let at = 0; at < 40_000; at++) results.add(at, [0, 1], at % 4 === 0 ? [2, 1] : [1, 2])
    expect(results.ratings().of(0).rating - results.ratings().of(1).rating).toBeCloseTo(400 * Math.log10(3), 0)
  })

  test.each([
    ['no match', 3, []],
    ['one entrant', 1, [[[0], [1]]]],
    [
      'one match',
      2,
      [
        [
          [0, 1],
          [1, 2],
        ],
      ],
    ],
    [
      'only ties',
      2,
      [
        [
          [0, 1],
          [1, 1],
        ],
      ],
    ],
    [
      'an entrant that nobody met',
      3,
      [
        [
          [0, 1],
          [1, 2],
        ],
      ],
    ],
    [
      '100 %',
      2,
      Array.from({ length: 50 }, () => [
        [0, 1],
        [1, 2],
      ]),
    ],
  ] as const)('%s: every number is finite', (_, entrants, matches) => {
    const results = createPairedResults(entrants)
    for (const [unit, [seated, ranks]] of matches.entries()) results.add(unit, seated, ranks)
    const rated = results.ratings()
    for (let at = 0; at < entrants; at++) {
      const { rating, interval } = rated.of(at)
      expect(Number.isFinite(rating)).toBe(true)
      for (const end of interval ?? []) expect(Number.isFinite(end)).toBe(true)
      if (interval !== null) expect(interval[0]).toBeLessThan(interval[1])
      for (let other = 0; other < entrants; other++) {
        const both = [rated.superiority(at, other), rated.superiority(other, at)]
        if (both.includes(null)) expect(both).toEqual([null, null])
        else expect(both[0]! + both[1]!).toBeCloseTo(1, 9)
      }
    }
  })

  test('an entrant that has won everything has an interval that reaches further up than down', () => {
    const results = createPairedResults(2)
    for (let at = 0; at < 20; at++) results.add(at, [0, 1], [1, 2])
    const { rating, interval } = results.ratings().of(0)
    expect(interval![1] - rating).toBeGreaterThan(rating - interval![0])
    expect(results.ratings().superiority(0, 1)).toBeGreaterThan(0.95)
  })

  test('do not depend on the order of the matches', () => {
    const next = randomStream(sha256('order'))
    const matches = Array.from({ length: 300 }, (_, unit) => ({ unit, ranks: drawRanks([0, 0.4, 1], next) }))
    const rated = [matches, matches.toReversed()].map((list) => {
      const results = createPairedResults(3)
      for (const { unit, ranks } of list) results.add(unit, [0, 1, 2], ranks)
      return [0, 1, 2].map((at) => results.ratings().of(at))
    })
    expect(rated[1]).toEqual(rated[0])
  })

  test('swapped pairs are one unit: pairs that are always shared say that the two are equal, and how surely', () => {
    const [paired, single] = [createPairedResults(2), createPairedResults(2)]
    for (let at = 0; at < 200; at++) {
      // The first seat always wins.
      paired.add(at >> 1, [0, 1], at % 2 === 0 ? [1, 2] : [2, 1])
      single.add(at, [0, 1], at % 2 === 0 ? [1, 2] : [2, 1])
    }
    const width = ({ interval }: { readonly interval: readonly [number, number] | null }) => interval![1] - interval![0]
    expect(width(paired.ratings().of(0))).toBeLessThan(width(single.ratings().of(0)) / 3)
  })

  test('two who have met in too few matches have no intervals, and nobody is called stronger', () => {
    const results = createPairedResults(2)
    for (let at = 0; at < 5; at++) results.add(at, [0, 1], [1, 2])
    expect(results.ratings().of(0).interval).toBeNull()
    expect(results.ratings().superiority(0, 1)).toBeNull()
    results.add(5, [0, 1], [1, 2])
    expect(results.ratings().of(0).interval).not.toBeNull()
    expect(results.ratings().superiority(0, 1)).toBeGreaterThan(0.9)
  })

  test('more units than are kept apart are the same in any order', () => {
    const next = randomStream(sha256('many units'))
    const matches = Array.from({ length: 3_000 }, (_, unit) => ({ unit, ranks: drawRanks([0, 0.4, 1], next) }))
    const rated = [matches, matches.toReversed()].map((list) => {
      const results = createPairedResults(3)
      for (const { unit, ranks } of list) results.add(unit, [0, 1, 2], ranks)
      return [0, 1, 2].map((at) => results.ratings().of(at))
    })
    expect(rated[1]).toEqual(rated[0])
  })
})

describe('ratings in the order of the matches (OpenSkill)', () => {
  test('of one match of two are those of Weng and Lin: 27.64 and 22.36, each with 8.07', () => {
    const rated = createRatedInOrder(2)
    rated.add(0, [0, 1], [1, 2])
    const points = 400 / Math.LN10 / (Math.SQRT2 * (25 / 6))
    const { rating, interval } = rated.ratings().of(0)
    expect(rating).toBeCloseTo(1_500 + points * 2.635389493140497, 6)
    expect(interval![1] - interval![0]).toBeCloseTo(2 * 1.96 * points * 8.06590141354368, 6)
  })

  test('depend on the numbers of the matches and not on when they end; void ones are left out', () => {
    const next = randomStream(sha256('ladder'))
    const matches = Array.from({ length: 40 }, (_, match) => ({ match, ranks: drawRanks([0, 0.5, 1], next) }))
    const rated = [matches, matches.toReversed()].map((list) => {
      const results = createRatedInOrder(3)
      for (const { match, ranks } of list) {
        if (match === 7) results.skip(match)
        else results.add(match, [0, 1, 2], ranks)
      }
      return [0, 1, 2].map((at) => results.ratings().of(at))
    })
    expect(rated[1]).toEqual(rated[0])
    expect(rated[0]!.every(({ interval }) => interval !== null)).toBe(true)
  })

  test('an entrant that has not played has the average and no interval', () => {
    const rated = createRatedInOrder(3)
    rated.add(0, [0, 1], [1, 1])
    expect(rated.ratings().of(2)).toEqual({ rating: 1_500, interval: null })
    expect(rated.ratings().superiority(0, 2)).toBeNull()
  })
})
