import { expect, test } from 'vitest'
import { newContest, withNewSettings } from '../../../main/services/contests/descriptions/new-contest.ts'
import { endedPhases } from '../../../main/services/contests/command/planned-phases.ts'
import { contestDescription } from '../../../main/contract/contests/contests.ts'
import { classroom } from '../../../main/contract/procedures/classroom.ts'
import { canonicalText } from '../../../main/histories/canonical.ts'

const described = (format: object) =>
  contestDescription.parse({
    title: 'Week 1',
    game: 'specker',
    config: { challenge: 'sums' },
    format,
    seed: 'x',
    entrants: ['anna', 'bert'].map((name) => ({ name, agent: 'a'.repeat(64) })),
  })
const emptyClass = () => classroom.parse({ format: 'tartaglia-class/1', agents: [], contests: [] })

test('a new contest has the newest schedule of its format; one that is played again keeps its own', () => {
  const content = emptyClass()
  const written = described({ type: 'round-robin', seats: 2, repeats: 3 })
  const nonce = 'b'.repeat(64)
  newContest(content, '/nowhere', written, { nonce })
  newContest(content, '/nowhere', written, { nonce, rerun: { of: 'week-1-1', phrase: undefined, seeds: undefined } })
  expect(content.contests.map(({ description }) => description.format)).toEqual([
    { type: 'round-robin', seats: 2, repeats: 3, seating: 'even' },
    { type: 'round-robin', seats: 2, repeats: 3 },
  ])
})

test('a contest that an older version began is recognized by its file', () => {
  const older = described({ type: 'round-robin', seats: 2, repeats: 3 })
  const read = described({ type: 'round-robin', seats: 2, repeats: 3, seating: 'even' })
  const other = described({ type: 'round-robin', seats: 2, repeats: 2, seating: 'even' })
  const text = (each: typeof older) => canonicalText(withNewSettings(each))
  expect(text(read)).toBe(text(older))
  expect(text(other)).not.toBe(text(older))
  const ended = { ...{ id: 'week-1-1', nonce: 'b'.repeat(64), state: 'ended' as const }, description: older }
  const planned = (description: typeof older) => ({ description, weight: 1, deadline: null })
  expect(endedPhases([ended], [planned(read), planned(read)])).toEqual(['week-1-1'])
  expect(endedPhases([ended], [planned(other), planned(read)])).toEqual([])
})
