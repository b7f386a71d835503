import { expect, test } from 'vitest'
import { measureDifficulty } from '../../../grammars/play-test/measure-difficulty.ts'
import { randomStream } from '../../../main/contract/random.ts'
import { accepted, challengeOf, sourceOf } from '../challenges/shipped.ts'

/**
 * A parameter of each generator that a short search feels, and its effect from the low to the high end. The answers of cubic-equations
 * are right or wrong whatever the parameters are, and job-scheduling is solved nearly perfectly at all of them.
 */
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
  const challenge = challengeOf(sourceOf(name))
  const config = accepted(challenge.config({})).value
  const random = randomStream('1'.repeat(64))
  const tools = { challenge, config, random, isOver: () => false, now: () => 0 }
  const predicates = Array.from({ length: 10 }, () => {
    return accepted(challenge.predicate(config, accepted(challenge.sampler.predicate(config, random)).value)).value
  })
  const { difficulty, fault } = measureDifficulty(tools, predicates, { ...amounts, difficulty: 10 }, 20)
  expect(fault).toBeNull()
  const { points } = difficulty!.curves.find((curve) => curve.parameter === parameter)!
  const [low, high] = [points[0]!.best, points.at(-1)!.best]
  expect(effect === 'harder' ? low - high : high - low).toBeGreaterThan(0.05)
})

const amounts = { predicates: 0, instances: 0, solutions: 0, variations: 0, small: 0, ways: 0, largest: 0 }
