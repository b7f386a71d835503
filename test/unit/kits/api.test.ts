import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { kitNames } from '../../../main/contract/players/kits.ts'
import { apiPage, dialogue, samples, savedMove } from './api-pages.ts'
import { gamesWithKits } from './lessons.ts'

test('every game with kits has a sample', () => expect(Object.keys(samples).sort()).toEqual([...gamesWithKits].sort()))

test.each(gamesWithKits)('the sample messages of %s are what its wire writes and reads', async (game) => {
  const { spoken, answer } = await dialogue(game)
  expect(answer).toEqual(savedMove(game).answer)
  expect(spoken.at(-1)?.by).toBe('program')
  expect(spoken.filter(({ by }) => by === 'match').length).toBeGreaterThanOrEqual(2)
})

/** To make them anew, write the pages of `apiPage` into these files. */
test.each(gamesWithKits.flatMap((game) => kitNames.map((kit) => [game, kit] as const)))(
  'the API page of the kit of %s for %s is the one that its types, saved move and wire make',
  async (game, kit) => {
    const page = new URL(`../../../agents/kits/${game}/${kit}/API.md`, import.meta.url)
    expect(readFileSync(page, 'utf8')).toBe(await apiPage(game, kit))
  },
)
