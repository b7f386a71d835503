import { expect, test } from 'vitest'
import { canonicalText } from '../../../main/histories/canonical.ts'
import { voteText } from '../../../main/contract/cases/case-record.ts'
import { isChoice, tally } from '../../../main/services/cases/votes.ts'

const rules = { quorum: 50, majority: 'half', castingVote: true } as const
const panel = ['a', 'b', 'c', 'd', 'e', 'f']
const votes = (choices: string) =>
  [...choices].map((each, at) => ({
    voter: panel[at]!,
    choice: { y: 'yes', n: 'no', '-': 'abstain' }[each] ?? each,
    reason: 'So.',
  }))
const of = (broken: string, penalty = '', more = {}, present = broken.length) =>
  tally({ ...rules, ...more }, panel, 'a', { broken: votes(broken), penalty: votes(penalty) }, present)

test('quorum, majority and the casting vote decide', () => {
  expect(of('yyn')).toMatchObject({ valid: 3, hasQuorum: true, broken: true, casting: [] })
  expect(of('yy')).toMatchObject({ hasQuorum: false, broken: false })
  // Abstentions count for the quorum, and not for the majority.
  expect(of('y--')).toMatchObject({ hasQuorum: true, broken: true })
  expect(of('---')).toMatchObject({ hasQuorum: true, broken: false })
  // So does a vote that was not opened.
  expect(of('y', '', {}, 3)).toMatchObject({ valid: 1, present: 3, hasQuorum: true, broken: true })
  expect(of('', '', {}, 6)).toMatchObject({ hasQuorum: true, broken: false })
  expect(of('yynn')).toMatchObject({ broken: true, casting: ['broken'] })
  expect(of('nnyy')).toMatchObject({ broken: false, casting: ['broken'] })
  expect(of('-nyny')).toMatchObject({ broken: false, casting: [] })
  expect(of('yynn', '', { castingVote: false })).toMatchObject({ broken: false, casting: [] })
  const twoThirds = { majority: 'two-thirds' }
  expect(of('yyynn', '', twoThirds)).toMatchObject({ broken: false })
  expect(of('yyyynn', '', twoThirds)).toMatchObject({ broken: true })
  expect(of('ynyn', '', twoThirds)).toMatchObject({ broken: false, casting: [] })
})

test('the penalty is the one with the most votes, then that of the chair, then the mildest', () => {
  expect(of('yyyyyy', '1220--')).toMatchObject({ penalty: 2, casting: [] })
  expect(of('yyyyyy', '2121')).toMatchObject({ penalty: 2, casting: ['penalty'] })
  expect(of('yyyyyy', '-1212')).toMatchObject({ penalty: 1, casting: [] })
  expect(of('yyyyyy', '------')).toMatchObject({ penalty: 0 })
  expect(of('nnnnnn', '222222')).toMatchObject({ penalty: 0 })
})

test('a vote is committed to in canonical JSON, and has one of the choices of its question', () => {
  const vote = { case: 'case-1', question: 'broken', choice: 'yes', reason: 'Ω "\n\u2028', voter: 'a' } as const
  const whole = { ...vote, ballot: 1, nonce: 'f'.repeat(64) }
  expect(voteText(whole)).toBe(canonicalText(whole))
  expect([isChoice('broken', 'yes', 2), isChoice('broken', '1', 2)]).toEqual([true, false])
  expect([isChoice('penalty', '1', 2), isChoice('penalty', '2', 2), isChoice('penalty', 'yes', 2)]).toEqual([
    true,
    false,
    false,
  ])
})
