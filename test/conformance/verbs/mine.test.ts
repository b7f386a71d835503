import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Ended } from '../cli/process.ts'
import { refusedCommand } from '../../refusal.ts'
import { expectRefusal, openStage, reportOf } from './stage.ts'

const stage = openStage('mine')
afterAll(() => stage.remove())
const entrants = ['baby', 'greedy'].map((name) => ({ name, agent: join(stage.agents, `${name}.js`) }))
const file = stage.contest('contest.json', { format: { type: 'round-robin', seats: 2, repeats: 3 }, entrants })
const data = join(stage.folder, 'data')
let contest = ''
beforeAll(async () => {
  contest = reportOf(await stage.run('contest', 'run', file, '--data', data, '--cores', '1', '--json')).contest
})

const mine = (...args: readonly string[]) => stage.run('mine', contest, '--data', data, ...args)
const jsonOf = ({ stdout }: Ended): { columns: string[]; rows: (string | number | null)[][]; more: boolean } =>
  JSON.parse(stdout) as { columns: string[]; rows: (string | number | null)[][]; more: boolean }

test('a query is answered as a table, as CSV and as JSON', async () => {
  const sql = 'SELECT entrant, count(*) AS matches FROM seats GROUP BY entrant ORDER BY entrant'
  expect(jsonOf(await mine('--query', sql, '--json'))).toMatchObject({
    contest,
    columns: ['entrant', 'matches'],
    rows: [
      ['baby', 3],
      ['greedy', 3],
    ],
    more: false,
  })
  expect((await mine('--query', sql, '--csv')).stdout).toBe('entrant,matches\nbaby,3\ngreedy,3\n')
  expect((await mine('--query', sql)).stdout).toMatch(/^entrant +matches\nbaby +3\ngreedy +3\n$/)
})

test('a ready question about an agent is answered, and each row has the address of its event', async () => {
  const answer = jsonOf(await mine('--question', 'accepted-at-a-loss', '--agent', 'greedy', '--json', '--limit', '2'))
  expect(answer.columns.slice(0, 5)).toEqual(['match', 'line', 'move', 'part', 'agent'])
  for (const row of answer.rows) expect(row[4]).toBe('greedy')
  const shown = (await mine('--question', 'who-buys-from-whom')).stdout
  expect(shown).toContain(`tartaglia://match/${contest}/0?move=`)
})

test('the schema and the questions are listed, with a contest and without', async () => {
  const listed = JSON.parse((await stage.run('mine', '--schema', '--json')).stdout) as { games: { game: string }[] }
  expect(listed.games.length).toBeGreaterThan(4)
  expect((await mine('--schema')).stdout).toMatch(/^purchases: /m)
  expect((await mine('--questions')).stdout).toMatch(/^weakest-predicates: /m)
})

test('words are found in sentences', async () => {
  const { rows, columns } = jsonOf(await mine('--search', 'baby offers', '--limit', '3', '--json'))
  expect(columns).toEqual(['kind', 'match', 'line', 'move', 'part', 'entrant', 'text'])
  expect(rows).toHaveLength(3)
})

test('the database is compared with the histories, and built again', async () => {
  expect(await mine('--verify', '--json')).toMatchObject({ code: 0 })
  const database = join(data, 'contests', contest, 'events.db')
  const bytes = readFileSync(database)
  writeFileSync(database, 'damaged')
  expect(jsonOf(await mine('--query', 'SELECT count(*) FROM matches', '--json')).rows).toEqual([[3]])
  const texts = join(data, 'contests', contest, 'texts.db')
  writeFileSync(texts, 'damaged')
  expect(JSON.parse((await mine('--rebuild', '--json')).stdout)).toMatchObject({ matches: 3, anew: true })
  expect(readFileSync(database).length).toBe(bytes.length)
  // The next search builds it.
  expect(existsSync(texts)).toBe(false)
})

test('what is wrong is refused in a sentence', async () => {
  const refused = async (code: Parameters<typeof refusedCommand>[0], ...args: readonly string[]) =>
    expectRefusal(await mine(...args, '--json'), 2, refusedCommand(code))
  await refused('option-missing')
  await refused('options-conflict', '--schema', '--questions')
  // A query has its place beside the sentence.
  const invalid = await mine('--query', 'SELECT x FROM nothing', '--json')
  expect(invalid.code).toBe(2)
  expect(JSON.parse(invalid.stdout)).toMatchObject(refusedCommand('query-invalid'))
  expect(invalid.stderr).toContain('Line 1, column 15')
  await refused('query-forbidden', '--query', 'DROP TABLE matches')
  await refused('question-unknown', '--question', 'weakest')
  await refused('input-invalid', '--question', 'upsets', '--with', 'colour=red')
  await refused('options-conflict', '--query', 'SELECT 1', '--csv')
  expectRefusal(
    await stage.run('mine', 'x', '--data', data, '--schema', '--json'),
    2,
    refusedCommand('contest-unknown'),
  )
  expectRefusal(await stage.run('mine', '--query', 'SELECT 1', '--json'), 2, refusedCommand('argument-missing'))
})
