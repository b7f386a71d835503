import { expect, test } from 'vitest'
import { subAgents } from '../../../agents/specker/generic/sub-agents.ts'
import { toText } from '../../../grammars/formulas/numbers/fraction.ts'
import { randomStream } from '../../../main/contract/random.ts'
import { accepted, challengeOf, sourceOf } from '../challenges/shipped.ts'

const patience = { instances: 3, solutions: 2, longest: 100_000 }

/** The random numbers that were drawn are counted. */
function beginning(source: string) {
  const challenge = challengeOf(source)
  const config = accepted(challenge.config({})).value
  const stream = randomStream('17'.repeat(32))
  let drawn = 0
  const four = subAgents(challenge, config, null, patience, () => {
    drawn++
    return stream()
  })
  const predicate = four.offer()!.predicate
  return { challenge, config, four, predicate, drawn: () => drawn }
}

test('the seller of a secret challenge delivers what the generator makes, and keeps the planted solution', () => {
  const { challenge, config, four, predicate } = beginning(sourceOf('knapsack'))
  const { instance, solution, quality } = four.plantedRM(predicate)!
  expect(challenge.legal(config, predicate, instance)).toBeNull()
  expect(challenge.feasible(config, instance, solution)).toBeNull()
  expect(challenge.quality(config, instance, solution)).toEqual(quality)
  // No random packing is perfect, so this one was planted.
  expect(toText(quality)).toBe('1/1')
  expect(four.plantedRM(predicate, 10)).toBeUndefined()
})

const without = sourceOf('knapsack').replace(/^generate [^]*?\n}\n/m, '')
const generating = (instance: string, planted: string): string =>
  `${without}\ngenerate { instance = ${instance} ${planted} }`

test.each([
  ['has no generator', without],
  ['plants nothing', generating('Instance(1, [Item(predicate.weights[1], 1)])', '')],
  ['makes illegal instances', generating('Instance(0, [])', 'planted = Solution([])')],
])('a challenge that %s is sold as before', (_, source) => {
  const { four, predicate, drawn } = beginning(source)
  const before = drawn()
  expect(four.plantedRM(predicate)).toBeUndefined()
  // Contests of challenges without a generator do not change.
  expect(drawn()).toBe(before)
  expect(four.createRM(predicate)).toBeDefined()
})
