import { expect, test } from 'vitest'
import { whyNoKit } from '../../../main/services/agents/kits.ts'

const games = [
  { id: 'chess', title: 'Chess' },
  { id: 'go', title: 'The Game of Go' },
]
const hasKits = (game: string): boolean => game === 'chess'

test.each([
  ['chess', null],
  ['go', 'There is no python kit for The Game of Go; there are kits for chess.'],
  ['whist', 'There is no game "whist"; there are kits for chess.'],
])('a kit for %s', (game, missing) => {
  expect(whyNoKit({ game, kit: 'python' }, games, hasKits)).toBe(missing)
})
