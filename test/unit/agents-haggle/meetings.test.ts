import { describe, expect, test } from 'vitest'
import { repeats } from '../../long.ts'
import { meet, negotiate, shipped, type Negotiator } from './table.ts'

const names = Object.keys(shipped) as (keyof typeof shipped)[]
const SEEDS = repeats({ short: 200, long: 400 })

describe('the reference on the standard setting, both seats, in each of many scenarios', () => {
  // Dollars per scenario, both seats together. With 400 of them the standard error is 0.2; the margins that were measured are 4.1, 2.4, 2.0
  // and 0.4, the last of which is no more than luck.
  test.each([
    ['Learner', 3],
    ['Conceder', 1.5],
    ['Hard', 1],
    ['Baby', -0.5],
  ] as const)('gets more than %s by clearly more than %d dollars', (name, least) => {
    const [mine, theirs] = meet(shipped.Tartaglia, shipped[name], SEEDS)
    expect((mine - theirs) / SEEDS).toBeGreaterThan(least)
  })

  test('meets all agents that ship', () => {
    expect(names.toSorted()).toEqual(['Baby', 'Conceder', 'Hard', 'Learner', 'Tartaglia'])
  })

  test('is the best of all in total', () => {
    const totals = names.map(() => 0)
    for (let one = 0; one < names.length; one++)
      for (let other = one + 1; other < names.length; other++) {
        const [ofOne, ofOther] = meet(shipped[names[one]!], shipped[names[other]!], 150)
        totals[one]! += ofOne
        totals[other]! += ofOther
      }
    expect(names[totals.indexOf(Math.max(...totals))]).toBe('Tartaglia')
  })
})

describe.each(names)('%s', (name) => {
  const Agent: Negotiator = shipped[name]
  const settings: readonly Readonly<Record<string, number>>[] = [
    { types: 2, maxObjects: 2, totalValue: 2 },
    { maxRounds: 1 },
    { types: 5, maxObjects: 10, totalValue: 20, maxRounds: 8 },
    { types: 10, maxObjects: 20, totalValue: 40, maxRounds: 3 },
    { types: 3, minObjects: 10, maxObjects: 100, totalValue: 300, maxRounds: 2 },
  ]
  test.each(settings)('never walks away: %o', (changes) => {
    for (let seed = 1; seed <= 4; seed++) {
      for (const other of names) {
        expect(negotiate(Agent, shipped[other], { ...changes, seed }).ending?.type).not.toBe('abort')
      }
    }
  })

  test('spoils nothing that it is given', () => {
    const frozen = (counts: readonly number[]): number[] => Object.freeze([...counts]) as number[]
    const agent = new Agent(1, frozen([4, 1, 1]), frozen([2, 0, 2]), 5, () => undefined)
    const offers = [1, 2, 3, 4, 5].map(() => agent.offer(frozen([0, 0, 0])))
    expect(offers[0]).toHaveLength(3)
  })
})

test('the baby takes half and asks for all that it values, as the example did', () => {
  const baby = new shipped.Baby(0, [4, 1, 1], [0, 8, 2])
  expect(baby.offer()).toEqual([0, 1, 1])
  expect(baby.offer([4, 0, 1])).toEqual([0, 1, 1])
  expect(baby.offer([0, 1, 0])).toBeUndefined()
})

test('the hard bargainer takes crumbs only when nothing but an answer is left to it', () => {
  const crumb = [1, 0, 0]
  const last = new shipped.Hard(1, [4, 1, 1], [1, 4, 2], 2)
  expect(last.offer(crumb)).toBeDefined()
  expect(last.offer(crumb)).toBeUndefined()
  const first = new shipped.Hard(0, [4, 1, 1], [1, 4, 2], 2)
  first.offer()
  expect(first.offer(crumb)).toBeDefined()
})

test('the learner leaves the partner what it insists on', () => {
  const learner = new shipped.Learner(0, [2, 2, 2], [1, 2, 2], 5)
  learner.offer()
  // The partner keeps all of the second type, which is worth to the learner what the third is.
  const demands = [1, 2, 3, 4].map(() => learner.offer([0, 0, 1]))
  const last = demands.at(-1)!
  expect(last[2]).toBe(2)
  expect(last[1]).toBeLessThan(2)
})
