import { describe, expect, test } from 'vitest'
import { ENERGY } from '../../../main/referees/specker/messages.ts'
import type { Json } from '../../../main/contract/json.ts'
import { configOf, playMatch, type AgentName } from './table.ts'

const MEASURED = ['knapsack', 'cubic-equations', 'pseudo-boolean', 'travelling-salesman', 'vertex-cover'] as const
const VARIANTS = ['classic', 'belief', 'secret', 'base-ball'] as const
const MODES = ['asynchronous', 'mega-moves'] as const

/** Wins of the first in matches of two, and what the first broke. The seats change. */
function meetings(
  names: readonly [AgentName, AgentName],
  config: Json,
  count: number,
): { wins: number; faults: string[] } {
  let wins = 0
  const faults: string[] = []
  for (let match = 0; match < count; match++) {
    const seat = match % 2
    const { outcome, removals } = playMatch(seat === 0 ? names : names.toReversed(), config, match)
    if (outcome.places[seat]!.rank < outcome.places[1 - seat]!.rank) wins += 1
    for (const removal of removals) if (removal.seat === seat) faults.push(removal.violation.text)
  }
  return { wins, faults }
}

// As many as one likes: npm run bench -- strength.
describe.each(MEASURED)('tartaglia beats baby at %s and breaks no rule', (challenge) => {
  test.each(VARIANTS)('%s', (variant) => {
    const config = configOf(challenge, {}, { maxTurns: 4, variant })
    expect(meetings(['tartaglia', 'baby'], config, 4)).toEqual({ wins: 4, faults: [] })
  })

  test.each(MODES)('%s: no rule is broken', (mode) => {
    for (const variant of VARIANTS) {
      const config = configOf(challenge, {}, { maxTurns: 2, variant, mode, init: 100 * ENERGY })
      expect(meetings(['tartaglia', 'baby'], config, 1).faults).toEqual([])
    }
  })
})

describe.each(MEASURED)('at the least settings of %s, and against itself', (challenge) => {
  const least = {
    knapsack: { maxItems: 1, maxWeight: 1, maxWorth: 1 },
    'cubic-equations': { maxQuestions: 1, largest: 1, trials: 1 },
    'pseudo-boolean': { maxVars: 1, maxConstraints: 1, maxWeight: 1, maxTerms: 1, maxCoefficient: 1 },
    'travelling-salesman': { maxCities: 3, maxDistance: 1 },
    'vertex-cover': { maxVertices: 2, maxEdges: 1, colours: 1 },
  }
  test.each(VARIANTS)('%s: no rule is broken', (variant) => {
    for (const own of [{}, least[challenge]]) {
      const config = configOf(challenge, own, { maxTurns: 3, variant, init: 100 * ENERGY })
      const { removals } = playMatch(['tartaglia', 'tartaglia'], config, 1)
      expect(removals.map(({ violation }) => violation.text)).toEqual([])
    }
  })
})

/** The config of knapsack with its file changed. */
function changed(change: (file: string) => string): Json {
  const config = configOf('knapsack', {}, { maxTurns: 4 }) as { readonly [key: string]: Json }
  return { ...config, challenge: change(config['challenge'] as string) }
}

test('a challenge of which nothing is known but its file is solved by climbing, and baby is beaten', () => {
  const config = changed((file) => file.replace('challenge knapsack', 'challenge rucksack'))
  const { wins, faults } = meetings(['tartaglia', 'baby'], config, 6)
  expect(wins).toBeGreaterThanOrEqual(5)
  expect(faults).toEqual([])
})

test('a challenge that only has the name of a known one is played as unknown', () => {
  const config = changed((file) =>
    file.replaceAll('items', 'things').replaceAll('packed', 'taken').replaceAll('weights', 'loads'),
  )
  expect(meetings(['tartaglia', 'baby'], config, 4)).toEqual({ wins: 4, faults: [] })
})

const SIMPLE = ['cautious', 'gambler', 'greedy', 'reoffer-only', 'sampler'] as const

describe.each(MEASURED)('the simple styles play %s by trial', (challenge) => {
  test.each(VARIANTS)('%s: no rule is broken, and there is trade', (variant) => {
    const config = configOf(challenge, {}, { maxTurns: 2, variant, init: 100 * ENERGY })
    const { removals, transcript } = playMatch([...SIMPLE, 'baby'], config, 1535)
    expect(removals.map(({ violation }) => violation.text)).toEqual([])
    for (const action of ['offer', 'accept', 'reoffer', 'deliver', 'solve']) {
      expect(transcript).toContain(`"type":"${action}"`)
    }
  })
})

test('minmax plays what it can analyse, and says so of the rest', () => {
  expect(() => playMatch(['minmax', 'baby'], configOf('knapsack', {}, {}), 1)).toThrow(
    'this agent cannot play the challenge knapsack',
  )
})
