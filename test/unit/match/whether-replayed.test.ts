import { expect, test } from 'vitest'
import type { ErasedGame } from '../../../main/contract/game/game.ts'
import { games } from '../../../main/referees/games.ts'
import { dialogueOf } from '../../../main/worker/replay/dialogue.ts'
import { council } from '../../conformance/toys/council.ts'

const whyNot = (game: ErasedGame) => {
  const match = { game, config: {}, seats: [], seed: '0'.repeat(64), inputs: [] }
  return dialogueOf(match, { seat: 0, body: 0 }, 1)
}

test('a match is not replayed where the game does not say what its inputs were, or where time matters', async () => {
  expect(await whyNot(council)).toBe('Matches of Two roles and a vote cannot be replayed: the game has no `replay`.')
  const haggle = games.get('haggle')!
  const timed = { ...haggle, matches: { ...haggle.matches, timed: () => true } }
  expect(await whyNot(timed)).toBe('This match cannot be replayed, because it depends on when its players answered.')
})
