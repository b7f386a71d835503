import { expect, test } from 'vitest'
import { commitmentOf } from '../../../main/services/cases/votes.ts'
import { commitmentTo, committedOf, newVote, votesIn } from '../../../renderer/screens/hearings/sealed-votes.ts'

const ballot = { case: 'case-3', voter: '0123456789abcdef', ballot: 2 }

test('the browser commits to a vote as the program checks it', async () => {
  const vote = newVote(ballot, 'broken', 'yes', 'The event shows it: “¼”.')
  expect(await commitmentTo(vote)).toBe(commitmentOf(vote))
  expect(await commitmentTo({ ...vote, choice: 'no' })).not.toBe(commitmentOf(vote))
})

test('of two votes on a question the one that was committed to is opened, though the other one is newer', async () => {
  const first = newVote(ballot, 'broken', 'yes', 'The first words.')
  const again = newVote(ballot, 'broken', 'yes', 'Other words, after an answer that was lost.')
  const penalty = newVote(ballot, 'penalty', '0', '')
  expect(await committedOf([first, penalty, again], [commitmentOf(first), commitmentOf(penalty)])).toEqual([
    first,
    penalty,
  ])
})

test('a saved file gives the votes of its ballot and no others', () => {
  const votes = [newVote(ballot, 'broken', 'yes', 'a'), newVote(ballot, 'penalty', '0', 'b')]
  const others = [
    newVote({ ...ballot, ballot: 1 }, 'broken', 'no', 'c'),
    newVote({ ...ballot, voter: 'f'.repeat(16) }, 'broken', 'no', 'd'),
  ]
  expect(votesIn(JSON.stringify([...others, ...votes, null, { case: 'case-3' }]), ballot)).toEqual(votes)
  for (const text of ['', '{}', 'null', '[[]]', 'not JSON']) expect(votesIn(text, ballot)).toEqual([])
})
