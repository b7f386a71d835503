import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { openClassFolder, readClass, type ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { checkOpenFiles } from '../../../main/administrator/classroom/open-files.ts'
import { loadClass } from '../../../main/administrator/classroom/recovered-class.ts'
import { contestDescription } from '../../../main/contract/contests/contests.ts'
import type { Classroom, ContestEntry } from '../../../main/contract/procedures/classroom.ts'
import { seedCommitment } from '../../../main/histories/derived-seeds.ts'
import { hashOf } from '../../../main/histories/canonical.ts'
import { seedReveal } from '../../../main/histories/seed-commitment.ts'
import { openSegments } from '../../../main/histories/segments/writer.ts'
import { games } from '../../../main/referees/games.ts'
import { removeAgent } from '../../../main/services/agents/agent-edits.ts'
import { addSubmission } from '../../../main/services/agents/hand-in.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { refusal, saying } from '../../refusal.ts'
import { newContest } from '../../../main/services/contests/descriptions/new-contest.ts'

let folder = ''
let data = ''
beforeEach(() => {
  folder = temporaryFolder('rebuilt')
  data = join(folder, 'data')
})

const file = (): string => join(data, 'class.json')

/** Opens the folder, does something with the class, closes it, and returns what it holds then and what was said. */
async function inClass(
  task: (home: ClassFolder) => Promise<unknown> = () => Promise.resolve(),
): Promise<{ readonly content: Classroom; readonly notices: readonly string[]; readonly fresh: boolean }> {
  const home = await openClassFolder(data)
  try {
    await task(home)
    return { content: home.content, notices: home.notices, fresh: home.fresh }
  } finally {
    await home.close()
  }
}

const handIn = (home: ClassFolder, name: string, game: string, source: string, isNew = true) =>
  addSubmission(home, {
    ...{ file: { fileName: `${name}.js`, content: Buffer.from(source) }, game, belonging: {}, at: Date.now() },
    becomes: isNew ? { what: 'agent', name } : { what: 'version', of: name },
  })

/** A contest between the newest versions of a game's agents, with a segment as a run begins it. */
async function addContest(home: ClassFolder, game: string): Promise<string> {
  const own = home.content.agents.filter(({ manifest }) => manifest.game === game)
  const entrants = own.slice(-2).map(({ manifest, hash }) => ({ name: manifest.name, agent: hash }))
  const config = { of: game }
  const description = contestDescription.parse({
    ...{ title: `Week of ${game}`, game, config, format: { type: 'round-robin' }, seed: `secret of ${game}`, entrants },
  })
  const nonce = hashOf(game)
  let id = ''
  await home.change((content) => {
    id = newContest(content, data, description, { nonce })
  })
  const kept = home.content.contests.find((each) => each.id === id)!.description
  const published = { ...kept, config: hashOf(kept.config), seed: seedCommitment(nonce, kept) }
  const opened = await openSegments({
    ...{ dir: join(data, 'contests', id), contest: id, key: home.key, blobs: [published, kept.config] },
  })
  if (!opened.ok) throw new Error(opened.damage.message)
  opened.writer.append(`${readFirstLine()}\n`)
  await opened.writer.close()
  return id
}

/** Only the lines before it are read here. */
const readFirstLine = (): string => '{"b":{},"h":""}'

/** A class with two agents and a contest in each game; one agent has two versions. */
async function makeClass(): Promise<Classroom> {
  const made = await inClass(async (home) => {
    for (const game of games.keys()) {
      await handIn(home, `${game}-anna`, game, `'anna of ${game}'`)
      await handIn(home, `${game}-bert`, game, `'bert of ${game}'`)
      await addContest(home, game)
    }
    const [game = ''] = games.keys()
    await handIn(home, `${game}-anna`, game, `'anna again'`, false)
    await home.change(({ settings, agents }) => {
      settings.school = 'Brescia'
      // Agents that come with one contest were added at one time.
      for (const version of agents) version.submitted = '2026-01-01T00:00:00.000Z'
    })
  })
  expect(made.fresh).toBe(true)
  return made.content
}

const withoutRevision = ({ revision: _, ...content }: Classroom): Omit<Classroom, 'revision'> => content

/** Everything in the folder but for the lock. */
function files(): ReadonlyMap<string, string> {
  const items = readdirSync(data, { recursive: true, withFileTypes: true }).filter((item) => item.isFile())
  const paths = items.map((item) => join(item.parentPath, item.name)).sort()
  return new Map(paths.filter((path) => !/lock|holder/.test(path)).map((path) => [path, readFileSync(path, 'utf8')]))
}

describe('class.json is gone', () => {
  test('contests of all games and agents are there again, with their seeds and numbers of versions', async () => {
    const before = await makeClass()
    rmSync(file())
    const read = await loadClass(data)
    expect(existsSync(file())).toBe(false)
    expect(read.content.contests).toEqual(before.contests)
    const again = await inClass()
    expect(again.fresh).toBe(false)
    expect(again.content.contests).toEqual(before.contests)
    expect(again.content.agents).toEqual(before.agents)
    expect(again.notices[0]).toContain(`${file()} was missing`)
    expect(again.notices[0]).toContain(`${games.size} contests and ${2 * games.size} agents`)
    // It is written again, and that is that.
    expect(await inClass()).toMatchObject({ notices: [], fresh: false })
    expect((await readClass(data)).contests).toEqual(before.contests)
  })

  test('settings are those of the newest copy that can be read; agents that were removed stay removed', async () => {
    await makeClass()
    const [game = ''] = games.keys()
    const removed = `${game}-retired`
    await inClass((home) => handIn(home, removed, game, 'retired'))
    const copies = join(data, 'class-copies')
    cpSync(file(), join(copies, 'class-2026-01-02.json'))
    writeFileSync(join(copies, 'class-2199-01-01.json'), readFileSync(file()).subarray(0, 500))
    for (const name of readdirSync(copies)) if (!/2026-01-02|2199/.test(name)) rmSync(join(copies, name))
    await inClass((home) => removeAgent(home, removed))
    for (const name of readdirSync(copies)) if (!/2026-01-02|2199/.test(name)) rmSync(join(copies, name))
    rmSync(file())
    const { content, notices } = await inClass()
    expect(content.settings.school).toBe('Brescia')
    expect(content.agents.map(({ manifest }) => manifest.name)).not.toContain(removed)
    expect(notices.join('\n')).toContain('those of the copy of 2026-01-02')
  })

  test('with all records and copies: contests are rebuilt from their histories, agents from packages', async () => {
    const before = await makeClass()
    rmSync(file())
    for (const name of ['class-copies', 'class-records']) rmSync(join(data, name), { recursive: true })
    const { content, notices } = await inClass()
    expect(content.contests.map(({ id }) => id).sort()).toEqual(before.contests.map(({ id }) => id).sort())
    for (const entry of content.contests) {
      const was = before.contests.find(({ id }) => id === entry.id)!
      const { seed, ...described } = entry.description
      expect({ ...described, seed: was.description.seed }).toEqual(was.description)
      expect(entry).toMatchObject({ rebuilt: 'histories', state: 'cancelled' } satisfies Partial<ContestEntry>)
      // The commitment is known; the seed is not, and nothing claims to open it.
      expect(seed).toBe(seedReveal(was).commitment)
      expect(seedReveal({ ...entry, state: 'ended' })).toMatchObject({ commitment: seed, seed: null, nonce: null })
    }
    const names = (agents: Classroom['agents']): readonly string[] =>
      [...new Set(agents.map(({ manifest }) => `${manifest.name} ${manifest.game}`))].sort()
    expect(names(content.agents)).toEqual(names(before.agents))
    const said = notices.join('\n')
    for (const part of [
      'Rebuilt from histories alone',
      'seeds are lost',
      'settings',
      '1 package',
      'hand them in again',
    ])
      expect(said).toContain(part)
  })

  test('two that open it at once: one rebuilds it, the other is told who has it', async () => {
    const before = await makeClass()
    rmSync(file())
    const both = await Promise.allSettled([openClassFolder(data), openClassFolder(data)])
    const [opened, refused] = both.sort((a, b) => (a.status < b.status ? -1 : 1))
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'data-folder-in-use' } })
    if (opened?.status !== 'fulfilled') throw new Error('nobody opened it')
    expect(opened.value.content.contests).toEqual(before.contests)
    await opened.value.close()
  })

  test('a folder of another class among the contests is left out and named', async () => {
    await makeClass()
    const [id = ''] = readdirSync(join(data, 'contests'))
    rmSync(join(data, 'class-copies'), { recursive: true })
    rmSync(join(data, 'keys'), { recursive: true })
    const others = data
    data = join(folder, 'another')
    await inClass()
    cpSync(join(others, 'contests', id), join(data, 'contests', id), { recursive: true })
    rmSync(file(), { force: true })
    const { content, notices } = await inClass()
    expect(content.contests).toEqual([])
    expect(notices.join('\n')).toContain(
      `contests/${id}: segment-000001.jsonl: it was signed with the key of another class`,
    )
  })
})

