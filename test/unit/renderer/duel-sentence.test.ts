import { expect, test } from 'vitest'
import { duelSentence } from '../../../renderer/charts/duel-sentence.ts'
import type { Duel } from '../../../renderer/charts/heat-map.ts'
import { saying, type Fact } from '../../refusal.ts'

const duel = (met: number, better: number): Duel => ({ met, better, share: met === 0 ? null : better / met, lean: 0 })

test.each<[Duel | null, ...Fact[]]>([
  [duel(1, 0.5), 'a', 'b', 'tied'],
  [duel(1, 1), 'a', 'b', '1 of 1 match', '100%'],
  [duel(4, 1), 'a', 'b', '1 of 4 matches', '25%'],
  [duel(4, 2.5), 'a', 'b', '4 matches', 2.5, 'tie', '63%'],
  [duel(0, 0), 'a', 'b', 'not played'],
  [null, 'a', 'itself'],
])('%j in a sentence, in which a tie is not half of a match', (cell, ...facts) => {
  const sentence = duelSentence('a', cell === null ? 'a' : 'b', cell, false)
  expect(sentence).toEqual(saying(...facts))
  expect(sentence).not.toMatch(/\.5 of/)
})

test('of scores it is a mean', () => {
  expect(duelSentence('a', 'b', duel(4, 30), true)).toEqual(saying('a', 7.5, 'b', '4 sessions'))
})
