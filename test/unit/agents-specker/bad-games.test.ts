import { describe, expect, test } from 'vitest'
import { ENERGY } from '../../../main/referees/specker/messages.ts'
import { BAD, varied } from '../play-test/games.ts'
import { machines } from '../play-test/own-games.ts'
import { playMatch } from './table.ts'

/** The rules for which agents that know only the file are removed, in two matches. */
function removedFor(challenge: string, judgement: string): readonly string[] {
  const config = { challenge, maxTurns: 3, init: 100 * ENERGY, judgement }
  return [7, 8].flatMap((seed) => {
    return playMatch(['baby', 'baby', 'baby'], config, seed).removals.map(({ violation }) => violation.rule)
  })
}

/** Nothing can be offered, which rule 2 demands; slow games take the test's time. */
const LEFT_OUT = ['no-predicate', 'no-instance', 'no-solution', 'slow']
const playable = Object.entries(BAD).filter(([, [code]]) => !LEFT_OUT.includes(code))

describe('a bad game removes nobody from a new contest', () => {
  test('there are twenty', () => {
    expect(playable.length).toBeGreaterThanOrEqual(20)
  })
  test.each(playable)('%s', (_, [, challenge]) => {
    expect(removedFor(challenge, 'complete')).toEqual([])
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