test('a new class.json beside the histories of an older program: its contests and their agents are added', async () => {
  const before = await makeClass()
  rmSync(join(data, 'class-records'), { recursive: true })
  const { settings } = before
  writeFileSync(file(), JSON.stringify({ format: 'tartaglia-class/1', settings, agents: [], contests: [] }))
  const { content, notices } = await inClass()
  expect(content.contests).toHaveLength(games.size)
  // The second version of one agent has not played.
  expect(content.agents).toHaveLength(before.agents.length - 1)
  expect(content.settings).toEqual(settings)
  expect(readFileSync(join(data, 'recovered.txt'), 'utf8')).toContain(notices[0])
})

test('an older class.json: contests and agents that are newer are added, and it is said', async () => {
  const [game = ''] = games.keys()
  await inClass(async (home) => {
    await handIn(home, 'anna', game, '1')
    await handIn(home, 'bert', game, '2')
    await addContest(home, game)
  })
  const older = readFileSync(file())
  const newer = await inClass(async (home) => {
    const id = await addContest(home, game)
    await home.change(({ contests }) => {
      for (const entry of contests) if (entry.id === id) entry.phrase = 'said'
    })
    await handIn(home, 'cleo', game, '3')
  })
  writeFileSync(file(), older)
  const { content, notices } = await inClass()
  expect(content.contests).toEqual(newer.content.contests)
  expect(content.agents).toEqual(newer.content.agents)
  expect(notices[0]).toMatch(/is older than .* beside it: 1 contest \(.*\) and 1 agent's version/)
  expect(content.revision).toBeGreaterThan(newer.content.revision)
  expect(await inClass()).toMatchObject({ notices: [] })
})

describe('class.json is damaged: it is named with the next step, and nothing is changed', () => {
  const good = (): Buffer => readFileSync(file())
  test('truncated at any length, of another program, or with a field of a wrong type', async () => {
    await makeClass()
    const text = good().toString()
    const broken = [
      ...[0, 1, 20, text.length >> 1, text.length - 2].map((length) => text.slice(0, length)),
      '{"name":"another","version":"1.0.0"}',
      '[]',
      text.replace('"contests": [', '"contests": {"0":').replace(/\]\s*,\s*"recurring"/, '},"recurring"'),
      text.replace(/"revision": \d+/, '"revision": "many"'),
      text.replace('"agents": [', '"agents": 7, "was": ['),
    ]
    expect(new Set(broken).size).toBe(broken.length)
    for (const content of broken) {
      writeFileSync(file(), content)
      const before = files()
      await expect(openClassFolder(data), content.slice(0, 60)).rejects.toMatchObject({
        code: 'json-invalid',
        message: expect.stringContaining('move this file away') as string,
      })
      await expect(readClass(data)).rejects.toThrow(refusal('json-invalid', `${file()}:`))
      expect(files()).toEqual(before)
    }
  })

  test('a folder in its place', async () => {
    await makeClass()
    rmSync(file())
    mkdirSync(file())
    await expect(openClassFolder(data)).rejects.toMatchObject({
      code: 'path-unusable',
      message: saying(file(), 'rebuilt'),
    })
  })

  test.skipIf(process.getuid?.() === 0)('a file that may not be read (needs another user than root)', async () => {
    await makeClass()
    chmodSync(file(), 0)
    await expect(openClassFolder(data)).rejects.toThrow(refusal('access-denied', file()))
  })

  test('a newer program wrote it', async () => {
    await makeClass()
    writeFileSync(
      file(),
      good()
        .toString()
        .replace(/tartaglia-class.\d+/, 'tartaglia-class/7')
        .replace('{', '{"new":1,'),
    )
    const before = files()
    await expect(openClassFolder(data)).rejects.toMatchObject({
      code: 'data-folder-newer',
      message: saying(file(), 7),
    })
    expect(files()).toEqual(before)
  })
})

