import { describe, expect, test } from 'vitest'
import { readNewChallenge } from '../../../grammars/challenges/index.ts'
import { playTest } from '../../../grammars/play-test/play-test.ts'
import { randomStream } from '../../../main/contract/random.ts'
import { templates } from '../../../renderer/screens/challenges/templates.ts'
import { accepted } from '../challenges/shipped.ts'

const amounts = { predicates: 4, instances: 2, solutions: 4, variations: 40, small: 6, ways: 200, largest: 0 }
const whole = templates.filter(({ kind }) => kind !== 'Empty')

describe('the templates of new challenges', () => {
  test.each(whole.map((template) => [template.kind, template.source]))(
    '%s: a whole file with a picture, whose game can be played and whose references do as they should',
    (_, source) => {
      const { challenge, problems } = readNewChallenge(source)
      expect(problems).toEqual([])
      expect(challenge?.picture).not.toBeNull()
      const config = accepted(challenge!.config({})).value
      const random = randomStream('1'.repeat(64))
      const { playable, warnings, references } = playTest(challenge!, {
        config,
        random,
        now: () => 0,
        withinMs: 1,
        amounts,
      })
      expect([playable, warnings]).toEqual([true, []])
      expect(references.map(({ kind, ok }) => [kind === 'wrong', ok])).toEqual([
        [false, true],
        [true, true],
      ])
    },
  )

  test('the empty one only lacks sections', () => {
    const empty = templates.find(({ kind }) => kind === 'Empty')
    const codes = readNewChallenge(empty!.source).problems.map(({ code }) => code)
    expect(new Set(codes)).toEqual(new Set(['section-missing']))
  })

  test('differ in their names, and the first is that of a new challenge', () => {
    expect(new Set(templates.map(({ kind }) => kind)).size).toBe(templates.length)
    expect(templates[0]?.kind).toBe('Choose')
  })
})
