import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readContest } from '../../../main/services/contests/descriptions/contest-file.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { refusal } from '../../refusal.ts'

const folder = temporaryFolder('own-format')

async function formatIn(format: object): Promise<unknown> {
  const file = join(folder, 'contest.json')
  const entrants = ['a', 'b', 'c', 'd'].map((name) => ({ name, agent: 'baby' }))
  writeFileSync(file, JSON.stringify({ title: 'Rounds', game: 'punter', format, seed: 'x', entrants }))
  return (await readContest(file, folder)).written.format
}

test("a game's own format goes by its name, with its settings beside it", async () => {
  const settings = { rounds: 1, seats: 2, small: ['sample'] }
  const whole = await formatIn({ type: 'game', name: 'rounds', settings })
  expect(whole).toMatchObject({ type: 'game', name: 'rounds', settings: { rounds: 1, seats: 2, games: 4 } })
  expect(await formatIn({ type: 'rounds', ...settings })).toEqual(whole)
  expect(await formatIn({ type: 'rounds' })).toMatchObject({ type: 'game', name: 'rounds', settings: { rounds: 3 } })
})

test('a name that is nobody’s is refused', async () => {
  await expect(formatIn({ type: 'round' })).rejects.toThrow(
    refusal('json-invalid', 'format.type', '"round-robin"', '"round"'),
  )
})
