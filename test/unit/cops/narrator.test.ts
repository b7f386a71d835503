import { expect, test } from 'vitest'
import { narrator } from '../../../main/referees/cops/narration/narrator.ts'
import { rules } from '../../../main/referees/cops/rules.ts'
import type { State } from '../../../main/referees/cops/state.ts'
import { begun, completed, plays, type Wish } from './stage.ts'

const names = ['ann', 'bob', 'cem', 'dan', 'eve', 'fay']

/** Plays a world to its end; the lines of the standing that differ from those before it. */
function changesIn(state: State, wishes: Readonly<Record<number, Wish>> = {}): readonly string[] {
  const before = narrator.standing(state, names)
  plays(state, wishes)
  return narrator.standing(state, names).filter((text, at) => text !== before[at])
}

test('while robots register, no standing is told', () => {
  expect(narrator.standing(rules.initial(completed(), [], ''), names)).toEqual([])
  expect(narrator.standing(begun(), names)).toHaveLength(3)
})

test('each line of the standing is the same until its own facts change', () => {
  const state = begun()
  expect(changesIn(state, { 0: { loc: 'r9' } })).toEqual(['The robber has $1000.'])
  expect(changesIn(state)).toEqual([expect.stringMatching(/^Elected plans: /)])
  expect([state.world, changesIn(state), state.world]).toEqual([2, [], 3])
})
