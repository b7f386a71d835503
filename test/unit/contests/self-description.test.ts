import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { launchWorker } from '../../../main/services/machine/worker-process.ts'
import { backUp } from '../../../main/services/archive/back-up.ts'
import { classroom } from '../../../main/contract/procedures/classroom.ts'
import { contestDescription, contestFile, type ContestDescription } from '../../../main/contract/contests/contests.ts'
import { agentManifest, HUMAN } from '../../../main/contract/players/agents.ts'
import { limits } from '../../../main/contract/limits.ts'
import { games } from '../../../main/referees/games.ts'
import {
  matchConditions,
  trialConditions,
  trialEntrants,
} from '../../../main/services/contests/descriptions/match-conditions.ts'
import { openContests } from '../../../main/services/contests/kept/class-contests.ts'
import { newContest } from '../../../main/services/contests/descriptions/new-contest.ts'
import { completeContest, readConditions } from '../../../main/services/contests/descriptions/contest-file.ts'
import { scoreText, trialConfig } from '../../../main/services/game-facts.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { routes } from './fixtures/routes.ts'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'
import { refusal, type Fact } from '../../refusal.ts'

// The registry is fixed, so the toy joins it for this file.
vi.mock(import('../../../main/referees/games.ts'), async (load) => {
  const real = await load()
  const toy = (await import('./fixtures/routes.ts')).routes
  return { games: new Map([...real.games, [toy.id, toy]]) }
})

const map = `${JSON.stringify({ rivers: Array.from({ length: 2_000 }, (_, at) => [at, at + 1]) })}\n`

let folder = ''
beforeEach(() => {
  folder = temporaryFolder('self')
  writeFileSync(join(folder, 'coast.json'), map)
  for (const name of ['one', 'two', 'three']) writeFileSync(join(folder, `${name}.js`), '')
})

const written = (config: object, more: object = {}, game = 'routes') =>
  contestFile.parse({
    ...{ title: 'Routes', game, config, format: { type: 'single' }, seed: 'x' },
    entrants: ['one', 'two', 'three'].map((name) => ({ name, agent: `${name}.js` })),
    ...more,
  })
const complete = (config: object, more?: object, game?: string) =>
  completeContest(written(config, more, game), folder, 'it', folder)

describe('limits of a contest file', () => {
  test('that it leaves out are as the game has them, and else as in every game', async () => {
    const { written: read } = await complete({ map: 'coast.json' }, { limits: { bankMs: 7, startMs: 9 } })
    expect(read.limits).toEqual({ ...limits.parse({}), startMs: 9, moveMs: 30_000, bankMs: 7 })
  })

  test('are as ever where the game says nothing', async () => {
    const { written: read } = await complete({ challenge: 'max-csp' }, {}, 'specker')
    expect(read.limits).toEqual(limits.parse({}))
  })
})

describe('conditions of a match', () => {
  test('that are not chosen are those of a contest that does not choose', async () => {
    const { written: read } = await complete({ map: 'coast.json' })
    const { clock, isolation } = read
    expect(matchConditions('routes', { config: 1 })).toEqual({ config: 1, limits: read.limits, clock, isolation })
    expect(trialConditions('routes')).toMatchObject({ config: trialConfig('routes'), clock: 'frozen' })
  })

  test('are read from a contest file, whose agents need not be there', async () => {
    const file = join(folder, 'contest.json')
    const absent = ['one', 'two', 'three', 'four'].map((name) => ({ name, agent: `${name}-of-another.js` }))
    const contest = written({ map: 'coast.json' }, { entrants: absent, clock: 'real' })
    const format = { type: 'round-robin', seats: 3 }
    writeFileSync(file, JSON.stringify({ ...contest, format, isolation: 'none', limits: { moveMs: 77 } }))
    const { config } = await complete({ map: 'coast.json' })
    const limitsThere = { ...limits.parse({}), ...routes.matches.limits, moveMs: 77 }
    const expected = { game: 'routes', config, limits: limitsThere, clock: 'real', isolation: 'none', entrants: 3 }
    expect(await readConditions(file, folder)).toEqual(expected)
    const phases = [{ config: { rounds: 5 }, format: { type: 'round-robin', seats: 4 } }, {}]
    writeFileSync(file, JSON.stringify({ ...contest, format, phases }))
    expect(await readConditions(file, folder)).toMatchObject({ config: { rounds: 5 }, entrants: 4 })
  })
})

