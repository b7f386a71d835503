import { readFile } from 'node:fs/promises'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { resources } from '../../../main/app/resources.ts'
import type { MatchEvent, MatchSource } from '../../../main/contract/procedures.ts'
import { verifyMatch } from '../../../main/histories/verify.ts'
import { parseKeyText } from '../../../main/histories/keys.ts'
import { games } from '../../../main/referees/games.ts'
import { base64, draftOf, openPlace, openRoom, type Room } from './classroom.ts'

const place = openPlace('service-matches')
let room: Room
let contest: string

/** A classroom in which six matches of four agents have been played. */
async function played(name: string): Promise<[Room, string]> {
  const opened = await openRoom(join(place.folder, name))
  await opened.call('settings.set', { isolation: 'permission' })
  const entrants = []
  for (const agent of ['baby', 'greedy', 'sampler', 'gambler']) {
    const content = base64(await readFile(join(resources.agents, 'specker', `${agent}.js`)))
    const { versions } = await opened.call('agents.submit', { fileName: `${agent}.js`, content, game: 'specker' })
    entrants.push({ name: agent, agent: versions[0]!.agent })
  }
  const made = await opened.call('contests.create', { draft: draftOf(entrants) })
  await opened.call('contests.start', made)
  await opened.until(made.contest, ({ summary }) => summary.state === 'ended')
  return [opened, made.contest]
}

beforeAll(async () => {
  ;[room, contest] = await played('data')
}, 120_000)
afterAll(async () => {
  await room.service.close()
  place.remove()
})

const source = (match: number): MatchSource => ({ from: 'contest', contest, match })

/** All events of a match, in pages of so many. */
async function eventsOf(from: MatchSource, limit: number): Promise<MatchEvent[]> {
  const events: MatchEvent[] = []
  for (;;) {
    const { items, total, offset } = await room.call('matches.events', { source: from, offset: events.length, limit })
    expect(offset).toBe(events.length)
    events.push(...items)
    if (events.length === total) return events
    expect(items.length).toBeGreaterThan(0)
  }
}

test('a match is read in pages, and what they hold folds to the outcome that the match had', async () => {
  for (let match = 0; match < 6; match++) {
    const detail = await room.call('matches.get', { source: source(match) })
    expect(detail.facts).toMatchObject({ contest, match, attempt: 1, game: 'specker' })
    const events = await eventsOf(source(match), 3)
    expect(events).toHaveLength(detail.events)
    expect(await eventsOf(source(match), 1_000)).toEqual(events)
    expect(events.map(({ n }) => n)).toEqual(events.map(({ n }) => n).toSorted((a, b) => a - b))
    const fold = games.get('specker')!.fold(detail.config, detail.facts.seats, detail.seed)
    for (const event of events) if (event.kind === 'input') expect(fold.apply(event.input)).toBeNull()
    expect(fold.outcome()).toEqual(detail.outcome)
  }
  const beyond = await room.call('matches.events', { source: source(0), offset: 1_000_000 })
  expect(beyond.items).toEqual([])
})

test('matches are listed by contest and over all, and found by who played', async () => {
  const all = await room.call('contests.matches', { contest })
  expect([all.total, all.items.map(({ match }) => match)]).toEqual([6, [0, 1, 2, 3, 4, 5]])
  const own = await room.call('contests.matches', { contest, entrant: 'GREEDY', offset: 1, limit: 1 })
  expect(own.total).toBe(3)
  expect(own.items).toHaveLength(1)
  expect(own.items[0]!.seats.map(({ name }) => name)).toContain('greedy')
  expect((await room.call('histories.list', {})).items).toEqual(all.items)
  expect((await room.call('histories.list', { search: 'greedy' })).total).toBe(3)
  expect((await room.call('histories.list', { search: contest })).total).toBe(6)
  expect((await room.call('histories.list', { search: 'nobody' })).total).toBe(0)
})

