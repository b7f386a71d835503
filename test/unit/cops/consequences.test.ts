import { expect, test } from 'vitest'
import { COPS, nameOf, type State } from '../../../main/referees/cops/state.ts'
import { consequencesOf, rememberedOf, type Consequence } from '../../../main/referees/cops/narration/narrator.ts'
import { outline } from '../../../main/referees/cops/cops.ts'
import { answerOf, begun, plays, robberWalks, says, type Wish } from './stage.ts'

/** Plays the current world to its end, and returns what each input of it led to. */
function told(state: State, wishes: Readonly<Record<number, Wish>>): readonly Consequence[] {
  const { world } = state
  const found: Consequence[] = []
  while (state.world === world && state.end === null) {
    const seat = state.waiting[0]!
    const before = rememberedOf(state)
    says(state, seat, answerOf(state, seat, wishes[seat]))
    found.push(...consequencesOf(before, state, (each) => nameOf(state, each)))
  }
  return found
}

test('what an input led to is told once, and to those only who learn of it then', () => {
  const state = begun({ rules: '2005-twist' })
  // The robber's own election in world 0, alone, and its theft, which everybody hears of.
  expect(told(state, { 0: { loc: 'r9' } })).toEqual([
    { text: 'The plan of R is elected.', known: [0] },
    { text: 'The robber takes $1000 from r9.', known: 'all' },
  ])
  expect(told(state, { 2: { market: 'turncoat' }, 4: { market: 'turncoat' } })).toEqual([
    { text: expect.stringMatching(/^The plan of C\d is elected\.$|^No plan is elected\.$/), known: COPS },
    { text: 'C2 is on the black market from now on.', known: [2] },
    { text: 'C4 is on the black market from now on.', known: [4] },
  ])
  robberWalks(state, 'r10')
  plays(state)
  // A bribe is known to the robber and to all who are dirty by then.
  expect(told(state, { 0: { asks: true, choose: ['C2'] } }).at(-1)).toEqual({ text: 'C2 is bribed.', known: [0, 2] })
  const accusing = told(state, { 1: { accuse: ['C2'] }, 3: { accuse: ['C4'] } })
  expect(accusing.slice(1)).toEqual([
    { text: 'C1 accuses C2 rightly and moves its robots from now on.', known: 'all' },
    { text: 'C3 has accused wrongly.', known: [3] },
  ])
})

test('the loot over time is what every cop knows: it says nothing of pushes', () => {
  const state = begun({ rules: '2005-twist' })
  plays(state, { 0: { loc: 'r9' } })
  plays(state)
  robberWalks(state, 'r10')
  plays(state)
  plays(state, { 0: { asks: true, push: { bot: 'C3', loc: 'r1' } } })
  expect(state.pushCosts).toBe(50)
  expect(outline.levels(state)[0]).toBe(1_000)
})