describe('a trial match', () => {
  test('has as many entrants as the game needs', () => {
    expect(trialEntrants(routes, { map })).toBe(3)
    expect(trialEntrants({ ...routes, agents: { ...routes.agents, trial: { entrants: 5 } } }, { map })).toBe(5)
    expect(trialEntrants(games.get('haggle')!, {})).toBe(2)
    expect(() => trialEntrants({ ...routes, seats: () => 'Nobody can play it.' }, { map })).toThrow(
      refusal('entrants-invalid', 'Routes'),
    )
  })

  test('has the settings that the game says', () => {
    expect(trialConfig('routes')).toEqual({ map: 'small', rounds: 1 })
    expect(trialConfig('haggle')).toEqual({})
  })
})

test('a score is written as the game says', () => {
  expect(scoreText('routes', 250)).toBe('2.5 miles')
  expect(scoreText('haggle', 250)).toBe('250')
})

describe('a text in a config', () => {
  test('is given as a file beside the contest file', async () => {
    expect((await complete({ map: 'coast.json' })).config).toEqual({ map, rounds: 4 })
  })

  test('is given by its name where the class has one of its own', async () => {
    mkdirSync(join(folder, 'texts', 'routes', 'maps'), { recursive: true })
    writeFileSync(join(folder, 'texts', 'routes', 'maps', 'coast.json'), map)
    expect((await complete({ map: 'coast' })).config).toEqual({ map, rounds: 4 })
    await expect(complete({ map: 'cost' })).rejects.toThrow(
      refusal('text-unknown', 'it: config.map: ', '"cost"', 'coast', '"coast"'),
    )
  })

  test.each<[string, string, ErrorCode, ...Fact[]]>([
    ['a file that is not there', 'inland.json', 'file-unreadable', 'inland.json'],
    ['a way out of the folder of names', '../coast', 'text-unknown', '"../coast"'],
    ['a hash that the class does not keep', `sha256:${'0'.repeat(64)}`, 'text-unknown', '0'.repeat(64)],
    ['an invalid hash', 'sha256:abc', 'input-invalid', 64, 'hex'],
    ['a text that is not a map', '{\n}', 'settings-invalid', 'config: map: ', '{"rivers"'],
  ])('%s is refused', async (_, given, code, ...facts) => {
    await expect(complete({ map: given })).rejects.toThrow(refusal(code, ...facts))
  })
})

const agent = 'a'.repeat(64)
const description = contestDescription.parse({
  ...{ title: 'Routes', game: 'routes', format: { type: 'single' }, seed: 'x' },
  entrants: ['anna', 'bob', 'carl'].map((name) => ({ name, agent: name === 'anna' ? agent : HUMAN })),
})

describe('a program for each role', () => {
  const program = (commands: object) => ({ name: 'anna', game: 'routes', kind: 'program', commands })
  const add = (commands: object) => {
    const content = classroom.parse({ format: 'tartaglia-class/1', agents: [], contests: [] })
    const manifests = new Map([[agent, agentManifest.parse(program(commands))]])
    return newContest(content, '/nowhere', { ...description, config: { map, rounds: 4 } }, { nonce: 'n', manifests })
  }

  test('is wanted of an agent whose agent.json names commands by role', () => {
    expect(add({ punter: ['./a'], judge: ['./b'] })).toBe('routes-1')
    expect(() => add({ judge: ['./b'] })).toThrow(
      'Entrant "anna" has no program for the role punter: its "commands" are for judge.',
    )
  })

  test.each([
    ['both', { command: ['./a'], commands: { punter: ['./a'] } }],
    ['a role that is not a name', { commands: { __proto__x: ['./a'] } }],
    ['an empty command', { commands: { punter: [] } }],
    ['a script', { kind: 'script', commands: { punter: ['./a'] } }],
  ])('%s is refused', (_, more) => {
    expect(agentManifest.safeParse({ ...program({ punter: ['./a'] }), ...more }).success).toBe(false)
  })
})