test('the key is gone while there are contests: no other key is made', async () => {
  await makeClass()
  rmSync(join(data, 'keys'), { recursive: true })
  await expect(openClassFolder(data)).rejects.toMatchObject({ code: 'signing-key-damaged' })
  expect(existsSync(join(data, 'keys'))).toBe(false)
})

test('each day has one copy, of what was there before its first write', async () => {
  await inClass((home) => home.change(({ settings }) => void (settings.school = 'first')))
  await inClass((home) => home.change(({ settings }) => void (settings.school = 'second')))
  await inClass((home) => home.change(({ settings }) => void (settings.school = 'third')))
  const copies = readdirSync(join(data, 'class-copies'))
  expect(copies).toEqual([expect.stringMatching(/^class-\d{4}-\d\d-\d\d\.json$/) as string])
  expect(readFileSync(join(data, 'class-copies', copies[0]!), 'utf8')).toContain('"school": "first"')
})

test.skipIf(process.platform === 'win32')('files are for their owner only, and older ones become so', async () => {
  await makeClass()
  const loose = (): readonly string[] => {
    const below = readdirSync(data, { recursive: true, withFileTypes: true })
    const paths = [data, ...below.map((item) => join(item.parentPath, item.name))]
    return paths.filter((path) => (statSync(path).mode & 0o077) !== 0)
  }
  expect(loose()).toEqual([])
  for (const item of readdirSync(data, { recursive: true, withFileTypes: true }))
    chmodSync(join(item.parentPath, item.name), item.isDirectory() ? 0o755 : 0o644)
  chmodSync(data, 0o755)
  await inClass()
  expect(loose()).toEqual([])
  // A folder that also holds other things stays as it is, and they do.
  writeFileSync(join(data, 'thesis.txt'), '')
  chmodSync(join(data, 'thesis.txt'), 0o644)
  chmodSync(data, 0o755)
  await inClass()
  expect(loose()).toEqual([data, join(data, 'thesis.txt')])
})

