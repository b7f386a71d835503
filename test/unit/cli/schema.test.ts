import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as z from 'zod'
import { describe, expect, test } from 'vitest'
import { verbOutputs } from '../../../main/contract/outputs/verb-outputs.ts'
import type { Json } from '../../../main/contract/json.ts'
import { games } from '../../../main/referees/games.ts'
import { refusedCommand } from '../../refusal.ts'
import { sampleContest } from '../../../main/services/contests/descriptions/sample-contest.ts'
import { run } from './environment.ts'

type Schema = Parameters<typeof z.fromJSONSchema>[0]

async function schemaOf(name: string): Promise<{ accepts(value: unknown): boolean; text: string }> {
  const { code, stdout } = await run('schema', name)
  expect(code).toBe(0)
  const type = z.fromJSONSchema(JSON.parse(stdout) as Schema)
  return { accepts: (value) => type.safeParse(value).success, text: stdout }
}

test('the list has the contest file, agent.json, five schemas of each game, errors and the outputs of verbs, and each can be read', async () => {
  const { stdout } = await run('schema', '--json')
  const { schemas } = JSON.parse(stdout) as { schemas: readonly { name: string }[] }
  const names = schemas.map(({ name }) => name)
  const ofGames = [...games.keys()].flatMap((id) =>
    ['config', 'answer', 'input', 'told', 'said'].map((part) => `${id}-${part}`),
  )
  const ofVerbs = Object.keys(verbOutputs).map((verb) => `${verb.replaceAll(' ', '-')}-output`)
  expect(names).toEqual(['contest', 'agent', ...ofGames, 'error', ...ofVerbs])
  for (const name of names) {
    const { text } = await schemaOf(name)
    expect(JSON.parse(text)).toMatchObject({
      $schema: expect.stringContaining('json-schema.org') as string,
      $id: `tartaglia:${name}`,
    })
    expect(JSON.parse((await run('schema', name, '--json')).stdout)).toEqual(JSON.parse(text))
  }
})

test('every verb with --json, and nothing else, has a schema of its output', async () => {
  const script = pathToFileURL(join(import.meta.dirname, '../../../scripts/commands.mjs')).href
  const { commandsOf } = (await import(script)) as { commandsOf(): Promise<readonly { name: string; text: string }[]> }
  const verbs = (await commandsOf()).filter(({ text }) => / --json /.test(text)).map(({ name }) => name)
  expect(verbs.length).toBeGreaterThan(90)
  expect(new Set(Object.keys(verbOutputs))).toEqual(new Set(verbs))
})

test('the schema of contest files takes those that run, and refuses others', async () => {
  const { accepts } = await schemaOf('contest')
  const sample = JSON.parse(JSON.stringify(sampleContest())) as object
  expect(accepts(sample)).toBe(true)
  expect(accepts({ ...sample, title: 7 })).toBe(false)
  expect(accepts({ ...sample, entrants: [] })).toBe(false)
  expect(accepts({ ...sample, tittle: 'Week 1' })).toBe(false)
})

test('the schemas of files that people edit take a text that names the schema', async () => {
  const agent = { name: 'x', game: 'haggle', kind: 'script' }
  const sample = JSON.parse(JSON.stringify(sampleContest())) as object
  for (const [name, value] of [
    ['contest', sample],
    ['agent', agent],
  ] as const) {
    const { accepts } = await schemaOf(name)
    expect([name, accepts({ $schema: `${name}.schema.json`, ...value })]).toEqual([name, true])
    expect([name, accepts({ $schema: 7, ...value })]).toEqual([name, false])
  }
})

test('the schema of agent.json takes those of the kits', async () => {
  const { accepts } = await schemaOf('agent')
  const found = readdirSync('agents/kits', { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('agent.json'),
  )
  expect(found.length).toBeGreaterThan(2)
  for (const path of found)
    expect([path, accepts(JSON.parse(readFileSync(join('agents/kits', path), 'utf8')))]).toEqual([path, true])
  expect(accepts({ name: 'x', game: 'haggle' })).toBe(false)
})

describe.each([...games.keys()])('%s', (id) => {
  test('the schema of settings takes and refuses what the game does', async () => {
    const { accepts } = await schemaOf(`${id}-config`)
    const values = [{}, { nonesuch: 1 }, [], 7]
    expect(values.map(accepts)).toEqual(values.map((value) => games.get(id)!.config(value as Json, 'recorded').ok))
    const sample = sampleContest()
    if (sample.game === id) expect(accepts(sample.config)).toBe(true)
  })
})

test('a name that is almost right is answered with the right one', async () => {
  expect(JSON.parse((await run('schema', 'contestt', '--json')).stdout)).toEqual(
    refusedCommand('schema-unknown', 'contestt', '"contest"'),
  )
})
