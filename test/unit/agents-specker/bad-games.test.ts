import { describe, expect, test } from 'vitest'
import { ENERGY } from '../../../main/referees/specker/messages.ts'
import { BAD, varied } from '../play-test/games.ts'
import { machines } from '../play-test/own-games.ts'
import { playMatch } from './table.ts'

/** The rules for which agents that know only the file are removed. */
function removedFor(challenge: string, judgement: string, maxTurns = 3, seeds = [7, 8]): readonly string[] {
  const config = { challenge, maxTurns, init: 100 * ENERGY, judgement }
  return seeds.flatMap((seed) => {
    return playMatch(['baby', 'baby'], config, seed).removals.map(({ violation }) => violation.rule)
  })
}

/** In these an agent looks for something to offer until it gives up, so one turn takes a second. */
const BARREN = ['no-predicate', 'no-instance', 'no-solution']
const all = Object.entries(BAD).map(([name, [code, challenge]]) => ({ name, code, challenge }))

describe('a bad game removes nobody from a new contest', () => {
  test('there are thirty', () => {
    expect(all.length).toBeGreaterThanOrEqual(30)
  })
  test.each(all)('$name ($code)', ({ code, challenge }) => {
    const few = code === 'slow' || BARREN.includes(code)
    expect(removedFor(challenge, 'complete', few ? 1 : 3, few ? [7] : [7, 8])).toEqual([])
  })
})

describe('where nothing can be drawn, earlier contests removed those that offered nothing', () => {
  const cheap = ['lengths that nobody guesses', 'no properties', 'as many jobs as are never drawn']
  test.each(cheap)('%s', (name) => {
    expect(removedFor(BAD[name]![1], 'thorough', 1, [7])).toEqual(['new-offer'])
  })
})

describe('a file whose bound fails is blamed instead of the seller, which earlier contests blamed', () => {
  test.each([
    ['divides by 0', '1 / (length(instance.jobs) - length(instance.jobs))'],
    ['takes too many steps for all raw material', 'count(i for i in 1..30000000) * 0'],
  ])('%s', (_, part) => {
    const challenge = varied(
      machines,
      ['bound = ', `bound = (if length(instance.jobs) = 1 then 0 else ${part}) + `],
      ['length range 2 config.maxJobs', 'length range 2 3'],
    )
    expect(removedFor(challenge, 'complete')).toEqual([])
    expect(removedFor(challenge, 'thorough')).toContain('illegal-material')
  })
})

test('agents send raw material that has a bound, so that one that fails for some removes none of them', () => {
  const part = '(if length(instance.jobs) in 2..5 then 1 / (length(instance.jobs) - length(instance.jobs)) else 0)'
  const challenge = varied(machines, ['bound = ', `bound = ${part} + `])
  const config = { challenge, maxTurns: 3, init: 100 * ENERGY, judgement: 'complete' }
  for (const seed of [7, 8]) {
    const { removals, transcript } = playMatch(['baby', 'tartaglia', 'sampler'], config, seed)
    expect(removals).toEqual([])
    expect(transcript).toContain('"deliver"')
  }
})
