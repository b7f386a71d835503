import { expect, test } from 'vitest'
import { cows } from '../../../main/referees/cows/cows.ts'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import type { HerderAction } from '../../../main/referees/cows/messages.ts'
import { drawn } from './stage.ts'

const game = eraseGame(cows)

/** Two herders a team, an obstacle north of the first, and a cow in the corral of the second team. */
const meadow = ['.........', '.#.....A.', '.ab......', '......B..', '........c']

test('a step is told by team: what herders did, moves that failed, and cows that were caught', () => {
  const seats = [0, 1].map((id) => ({ id, entrant: id, role: 'team', bodies: 2 }))
  const replayer = game.fold(drawn(meadow, { steps: 2 }), seats, 'ab'.repeat(32))
  const step = (number: number, actions: readonly (readonly (HerderAction | null)[])[]) =>
    replayer.narrate({ type: 'step', step: number, actions: actions.map((team) => [...team]) }, ['red', 'blue'])
  expect(
    step(0, [
      ['north', 'skip'],
      ['skip', null],
    ]),
  ).toEqual({
    lines: [
      { text: 'Step 0: red: 0 north fails, 1 skips.', rule: null },
      { text: 'Step 0: blue: 0 skips, 1 no answer.', rule: null },
      { text: '1 cow is caught in the corral of blue.', rule: 'rule 18' },
    ],
    standing: ['Cows caught: red 0, blue 1.'],
  })
  expect(
    step(1, [
      ['west', 'west'],
      ['skip', 'skip'],
    ]),
  ).toEqual({
    lines: [
      { text: 'Step 1: red: 0 west, 1 west fails.', rule: null },
      { text: 'Step 1: blue: 0 1 skips.', rule: null },
    ],
    standing: ['Cows caught: red 0, blue 1.'],
  })
})