test('a match is verified and exported; the export verifies elsewhere and can be opened again', async () => {
  const verdict = await room.call('histories.verify', { source: source(2) })
  expect(verdict).toMatchObject({ ok: true, contest, match: 2, keyChecked: true, replayed: true, notes: [] })
  const { fileName, content, publicKey } = await room.call('histories.export', { contest, match: 2 })
  expect(fileName).toBe(`${contest}-match-0002.jsonl`)
  const key = parseKeyText(publicKey)!
  expect(verifyMatch(Buffer.from(content), { key, games: (id) => games.get(id) })).toMatchObject({ ok: true })

  const opened = await room.call('histories.open', { fileName, content: base64(content) })
  expect(opened.verdict).toEqual(verdict)
  const file = { from: 'file', file: opened.file } as const
  expect(await room.call('matches.get', { source: file })).toEqual(
    await room.call('matches.get', { source: source(2) }),
  )
  expect(await eventsOf(file, 7)).toEqual((await eventsOf(source(2), 1_000)).filter(({ kind }) => kind !== 'console'))
  expect(await room.call('histories.verify', { source: file })).toEqual(verdict)
})

test('a file that was changed is opened with the line that does not fit, and can be looked at as far as it goes', async () => {
  const { content } = await room.call('histories.export', { contest, match: 0 })
  const lines = content.split('\n')
  const changed = lines.map((line, at) => (at === 4 ? line.replace('"at":', '"at":1') : line)).join('\n')
  const { file, verdict } = await room.call('histories.open', { fileName: 'changed.jsonl', content: base64(changed) })
  expect(verdict).toMatchObject({ ok: false, line: 5 })
  expect((await eventsOf({ from: 'file', file }, 1_000)).length).toBeGreaterThan(0)
})

test.each<[string, string | Buffer]>([
  ['nothing', ''],
  ['a text', 'To be, or not to be'],
  ['JSON', '{"b":{"k":"input"},"h":"x"}\n'],
  ['deep JSON', `${'['.repeat(100_000)}\n`],
  ['zeros', Buffer.alloc(100_000)],
  ['a line of a megabyte', `${'x'.repeat(1_000_000)}\n`],
])('%s is opened as a history that does not verify, and has no match in it', async (_what, content) => {
  const { file, verdict } = await room.call('histories.open', { fileName: 'x.jsonl', content: base64(content) })
  expect(verdict).toMatchObject({ ok: false, line: 1 })
  await expect(room.call('matches.get', { source: { from: 'file', file } })).rejects.toMatchObject({
    name: 'Trouble',
    message: expect.stringMatching(/^x\.jsonl.*\.$/) as string,
  })
})

test("another class's history verifies by its own key, and it is said that nobody vouches for that", async () => {
  const [other, theirs] = await played('other')
  const { content } = await other.call('histories.export', { contest: theirs, match: 1 })
  await other.service.close()
  const { verdict } = await room.call('histories.open', { fileName: 'theirs.jsonl', content: base64(content) })
  expect(verdict).toMatchObject({ ok: true, keyChecked: false, replayed: true })
  expect(verdict.ok && verdict.notes.join()).toContain('whose key that is was not checked')
})

test('opened files make room for others, and are gone with the classroom', async () => {
  const own = await openRoom(join(place.folder, 'own'))
  const temporary = join(place.folder, 'temporary')
  mkdirSync(temporary)
  vi.stubEnv('TMPDIR', temporary)
  const first = await own.call('histories.open', { fileName: 'first', content: base64('1') })
  vi.unstubAllEnvs()
  const handles = new Set([first.file])
  for (let i = 0; i < 20; i++) {
    handles.add((await own.call('histories.open', { fileName: 'next', content: base64('2') })).file)
  }
  expect(handles.size).toBe(21)
  await expect(own.call('histories.verify', { source: { from: 'file', file: first.file } })).rejects.toThrow(
    'not open any more',
  )
  const [folder = ''] = readdirSync(temporary)
  expect(readdirSync(join(temporary, folder))).toHaveLength(20)
  await own.service.close()
  expect(readdirSync(temporary)).toEqual([])
})

test('a damaged history is told with its place wherever it is needed, and hides nothing else', async () => {
  const [own, id] = await played('damaged')
  await own.service.close()
  const segment = join(own.data, 'contests', id, 'segment-000001.jsonl')
  const bytes = await readFile(segment)
  // A byte in the middle: not the torn end of a last write.
  bytes[bytes.length >> 1]! ^= 1
  writeFileSync(segment, bytes)
  const again = await openRoom(own.data)
  await expect(again.call('contests.get', { contest: id })).rejects.toThrow(/segment-000001\.jsonl, line \d+: /)
  expect((await again.call('contests.list', {})).items).toHaveLength(1)
  expect((await again.call('agents.list', {})).total).toBe(4)
  expect((await again.call('class.overview', {})).contests).toHaveLength(1)
  expect((await again.call('histories.list', {})).total).toBe(0)
  await again.service.close()
})
