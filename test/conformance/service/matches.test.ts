import { readFile } from 'node:fs/promises'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { resources } from '../../../main/services/machine/resources.ts'
import type { InputOf, MatchEvent } from '../../../main/contract/procedures/procedures.ts'
import { sourceName, type MatchSource } from '../../../main/contract/histories/match-source.ts'
import { verifyMatch } from '../../../main/histories/verify.ts'
import { parseKeyText } from '../../../main/histories/keys.ts'
import { games } from '../../../main/referees/games.ts'
import { draftOf, openPlace, openRoom, type Room } from './classroom.ts'
import { refusal, saying } from '../../refusal.ts'

const place = openPlace('service-matches')
let room: Room
let contest: string

/** A classroom in which six matches of four agents have been played. */
async function played(name: string): Promise<[Room, string]> {
  const opened = await openRoom(join(place.folder, name))
  await opened.call('settings.set', { isolation: 'permission' })
  const entrants = []
  for (const agent of ['baby', 'greedy', 'sampler', 'gambler']) {
    const content = await readFile(join(resources.agents, 'specker', `${agent}.js`))
    const { versions } = await opened.submit({ fileName: `${agent}.js`, content, game: 'specker' })
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

/** Content as it comes from a file or over a wire: in pieces, which end where they will. */
async function* pieces(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content)
  for (let at = 0; at < bytes.length; at += 10_007) yield bytes.subarray(at, at + 10_007)
}

async function openFile({ service, call }: Room, name: string, content: string | Uint8Array) {
  const { file } = await service.takeHistory(name, pieces(content))
  return { file, verdict: await call('histories.verify', { source: { from: 'file', file } }) }
}

/** All events of a match, read in pages. */
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

/** All that is told of a match's events, in as many pages as it takes. */
async function outlineOf(from: MatchSource) {
  const pages = []
  for (let at = 0, last = false; !last;) {
    const page = await room.call('matches.outline', { source: from, from: at })
    expect([page.from, page.at.length > 0 || page.last]).toEqual([at, true])
    pages.push(page)
    at += page.at.length
    last = page.last
  }
  return pages
}

test('a match is outlined for pictures, and a state of it leads to any place in it', async () => {
  for (let match = 0; match < 6; match++) {
    const detail = await room.call('matches.get', { source: source(match) })
    const events = await eventsOf(source(match), 1_000)
    const pages = await outlineOf(source(match))
    const column = (name: 'at' | 'round' | 'seat' | 'lines' | 'levels') => pages.flatMap((page) => page[name])
    expect(pages.at(-1)!.broken).toBeNull()
    expect(column('at')).toEqual(events.map(({ at }) => at))
    expect(column('lines').every((lines) => lines >= 1)).toBe(true)
    expect(column('round')).toEqual(column('round').toSorted((a, b) => a - b))
    const scores = detail.outcome.places.toSorted((a, b) => a.seat - b.seat).map(({ score }) => score)
    expect(column('levels')).toHaveLength(events.length * 2)
    expect(column('levels').slice(-2)).toEqual(scores)
    expect(pages[0]!.initial).toEqual([10_000_000_000, 10_000_000_000])
    const faults = events.flatMap(({ kind }, event) => (kind === 'fault' ? [event] : []))
    const marked = pages.flatMap(({ marks }) => marks).filter(({ kind }) => kind === 'fault')
    expect(marked.map(({ event }) => event)).toEqual(faults)
    // A match as short as this one needs no states: every place is a few events from the beginning.
    expect(await room.call('matches.state', { source: source(match), position: events.length })).toBeNull()
  }
})

test('matches are listed by contest and over all, and found by who played', async () => {
  const all = await room.call('contests.matches', { contest })
  expect([all.total, all.items.map(({ match }) => match)]).toEqual([6, [0, 1, 2, 3, 4, 5]])
  const own = await room.call('contests.matches', { contest, entrant: 'GREEDY', offset: 1, limit: 1 })
  expect(own.total).toBe(3)
  expect(own.items).toHaveLength(1)
  expect(own.items[0]!.seats.map(({ name }) => name)).toContain('greedy')
  expect((await room.call('histories.list', {})).items).toEqual(all.items)
  for (const { seats } of all.items) for (const { name, agent } of seats) expect(agent).toBe(name)
  expect((await room.call('contests.get', { contest })).renamed).toEqual([])
  expect((await room.call('histories.list', { search: 'greedy' })).total).toBe(3)
  expect((await room.call('histories.list', { search: contest })).total).toBe(6)
  expect((await room.call('histories.list', { search: 'nobody' })).total).toBe(0)
})

async function archiveOf(
  wish: InputOf<'histories.archive'>,
): Promise<{ bytes: Buffer; fileName: string; pieces: number }> {
  const { download, fileName } = await room.call('histories.archive', wish)
  const parts: Buffer[] = []
  for (;;) {
    const { content, part, last } = await room.call('downloads.piece', { download })
    parts.push(Buffer.from(content, 'base64'))
    if (!last) continue
    expect(part).toBe(1)
    await expect(room.call('downloads.piece', { download })).rejects.toThrow(refusal('file-not-open'))
    return { bytes: Buffer.concat(parts), fileName, pieces: parts.length }
  }
}

test('matches are exported as one archive, which opens as a list whose files are verified, compared and filtered', async () => {
  const { bytes, fileName } = await archiveOf({
    of: 'selection',
    matches: [4, 1, 4].map((match) => ({ contest, match })),
  })
  expect(fileName).toBe('histories.tar')
  const { file } = await room.service.takeHistory(fileName, pieces(bytes))
  const unpacked = (await room.call('histories.unpack', { file }))!
  expect(unpacked.map(({ name }) => name)).toEqual(
    [1, 4].map((match) => `histories/${contest}/match-000${match}.jsonl`),
  )
  const files = unpacked.map((each) => each.file!)
  expect(await room.call('histories.look', { file: files[1]! })).toMatchObject({ contest, match: 4, game: 'specker' })
  const bad = await room.service.takeHistory('bad.jsonl', pieces('no history\n'))
  await expect(room.call('histories.look', bad)).rejects.toThrow()
  const verdicts = await room.call('histories.verifyFiles', { files: [files[0]!, bad.file, 'gone', files[1]!] })
  expect(verdicts.map(({ verdict, message }) => verdict?.ok ?? message)).toEqual([
    true,
    false,
    expect.any(String),
    true,
  ])
  expect(await room.call('histories.compare', { first: files[0]!, second: files[0]! })).toEqual({ same: true })
  expect(await room.call('histories.compare', { first: files[0]!, second: files[1]! })).toMatchObject({ same: false })
  const { content } = await room.call('histories.export', { contest, match: 4 })
  const { file: alone } = await room.service.takeHistory('alone.jsonl', pieces(content))
  expect(await room.call('histories.compare', { first: files[1]!, second: alone })).toEqual({ same: true })
})

test('an archive of a contest or a filter has all its matches; matches that do not exist are refused', async () => {
  const whole = await archiveOf({ of: 'contest', contest })
  expect(whole.fileName).toBe(`${contest}.tar`)
  const greedy = await archiveOf({ of: 'filter', filter: { agents: ['greedy'] } })
  const matchesIn = ({ bytes }: { bytes: Buffer }) => bytes.toString('latin1').match(/match-\d{4}\.jsonl/g)!.length
  expect([matchesIn(whole), matchesIn(greedy)]).toEqual([6, 3])
  for (const wish of [
    { of: 'selection', matches: [{ contest, match: 99 }] },
    { of: 'filter', filter: { agents: ['nobody'] } },
  ] as const)
    await expect(room.call('histories.archive', wish as InputOf<'histories.archive'>)).rejects.toThrow(
      refusal('match-unknown'),
    )
  const { download } = await room.call('histories.archive', { of: 'contest', contest })
  await room.call('downloads.drop', { download })
  await expect(room.call('downloads.piece', { download })).rejects.toThrow(refusal('file-not-open'))
})

test('a match is verified and exported; the export verifies elsewhere and can be opened again', async () => {
  const verdict = await room.call('histories.verify', { source: source(2) })
  expect(verdict).toMatchObject({
    ok: true,
    contest,
    match: 2,
    signer: { name: 'this class' },
    replayed: true,
    notes: [],
  })
  const { fileName, content, publicKey } = await room.call('histories.export', { contest, match: 2 })
  expect(fileName).toBe(`${contest}-match-0002.jsonl`)
  const key = parseKeyText(publicKey)!
  expect(verifyMatch(Buffer.from(content), { keys: [key], games: (id) => games.get(id) })).toMatchObject({ ok: true })

  const opened = await openFile(room, fileName, content)
  expect(opened.verdict).toEqual(verdict)
  const file = { from: 'file', file: opened.file } as const
  const original = await room.call('matches.get', { source: source(2) })
  expect(original.fileName).toBeNull()
  expect(await room.call('matches.get', { source: file })).toEqual({ ...original, fileName })
  expect(await eventsOf(file, 7)).toEqual((await eventsOf(source(2), 1_000)).filter(({ kind }) => kind !== 'console'))
  expect(await room.call('histories.verify', { source: file })).toEqual(verdict)
})

test('a file that was changed is opened with the line that does not fit, and can be looked at as far as it goes', async () => {
  const { content } = await room.call('histories.export', { contest, match: 0 })
  const lines = content.split('\n')
  const changed = lines.map((line, at) => (at === 4 ? line.replace('"at":', '"at":1') : line)).join('\n')
  const { file, verdict } = await openFile(room, 'changed.jsonl', changed)
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
  const { file, verdict } = await openFile(room, 'x.jsonl', content)
  expect(verdict).toMatchObject({ ok: false, line: 1 })
  await expect(room.call('matches.get', { source: { from: 'file', file } })).rejects.toMatchObject({
    name: 'ExpectedError',
    message: expect.stringMatching(/^x\.jsonl.*\.$/) as string,
  })
})

test("another class's history is intact, and genuine as soon as its key is trusted under a name", async () => {
  const [other, theirs] = await played('other')
  const { content, publicKey } = await other.call('histories.export', { contest: theirs, match: 1 })
  await other.service.close()
  const { file, verdict } = await openFile(room, 'theirs.jsonl', content)
  expect(verdict).toMatchObject({ ok: true, replayed: true, signer: { name: null, key: publicKey } })
  await room.call('settings.set', { trustedKeys: [{ name: 'Class 4b', key: publicKey }] })
  const trusted = await room.call('histories.verify', { source: { from: 'file', file } })
  expect(trusted).toMatchObject({ ok: true, signer: { name: 'Class 4b', key: publicKey } })
  await room.call('settings.set', { trustedKeys: [] })
})

test('a verification tells how far it is, is shared by all who ask for it, and can be stopped', async () => {
  const { content } = await room.call('histories.export', { contest, match: 3 })
  const { file } = await room.service.takeHistory('shared.jsonl', pieces(content))
  const of = { source: { from: 'file', file } } as const
  const parts: unknown[] = []
  const off = room.service.on(`verification:${file}`, (part) => parts.push(part))
  const first = room.call('histories.verify', of)
  const second = room.call('histories.verify', of)
  await room.call('histories.stop', of)
  await expect(first).rejects.toMatchObject({ kind: 'stopped', message: saying('verification', 'stopped') })
  await expect(second).rejects.toMatchObject({ kind: 'stopped' })
  expect(await room.call('histories.verify', of)).toMatchObject({ ok: true })
  await vi.waitFor(() => expect(parts.at(-1)).toBeNull(), { timeout: 60_000 })
  off()
  expect(parts).toContainEqual(expect.any(Number))
  // Nobody verifies any more: there is nothing to stop.
  await room.call('histories.stop', of)
})

test('somebody has one page of a match made at a time, and its verification is not one that others see or stop', async () => {
  const page = (match: number) => room.call('histories.replay', { contest, match }).then(({ content }) => content)
  const parts: unknown[] = []
  const off = room.service.on(`verification:${sourceName(source(0))}`, (part) => parts.push(part))
  const [first, second] = await Promise.allSettled([page(0), page(1)])
  off()
  expect(second).toMatchObject({ status: 'rejected', reason: refusal('busy') })
  expect(first).toMatchObject({ status: 'fulfilled', value: expect.stringContaining('Content-Security-Policy') })
  expect(parts.filter((part) => part !== null)).toEqual([])
})

test('opened files make room for others, and are gone with the classroom', async () => {
  const own = await openRoom(join(place.folder, 'own'))
  const temporary = join(place.folder, 'temporary')
  mkdirSync(temporary)
  vi.stubEnv('TMPDIR', temporary)
  const first = await own.service.takeHistory('first', pieces('1'))
  vi.unstubAllEnvs()
  const handles = new Set([first.file])
  for (let i = 0; i < 1_000; i++) {
    handles.add((await own.service.takeHistory('next', pieces('2'))).file)
  }
  expect(handles.size).toBe(1_001)
  await expect(own.call('histories.verify', { source: { from: 'file', file: first.file } })).rejects.toThrow(
    refusal('file-not-open'),
  )
  const [folder = ''] = readdirSync(temporary)
  expect(readdirSync(join(temporary, folder))).toHaveLength(1_000)
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
  await expect(again.call('contests.get', { contest: id })).rejects.toThrow(
    refusal('history-damaged', 'segment-000001.jsonl'),
  )
  expect((await again.call('contests.list', {})).items).toHaveLength(1)
  expect((await again.call('agents.list', {})).total).toBe(4)
  expect((await again.call('class.overview', {})).contests).toHaveLength(1)
  expect((await again.call('histories.list', {})).total).toBe(0)
  const reason = expect.stringMatching(/segment-000001\.jsonl, line \d+: /) as string
  expect(await again.call('histories.verifyAll', {})).toEqual({
    genuine: 0,
    bad: [{ contest: id, match: null, message: reason }],
    others: 1,
  })
  await again.service.close()
})

test('histories are filtered by game, challenge, players and faults', async () => {
  const all = (await room.call('histories.list', {})).items.filter((each) => each.contest === contest)
  const names = (match: (typeof all)[number]) => match.seats.map(({ name }) => name).toSorted()
  const found = async (filter: InputOf<'histories.list'>) =>
    (await room.call('histories.list', filter)).items
      .filter((each) => each.contest === contest)
      .map(({ match }) => match)
  const pair = all.filter((match) => names(match).join() === 'baby,greedy').map(({ match }) => match)
  expect(pair).toHaveLength(1)
  expect(await found({ agents: ['greedy', 'baby'] })).toEqual(pair)
  expect(await found({ agents: ['', 'GREED'] })).toHaveLength(3)
  expect(await found({ agents: ['nobody'] })).toEqual([])
  expect(await found({ game: 'specker', subject: 'max-csp' })).toHaveLength(6)
  expect(await found({ subject: 'max-sat' })).toEqual([])
  expect(await found({ game: 'haggle' })).toEqual([])
  const troubled = all.filter(({ faults, seats }) => faults > 0 || seats.some(({ removed }) => removed))
  expect(await found({ faults: true })).toEqual(troubled.map(({ match }) => match))
  const facets = await room.call('histories.facets', {})
  expect(facets.games.find(({ game }) => game === 'specker')!.subjects).toContain('max-csp')
  expect(facets.players).toEqual(expect.arrayContaining(['baby', 'gambler']))
})

test('all histories that a filter wants are verified; the ticks hold until a file is changed', async () => {
  const [own, made] = await played('many')
  const ticks = async () => (await own.call('histories.list', {})).items.map(({ genuine }) => genuine)
  expect(await ticks()).toEqual(Array(6).fill(null))
  const parts: unknown[] = []
  const off = own.service.on('verifications', (part) => parts.push(part))
  expect(await own.call('histories.verifyAll', { agents: ['baby'] })).toEqual({ genuine: 3, bad: [], others: 0 })
  expect((await ticks()).filter((tick) => tick === true)).toHaveLength(3)
  expect(await own.call('histories.verifyAll', {})).toEqual({ genuine: 6, bad: [], others: 0 })
  expect(await ticks()).toEqual(Array(6).fill(true))
  await vi.waitFor(() => expect(parts.at(-1)).toBeNull())
  off()

  const first = own.call('histories.verifyAll', {})
  await expect(own.call('histories.verifyAll', {})).rejects.toThrow(refusal('busy'))
  await own.call('histories.stopAll', {})
  await expect(first).rejects.toThrow(refusal('stopped'))
  await own.call('histories.verifyAll', {})

  // A byte in the last event of a match, of the same length, as somebody who has the disk could change it.
  const folder = join(own.data, 'contests', made)
  const file = join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.jsonl'))!,
  )
  const text = await readFile(file, 'utf8')
  const at = text.lastIndexOf('"at":') + '"at":'.length
  writeFileSync(file, `${text.slice(0, at)}${text[at] === '9' ? '8' : '9'}${text.slice(at + 1)}`)
  const after = await ticks()
  expect(after).toContain(null)
  const again = await own.call('histories.verifyAll', {})
  expect(again.others).toBeGreaterThan(0)
  expect(again.bad[0]).toMatchObject({ contest: made })
  expect(again.genuine + again.others).toBe(6)
  expect(await ticks()).not.toContain(false)
  await own.service.close()
})