test('a version keeps its number when others come and when it is handed in again', async () => {
  const [game = ''] = games.keys()
  const numbers = ({ agents }: Classroom): readonly (readonly [number | undefined, string])[] =>
    agents.map(({ number, hash }) => [number, hash] as const)
  await inClass((home) => handIn(home, 'anna', game, 'one'))
  await inClass((home) => handIn(home, 'anna', game, 'two', false))
  const [one, two] = (await readClass(data)).agents.map(({ hash }) => hash)
  const { content } = await inClass((home) => handIn(home, 'anna', game, 'one', false))
  expect(numbers(content)).toEqual([
    [2, two],
    [1, one],
  ])
  const { content: more } = await inClass((home) => handIn(home, 'anna', game, 'three', false))
  expect(numbers(more).map(([number]) => number)).toEqual([2, 1, 3])
  // A class of an older program has no numbers: they follow from the order in which it keeps them.
  const old = { ...withoutRevision(more), agents: more.agents.map(({ number: _, ...version }) => version) }
  writeFileSync(file(), JSON.stringify({ ...old, format: 'tartaglia-class/1' }))
  rmSync(join(data, 'class-records'), { recursive: true })
  expect(numbers(await readClass(data)).map(([number]) => number)).toEqual([1, 2, 3])
})

test('a limit of open files that is too small is named', () => {
  expect(() => checkOpenFiles(64)).toThrow(refusal('too-many-open-files', 'ulimit -n 64', 'ulimit -n 1024'))
  expect(() => checkOpenFiles(1024)).not.toThrow()
  expect(() => checkOpenFiles(null)).not.toThrow()
})
