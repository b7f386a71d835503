import { describe, expect, test } from 'vitest'
import { dependence } from '../../../main/services/contests/statistics/permutation.ts'
import { targeting, type Targeting } from '../../../main/services/contests/statistics/targeting.ts'
import { randomStream } from '../../../main/contract/random.ts'
import { repeats } from '../../long.ts'
import { contest, shippedContest, type Manner, type Size } from './class.ts'

const CONTESTS = repeats({ short: 40, long: 100 })
const NEUTRAL: Manner = { name: 'focus', markup: 0, appetite: 0.1, clauses: 4 }

/** The findings about the agent in question in each of the contests. */
function found(manner: Manner, { matches, players, rounds }: Size): Targeting[] {
  return Array.from({ length: CONTESTS }, (_, seed) => {
    const own = contest(manner, seed, { matches, players, rounds }).filter(({ agent }) => agent === manner.name)
    return targeting(own)[0]!
  })
}

const flagged = (reports: readonly Targeting[]): Targeting[] => reports.filter((each) => each.flagged)

describe.each([
  { players: 4, matches: 6, rounds: 6 },
  { players: 2, matches: 48, rounds: 3 },
])('$matches matches of $players', ({ players, matches, rounds }) => {
  const size = { players, matches, rounds }
  test('an entrant that treats everybody alike is flagged in fewer than 5 % of contests, although the others differ', () => {
    expect(flagged(found(NEUTRAL, size)).length).toBeLessThan(0.05 * CONTESTS)
  })

  const ways = players === 2 ? (['purchases', 'prices', 'material'] as const) : (['purchases', 'material'] as const)
  test.each(ways)(
    'an agent that targets one of them by %s is flagged in at least 95 % of them, with the target and the events',
    (by) => {
      const reports = found({ ...NEUTRAL, target: { name: 'berta', by } }, size)
      const caught = flagged(reports)
      expect(caught.length).toBeGreaterThanOrEqual(0.95 * CONTESTS)
      const named = caught.filter(({ findings }) => findings[0]!.other === 'berta')
      expect(named.length).toBeGreaterThan(0.8 * caught.length)
      for (const { findings } of caught) {
        expect(findings[0]!.events.length).toBeGreaterThan(0)
        expect(findings[0]!.events[0]).toMatchObject({
          match: expect.any(Number) as unknown,
          input: expect.any(Number) as unknown,
        })
      }
    },
  )
})

test('of the agents that ship, who differ much and treat everybody alike, hardly one is flagged', () => {
  const reports = Array.from({ length: 6 }, (_, seed) => targeting(shippedContest(seed))).flat()
  expect(reports).toHaveLength(30)
  expect(flagged(reports).length).toBeLessThan(2)
})

describe('the permutation test', () => {
  const random = () => randomStream('3'.repeat(64))
  const seen = (stratum: string, other: string, ...values: number[]) =>
    values.map((value) => ({ stratum, other, value }))

  test('compares nothing where a situation concerns one only, or all do the same', () => {
    const list = [...seen('a', 'x', 1, 2, 3), ...seen('b', 'x', 5, 5), ...seen('b', 'y', 5, 5)]
    expect(dependence(list, random())).toEqual({ p: 1, compared: 0, strongest: null })
    expect(dependence([], random()).p).toBe(1)
  })

  test('finds who stands out within a situation, and by what', () => {
    const list = [
      ...seen('a', 'x', 9, 9, 9, 8, 9, 9),
      ...seen('a', 'y', 1, 2, 1, 1, 2, 1),
      ...seen('a', 'z', 2, 1, 1, 2, 1, 1),
    ]
    const { p, compared, strongest } = dependence(list, random())
    expect(p).toBeLessThan(0.002)
    expect(compared).toBe(18)
    expect(strongest).toMatchObject({ other: 'x' })
    expect(strongest!.mean).toBeCloseTo(53 / 6, 9)
    expect(strongest!.expected).toBeCloseTo(69 / 18, 9)
    expect(strongest!.evidence.map((place) => list[place]!.value)).toEqual([9, 9, 9, 9, 9, 8])
  })

  test('takes no difference between situations for one between people', () => {
    // x met dear offers only, y cheap ones: each was treated as the others were there.
    const list = [
      ...seen('dear', 'x', 0, 0, 0, 1),
      ...seen('dear', 'z', 0, 1),
      ...seen('cheap', 'y', 1, 1, 1, 0),
      ...seen('cheap', 'z', 1, 0),
    ]
    expect(dependence(list, random()).p).toBeGreaterThan(0.3)
  })

  test('agrees with the exact test of a small case: 2 of 20 ways are as extreme', () => {
    // Sums of 3 of {0, 0, 0, 1, 1, 1}: all ones or all zeros, 2 of 20.
    const list = [...seen('a', 'x', 1, 1, 1), ...seen('a', 'y', 0, 0, 0)]
    expect(dependence(list, random()).p).toBeGreaterThan(0.05)
    expect(dependence(list, random()).p).toBeLessThan(0.2)
  })

  test('is the same each time', () => {
    const list = [...seen('a', 'x', 1, 2, 3), ...seen('a', 'y', 2, 3, 5)]
    expect(dependence(list, random())).toEqual(dependence(list, random()))
  })
})
