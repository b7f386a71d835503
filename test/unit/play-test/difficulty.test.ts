import { expect, test } from 'vitest'
import { measureDifficulty } from '../../../grammars/play-test/measure-difficulty.ts'
import type { DifficultyPoint } from '../../../grammars/play-test/report.ts'
import { randomStream } from '../../../main/contract/random.ts'
import { accepted, challengeOf, sourceOf } from '../challenges/shipped.ts'

/** A parameter of each generator that a short search feels, and its effect from the low to the high end. */
test.each([
  ['graph-colouring', 'density', 'harder'],
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

test('a search feels no parameter of cubic-equations, but the planted answers become wrong', () => {
  const points = curveOf('cubic-equations', 'odd', 5)
  expect(Math.max(...points.map(({ best }) => best))).toBeLessThan(0.3)
  const planted = points.map((point) => point.planted!)
  expect(planted[0]! - planted.at(-1)!).toBeGreaterThan(0.5)
})

test.each(['size', 'kinds'])('a short search solves job-scheduling nearly perfectly at every %s', (parameter) => {
  const points = curveOf('job-scheduling', parameter, 120)
  expect(Math.min(...points.map(({ best }) => best))).toBeGreaterThan(0.95)
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
