import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readContest } from '../../../main/services/contests/descriptions/contest-file.ts'
import { namedAgentFile } from '../../../main/services/agents/named-agents.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const folder = temporaryFolder('named')
writeFileSync(join(folder, 'learner'), '')

const shipped = (game: string, name: string): string => join(resources.agents, game, `${name}.js`)

test.each([
  ['one that ships', 'haggle', 'baby', shipped('haggle', 'baby')],
  ['that of its own game', 'specker', 'baby', shipped('specker', 'baby')],
  ['one of another game is a file', 'specker', 'conceder', join(folder, 'conceder')],
  ['a file that lies there comes first', 'haggle', 'learner', join(folder, 'learner')],
  ['a path', 'haggle', 'agents/baby.js', join(folder, 'agents', 'baby.js')],
  ['a way to somewhere else', 'haggle', '../specker/baby', resolve(folder, '..', 'specker', 'baby')],
  ['an absolute path', 'haggle', '/elsewhere/baby.js', '/elsewhere/baby.js'],
])('%s', (_, game, agent, file) => {
  expect(namedAgentFile(game, agent, folder)).toBe(file)
})

test('a contest file may name agents that ship', async () => {
  const file = join(folder, 'contest.json')
  const entrants = ['baby', 'learner', 'conceder'].map((name) => ({ name, agent: name }))
  const format = { type: 'round-robin', seats: 2, repeats: 1 }
  writeFileSync(file, JSON.stringify({ title: 'By name', game: 'haggle', seed: 'x', entrants, format }))
  const { written } = await readContest(file, folder)
  expect(written.entrants.map(({ agent }) => agent)).toEqual([
    shipped('haggle', 'baby'),
    join(folder, 'learner'),
    shipped('haggle', 'conceder'),
  ])
})