test('a contest from before a game gave new ones other settings goes on with its own', async () => {
  const home = await openClassFolder(join(folder, 'class'))
  try {
    const contests = openContests(home)
    const before = { challenge: 'max-csp', variant: 'secret' }
    const read = games.get('specker')!.config((await complete(before, {}, 'specker')).config, 'recorded')
    const { falseSecrets, ...config } = (read as { value: Record<string, string> }).value
    expect(falseSecrets).toBe('as-true')
    const entrants = ['one', 'two'].map((name) => ({ name, agent: HUMAN }))
    const old = { ...contestDescription.parse({ ...description, game: 'specker', entrants }), config }
    const { id } = await contests.add(old as ContestDescription)
    expect((await contests.complete(id)).config).toEqual(config)
  } finally {
    await home.close()
  }
})

describe('a large text', () => {
  const entrants = ['one', 'two', 'three'].map((name) => ({ name, agent: HUMAN }))

  test('is kept once under its hash, however many contests have it, and is in their histories', async () => {
    const home = await openClassFolder(join(folder, 'class'))
    try {
      const contests = openContests(home)
      const read = await complete({ map: 'coast.json' })
      const description = { ...read.written, config: read.config, entrants } as ContestDescription
      const [first, second] = [await contests.add(description), await contests.add({ ...description, seed: 'y' })]

      expect(readdirSync(join((await backUp(home)).folder, 'texts'))).toHaveLength(1)
      const kept = readdirSync(join(folder, 'class', 'texts'))
      expect(kept).toHaveLength(1)
      const config = { map: `sha256:${kept[0]}`, rounds: 4 }
      expect([first.description.config, second.description.config]).toEqual([config, config])
      expect(readFileSync(join(folder, 'class', 'class.json'), 'utf8')).not.toContain('rivers')
      // The contest is recognised by its complete description, and can be completed as often as one likes.
      expect(contests.twin(description)?.id).toBe(first.id)
      expect(await contests.complete(first.id)).toEqual({ ...description, config: { map, rounds: 4 } })

      const worker = join(import.meta.dirname, 'fixtures', 'toy-worker.mjs')
      await contests.run(first.id, {
        workers: 1,
        isolation: 'none',
        launch: () => launchWorker(process.execPath, worker),
        signal: new AbortController().signal,
        onNotice: () => undefined,
        onProgress: () => undefined,
      })
      const dir = contests.folder(first.id)
      const segments = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((file) => /segment/.test(file))
      const text = segments.map((file) => readFileSync(join(dir, file), 'utf8')).join('')
      expect(text.split('rivers')).toHaveLength(2)
    } finally {
      await home.close()
    }
  })

  test('that was changed or removed since is missed by its contest in one sentence', async () => {
    const home = await openClassFolder(join(folder, 'class'))
    try {
      const contests = openContests(home)
      const read = await complete({ map: 'coast.json' })
      const { id } = await contests.add({ ...read.written, config: read.config, entrants } as ContestDescription)
      const [name = ''] = readdirSync(join(folder, 'class', 'texts'))
      const file = join(folder, 'class', 'texts', name)
      writeFileSync(file, `${map}\n`)
      await expect(contests.complete(id)).rejects.toThrow(refusal('stored-file-damaged', file))
      rmSync(file)
      await expect(contests.complete(id)).rejects.toThrow(
        refusal('text-unknown', 'routes-1: config.map: ', name.slice(0, 64)),
      )
    } finally {
      await home.close()
    }
  })
})
