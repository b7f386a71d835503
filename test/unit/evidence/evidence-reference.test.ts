import { expect, test } from 'vitest'
import { evidenceReference } from '../../../main/contract/evidence/evidence-reference.ts'

const reference = {
  ...{ contest: 'week-1', match: 4, line: 38, move: 37, part: null },
  ...{ head: 'a'.repeat(64), hash: 'b'.repeat(64), sentence: 'Anna buys problem 3 for 0.42.' },
}

test('a reference has a place, two hashes and a sentence, and nothing else', () => {
  expect(evidenceReference.parse(reference)).toEqual(reference)
  for (const wrong of [
    { ...reference, hash: 'B'.repeat(64) },
    { ...reference, head: 'a'.repeat(63) },
    { ...reference, line: -1 },
    { ...reference, contest: '../week-1' },
    { ...reference, sentence: '' },
    { ...reference, sentence: '\ud800' },
    { ...reference, more: 1 },
  ])
    expect(evidenceReference.safeParse(wrong).success).toBe(false)
})
