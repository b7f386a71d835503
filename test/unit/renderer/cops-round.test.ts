import { expect, test } from 'vitest'
import { electionOf } from '../../../renderer/games/cops/claims.ts'
import type { RoundView } from '../../../renderer/games/cops/rules.ts'

const names = ['R', 'C1', 'C2', 'C3', 'C4', 'C5']
const nobody = names.map(() => null)
/** C2 is bribed, C4 is out. */
const cops = [1, 2, 3, 4, 5].map((seat) => ({ dirty: seat === 2, out: seat === 4 }))

function rowsOf(round: Partial<RoundView>) {
  return electionOf({ world: 7, informs: nobody, plans: nobody, ballots: nobody, ...round }, { names, cops })
}

test('cops vote in odd worlds, unless they are out; in even ones the robber and who is bribed', () => {
  expect(rowsOf({}).map(({ seat }) => seat)).toEqual([1, 2, 3, 5])
  expect(rowsOf({ world: 8 }).map(({ seat }) => seat)).toEqual([0, 2])
})

test('first choices are counted, but not of one ballot alone, which is all that a cop knows', () => {
  const own = [1, 2, 3, 5]
  const alone = rowsOf({ ballots: [null, own, null, null, null, null], winner: 2 })
  expect(alone.map(({ firsts }) => firsts)).toEqual([null, null, null, null])
  expect(alone.map(({ won }) => won)).toEqual([false, true, false, false])
  const all = rowsOf({ ballots: [null, own, [1, 2, 3, 5], [3, 1, 2, 5], null, null] })
  expect(all.map(({ firsts }) => firsts)).toEqual([2, 0, 1, 0])
})
