import { expect, test } from 'vitest'
import { measureDifficulty } from '../../../grammars/play-test/measure-difficulty.ts'
import type { DifficultyPoint } from '../../../grammars/play-test/report.ts'
import { randomStream } from '../../../main/contract/random.ts'
import { accepted, challengeOf, sourceOf } from '../challenges/shipped.ts'

/** A parameter of each generator that a short search feels, and its effect from the low to the high end. */
test.each([
  ['cubic-equations', 'odd', 'harder'],
  ['graph-colouring', 'density', 'harder'],
  ['job-scheduling', 'odd', 'harder'],
  ['knapsack', 'closeness', 'easier'],
  ['longest-common-subsequence', 'size', 'harder'],
  ['max-csp', 'constraints', 'harder'],
  ['max-sat', 'clauses', 'harder'],
  ['number-partition', 'size', 'harder'],
  ['pseudo-boolean', 'amount', 'harder'],
  ['set-cover', 'size', 'harder'],
  ['travelling-salesman', 'decoys', 'easier'],
  ['vertex-cover', 'size', 'harder'],
] as const)('the curve of %s says that a larger %s is %s', (name, parameter, effect) => {
  const points = curveOf(name, parameter)
  const [low, high] = [points[0]!.best, points.at(-1)!.best]
  expect(effect === 'harder' ? low - high : high - low).toBeGreaterThan(0.05)
})

test('the planted answers of cubic-equations are right, however odd the roots', () => {
  expect(curveOf('cubic-equations', 'odd', 1).map(({ planted }) => planted)).toEqual([1, 1, 1, 1, 1])
})

test('without an odd job the planted solution of job-scheduling reaches the bound, with one it does not', () => {
  const planted = curveOf('job-scheduling', 'odd', 1).map((point) => point.planted!)
  expect(planted[0]).toBe(1)
  expect(planted.at(-1)).toBeLessThan(0.9)
})

function curveOf(name: string, parameter: string, variations = 20): readonly DifficultyPoint[] {
  const challenge = challengeOf(sourceOf(name))
  const config = accepted(challenge.config({})).value
  const random = randomStream('1'.repeat(64))
  const tools = { challenge, config, random, isOver: () => false, now: () => 0 }
  const predicates = Array.from({ length: 10 }, () => {
    return accepted(challenge.predicate(config, accepted(challenge.sampler.predicate(config, random)).value)).value
  })
  const { difficulty, fault } = measureDifficulty(tools, predicates, { ...amounts, difficulty: 10 }, variations)
  expect(fault).toBeNull()
  return difficulty!.curves.find((curve) => curve.parameter === parameter)!.points
}

const amounts = { predicates: 0, instances: 0, solutions: 0, variations: 0, small: 0, ways: 0, largest: 0 }
