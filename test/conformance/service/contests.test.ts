import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { playContestFile } from '../../../main/services/contests/command/contest-command.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import type { ContestDraft, ContestSummary } from '../../../main/contract/procedures/procedures.ts'
import { openClassroom } from '../../../main/app/classroom-service.ts'
import { draftOf, openPlace, openRoom, type Room } from './classroom.ts'
import { refusal, type Fact, saying } from '../../refusal.ts'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'

const place = openPlace('service-contests')
const names = ['baby', 'greedy', 'sampler', 'gambler']
const shipped = (name: string): string => join(resources.agents, 'specker', `${name}.js`)
let entrants: ContestDraft['entrants']
let room: Room

/** Hands in the shipped agents. */
async function fill(into: Room): Promise<ContestDraft['entrants']> {
  const all: ContestDraft['entrants'] = []
  await into.call('settings.set', { isolation: 'permission' })
  for (const name of names) {
    const content = await readFile(shipped(name))
    const { versions } = await into.submit({ fileName: `${name}.js`, content, game: 'specker' })
    all.push({ name, agent: versions[0]!.agent })
  }
  return all
}

beforeAll(async () => {
  room = await openRoom(join(place.folder, 'data'))
  entrants = await fill(room)
}, 120_000)
afterAll(async () => {
  await room.service.close()
  place.remove()
})

const ended = ({ summary }: { summary: ContestSummary }): boolean => summary.state === 'ended'

test('an agent whose hash the class does not have is refused before a match, in a sentence', async () => {
  const draft = draftOf([...entrants, { name: 'gone', agent: 'f'.repeat(64) }])
  await expect(room.call('contests.create', { draft })).rejects.toThrow(refusal('agent-unknown', 'gone'))
})

test('a contest is made, started, followed to its end, and is the one that the command line plays', async () => {
  const draft = draftOf(entrants)
  expect(await room.call('contests.estimate', { draft })).toEqual({ matches: 6, ms: null })
  const { contest } = await room.call('contests.create', { draft })
  const open = await room.call('contests.get', { contest })
  expect(open.summary).toMatchObject({ contest, state: 'open', progress: { done: 0, total: 6, msLeft: null } })
  expect(open.standings.map(({ agent, matches }) => [agent, matches])).toEqual(names.map((name) => [name, 0]))
  await room.call('contests.start', { contest })
  const detail = await room.until(contest, ended)
  expect(detail.summary.progress).toEqual({ done: 6, total: 6, msLeft: null })
  expect(detail.notices).toEqual([])
  expect(['bubblewrap', 'permission']).toContain(detail.isolation)

  const { config, format, ...rest } = draft
  const report = await playContestFile({
    contest: {
      written: { ...rest, format, config, entrants: names.map((name) => ({ name, agent: shipped(name) })) },
      // The complete config, as the classroom stored it.
      config: detail.draft.config,
    },
    data: join(place.folder, 'by-command'),
    cores: 1,
    signal: new AbortController().signal,
    onNotice: () => undefined,
    onProgress: () => undefined,
  })
  const rated = detail.standings.map((row, at) => ({
    ...row,
    ...detail.ratings[at],
    pointsInterval: detail.intervals[at],
  }))
  expect(rated).toEqual(report.standings.map(({ bySeat: _, ...row }) => row))
  expect(await room.call('contests.breakdowns', { contest })).toEqual(report.breakdowns)
  expect(report.breakdowns['By seat']).toHaveLength(2 * names.length)
  const { ms } = await room.call('contests.estimate', { draft })
  expect(ms).toBeGreaterThan(0)
  // Five times as many rounds take five times as long.
  const longer = { ...draft, config: { ...(draft.config as object), maxTurns: 10 } }
  expect((await room.call('contests.estimate', { draft: longer })).ms! / ms!).toBeCloseTo(5, 1)

  const { better, met } = detail.headToHead
  expect(detail.headToHead.names).toEqual(names)
  expect(met).toEqual(names.map((_, i) => names.map((_, j) => (i === j ? 0 : 1))))
  for (const [at, name] of names.entries()) {
    const points = detail.standings.find(({ agent }) => agent === name)?.points
    expect(better[at]!.reduce((sum, each) => sum + each, 0)).toBe(points)
  }
})

test('a contest that is over has a result, and is duplicated with the agents as they play now', async () => {
  const { contest } = await room.call('contests.create', { draft: draftOf(entrants, { title: 'Week 1' }) })
  expect(await room.call('contests.result', { contest })).toEqual({
    ...{ leaders: [], faults: 0, removals: 0, alwaysRemoved: [] },
  })
  await room.call('contests.start', { contest })
  const { standings, intervals } = await room.until(contest, ended)
  const [first] = standings
  expect(await room.call('contests.result', { contest })).toMatchObject({ leaders: [first!.agent], faults: 0 })
  for (const [at, { points, matches }] of standings.entries()) {
    // Too few matches leave none.
    expect(intervals[at] === null).toBe(matches < 4)
    const [low, high] = intervals[at] ?? [0, points / matches]
    expect(low).toBeLessThanOrEqual(points / matches)
    expect(high).toBeGreaterThanOrEqual(points / matches)
  }

  const handIn = (text: string) =>
    room.submit({
      fileName: 'baby.js',
      content: text,
      game: 'specker',
      becomes: { what: 'version', of: 'baby' },
    })
  const baby = await readFile(shipped('baby'), 'utf8')
  const { versions } = await handIn(`${baby}\n// A second version.\n`)
  const copy = await room.call('contests.duplicate', { contest, title: 'Week 2', seed: 'another' })
  const [before, after] = [await room.call('contests.get', { contest }), await room.call('contests.get', copy)]
  expect(after.draft).toEqual({
    ...before.draft,
    title: 'Week 2',
    entrants: before.draft.entrants.map((each) =>
      each.name === 'baby' ? { name: 'baby', agent: versions[0]!.agent } : each,
    ),
  })
  expect(after.summary).toMatchObject({ state: 'open', person: false })
  expect(Date.parse(after.summary.added ?? '')).not.toBeNaN()

  const listed = async (person: boolean): Promise<string[]> =>
    (await room.call('contests.list', { person })).items.map((each) => each.contest)
  expect(await listed(false)).toContain(copy.contest)
  expect(await listed(true)).not.toContain(copy.contest)
  // The tests below play the first version.
  await handIn(baby)
})

test('of a contest too large for one answer the places and entrants come in pages', async () => {
  const many = Array.from({ length: 450 }, (_, i) => ({ name: `agent ${i}`, agent: entrants[i % 3]!.agent }))
  const { contest } = await room.call('contests.create', { draft: draftOf(many, { title: 'Many' }) })
  const detail = await room.call('contests.get', { contest })
  expect(detail.summary.entrants).toBe(450)
  expect(detail.draft.entrants).toEqual(many.slice(0, 200))
  // Which agents they are is told of as many as are told of at all.
  expect(detail.renamed).toEqual(many.slice(0, 200).map(({ name }, i) => ({ entrant: name, agent: names[i % 3]! })))
  expect(detail.standings).toHaveLength(200)
  expect(detail.headToHead.names).toEqual([])
  const standings = await room.call('contests.standings', { contest, offset: 400, limit: 1_000 })
  expect([standings.offset, standings.total]).toEqual([400, 450])
  expect(standings.items.map(({ agent }) => agent)).toEqual(many.slice(400).map(({ name }) => name))
  const named = await room.call('contests.entrants', { contest, offset: 199, limit: 2 })
  expect(named).toEqual({ items: many.slice(199, 201), offset: 199, total: 450 })
})

test('pausing drops what runs, starting goes on, and the standings are those of one run', async () => {
  const draft = draftOf(entrants, { title: 'Paused', format: { type: 'round-robin', seats: 2, repeats: 6 } })
  const whole = await room.call('contests.create', { draft })
  const halved = await room.call('contests.create', { draft })
  expect(whole.contest).not.toBe(halved.contest)
  await room.call('contests.start', { contest: halved.contest })
  await room.until(halved.contest, ({ summary }) => summary.progress.done >= 3)
  await room.call('contests.pause', { contest: halved.contest })
  const paused = await room.call('contests.get', halved)
  expect(paused.summary.state).toBe('open')
  expect(paused.summary.progress.done).toBeLessThan(36)
  const { attention } = await room.call('class.overview', {})
  expect(attention).toContainEqual({
    text: saying('Paused', 'paused', `${paused.summary.progress.done} of 36`),
    link: `#/contests/${halved.contest}`,
  })
  await room.call('contests.start', { contest: halved.contest })
  await room.call('contests.start', { contest: whole.contest })
  const first = await room.until(halved.contest, ended)
  const second = await room.until(whole.contest, ended)
  expect(first.standings).toEqual(second.standings)
  expect(first.headToHead).toEqual(second.headToHead)
})

test('while a contest goes on, nothing that can be asked, watched or read in its folder has its seed', async () => {
  const seed = 'Pavia, 24 February 1525'
  const draft = draftOf(entrants, { title: 'Secret', seed, format: { type: 'round-robin', seats: 2, repeats: 6 } })
  const { contest } = await room.call('contests.create', { draft })
  const seen: unknown[] = []
  const stop = room.service.on('contests', (value) => seen.push(value))
  await room.call('contests.start', { contest })
  seen.push(await room.until(contest, ({ summary }) => summary.progress.done >= 2))
  const source = { from: 'contest', contest, match: 0 } as const
  const all = await Promise.all([
    room.call('class.overview', {}),
    room.call('contests.list', {}),
    room.call('contests.get', { contest }),
    room.call('contests.entrants', { contest }),
    room.call('contests.matches', { contest }),
    room.call('contests.breakdowns', { contest }),
    room.call('contests.parts', { contest }),
    room.call('contests.result', { contest }),
    room.call('recurring.list', {}),
    room.call('histories.list', {}),
    room.call('histories.export', { contest, match: 0 }),
    room.call('matches.get', { source }),
    room.call('matches.events', { source }),
  ])
  await room.call('contests.pause', { contest })
  stop()
  seen.push(...all, await room.call('contests.get', { contest }))
  const folder = join(room.data, 'contests', contest)
  for (const name of await readdir(folder)) seen.push(await readFile(join(folder, name), 'latin1'))
  expect(seen.length).toBeGreaterThan(15)
  expect(seen.filter((each) => JSON.stringify(each)?.includes('Pavia'))).toEqual([])
  await room.call('contests.start', { contest })
  expect((await room.until(contest, ended)).reveal.seed).toBe(seed)
})

test('one contest runs at a time; the others wait in order, and one that waits can be taken out', async () => {
  const format = { type: 'round-robin', seats: 2, repeats: 20 } as const
  const made: string[] = []
  for (const title of ['First', 'Second', 'Third']) {
    made.push((await room.call('contests.create', { draft: draftOf(entrants, { title, format }) })).contest)
  }
  const [first = '', second = '', third = ''] = made
  for (const contest of made) await room.call('contests.start', { contest })
  const states = async (): Promise<string[]> =>
    Promise.all(made.map(async (contest) => (await room.call('contests.get', { contest })).summary.state))
  expect(await states()).toEqual(['running', 'queued', 'queued'])
  await room.call('contests.pause', { contest: second })
  expect(await states()).toEqual(['running', 'open', 'queued'])
  await room.call('contests.cancel', { contest: first })
  await room.until(third, ({ summary }) => summary.state === 'running' && summary.progress.done > 0)
  expect(await states()).toEqual(['cancelled', 'open', 'running'])
  await room.call('contests.cancel', { contest: third })
  expect(await states()).toEqual(['cancelled', 'open', 'cancelled'])
  await expect(room.call('contests.start', { contest: first })).rejects.toThrow(refusal('contest-over', 'cancelled'))
})

test('what is there no contest for, and what cannot be done to one, is said in a sentence', async () => {
  const { contest } = await room.call('contests.create', { draft: draftOf(entrants, { title: 'Refused' }) })
  const none = { contest: 'nowhere-1' }
  const calls = [
    room.call('contests.get', none),
    room.call('contests.matches', none),
    room.call('contests.start', none),
    room.call('contests.pause', none),
    room.call('contests.cancel', none),
    room.call('contests.pause', { contest }),
    room.call('matches.get', { source: { from: 'contest', contest, match: 0 } }),
    room.call('matches.events', { source: { from: 'contest', ...none, match: 0 } }),
    room.call('histories.verify', { source: { from: 'contest', contest, match: 99_999 } }),
    room.call('histories.export', { ...none, match: 0 }),
    room.call('matches.get', { source: { from: 'file', file: '../../etc/passwd' } }),
    room.call('agents.get', { name: 'nobody' }),
    room.call('agents.faults', { name: 'nobody' }),
    room.call('agents.console', { name: 'nobody' }),
    room.call('challenges.get', { name: '../max-csp' }),
  ]
  for (const call of await Promise.allSettled(calls)) {
    expect(call.status).toBe('rejected')
    expect(call).toMatchObject({ reason: { name: 'ExpectedError', kind: 'usage' } })
    if (call.status === 'rejected')
      expect(String(call.reason)).toMatch(/^ExpectedError: [A-Z].*\.(?: Did you mean ".+"\?)?$/)
  }
  expect(() => room.service.on('contest:nowhere-1', () => undefined)).toThrow(refusal('contest-unknown', 'nowhere-1'))
})

test.each<[string, (draft: ContestDraft) => Partial<ContestDraft>, ErrorCode, ...Fact[]]>([
  ['an unknown game', () => ({ game: 'chess' }), 'game-unknown', 'chess'],
  ['an unknown challenge', () => ({ config: { challenge: 'max-fun' } }), 'challenge-unknown', 'max-fun'],
  [
    'a file of this machine',
    () => ({ config: { challenge: '/etc/motd.challenge' } }),
    'challenge-unknown',
    '/etc/motd.challenge',
  ],
  [
    'a setting of no meaning',
    () => ({ config: { challenge: 'max-csp', maxTurns: -1 } }),
    'settings-invalid',
    'maxTurns',
  ],
  [
    'an agent that was never handed in',
    () => ({ entrants: ['a', 'b'].map((name) => ({ name, agent: 'f'.repeat(64) })) }),
    'agent-unknown',
    'a',
  ],
  ['a name twice', ({ entrants: [one] }) => ({ entrants: [one!, one!] }), 'name-taken', 'baby'],
  ['too few entrants', ({ entrants: [one] }) => ({ entrants: [one!] }), 'schedule-invalid', 2, 1],
  [
    'too many matches',
    ({ entrants: [one] }) => ({
      format: { type: 'round-robin', seats: 2, repeats: 100_000 },
      entrants: Array.from({ length: 47 }, (_, at) => ({ ...one!, name: `agent ${at}` })),
    }),
    'schedule-invalid',
    '108,100,000',
  ],
])('a draft with %s is refused', async (_what, change, code, ...facts) => {
  const before = (await room.call('contests.list', {})).total
  const draft = draftOf(entrants)
  await expect(room.call('contests.create', { draft: { ...draft, ...change(draft) } })).rejects.toThrow(
    refusal(code, ...facts),
  )
  expect((await room.call('contests.list', {})).total).toBe(before)
})

test('killed at any moment, the classroom goes on to the standings of one run', { timeout: 300_000 }, async () => {
  const data = join(place.folder, 'killed')
  const draft = async (into: Room): Promise<ContestDraft> =>
    draftOf(await fill(into), { title: 'Killed', format: { type: 'round-robin', seats: 2, repeats: 4 } })
  const before = await openRoom(data)
  const { contest } = await before.call('contests.create', { draft: await draft(before) })
  await before.service.close()
  for (const wanted of [2, 9]) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'keeper.ts'), data, contest], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const done = [...text.matchAll(/"done":(\d+)/g)].map(([, number]) => Number(number))
      if (done.some((number) => number >= wanted)) child.kill('SIGKILL')
    })
    await once(child, 'close')
  }
  // It goes on by itself: nobody has paused it.
  const after = await openRoom(data)
  const found = await after.call('contests.get', { contest })
  expect(found.summary.progress.done).toBeGreaterThanOrEqual(9)
  const resumed = await after.until(contest, ended)
  const again = await after.call('contests.create', { draft: { ...found.draft, seed: 'Brescia, 1512' } })
  await after.call('contests.start', again)
  const uninterrupted = await after.until(again.contest, ended)
  expect(resumed.standings).toEqual(uninterrupted.standings)
  expect((await after.call('contests.matches', { contest, limit: 200 })).items.map(({ match }) => match)).toEqual([
    ...Array(24).keys(),
  ])
  await after.service.close()
})

test('what ran when the classroom was closed goes on when it is opened, and what was paused stays paused', async () => {
  const data = join(place.folder, 'goes-on')
  const before = await openRoom(data)
  const long = { format: { type: 'round-robin' as const, seats: 2, repeats: 40 } }
  const agents = await fill(before)
  const [paused, running] = [
    await before.call('contests.create', { draft: draftOf(agents, { ...long, title: 'Paused' }) }),
    await before.call('contests.create', { draft: draftOf(agents, { ...long, title: 'Running' }) }),
  ]
  await before.call('contests.start', paused)
  await before.call('contests.pause', paused)
  await before.call('contests.start', running)
  await before.until(running.contest, ({ summary }) => summary.state === 'running')
  await before.service.close()

  const after = await openRoom(data)
  await after.until(running.contest, ({ summary }) => summary.state === 'running')
  expect((await after.call('contests.get', paused)).summary.state).toBe('open')
  await after.call('contests.cancel', running)
  await after.service.close()

  const last = await openRoom(data)
  expect((await last.call('contests.get', running)).summary.state).toBe('cancelled')
  await last.service.close()
})

test('the folder belongs to one classroom at a time, and is free when it is closed', async () => {
  const data = join(place.folder, 'held')
  const held = await openRoom(data)
  await expect(openClassroom({ data })).rejects.toThrow(refusal('data-folder-in-use', data))
  await held.service.close()
  await held.service.close()
  await expect(held.call('settings.set', { tourSeen: true })).rejects.toThrow(refusal('classroom-closed', data))
  await (await openRoom(data)).service.close()
})

test('during the first of 300 matches, and of a queue of contests, everybody is told that they run', async () => {
  const draft = draftOf(entrants.slice(0, 2), { format: { type: 'round-robin', seats: 2, repeats: 300 } })
  const queued = []
  for (let nth = 0; nth < 4; nth++) queued.push((await room.call('contests.create', { draft })).contest)
  const told: (readonly ContestSummary[])[] = []
  // The topic's value, as Topics says.
  const off = room.service.on('status', (value) => told.push(value as readonly ContestSummary[]))
  for (const contest of queued) await room.call('contests.start', { contest })
  const [first = ''] = queued
  const details: ContestSummary[] = []
  await room.until(first, ({ summary }) => {
    details.push(summary)
    return summary.progress.done >= 10
  })
  // A late subscriber is notified at once, too.
  const fresh = await new Promise((resolve) => {
    const stop = room.service.on('status', (value) => {
      setImmediate(() => stop())
      resolve(value)
    })
  })
  off()
  expect((fresh as readonly ContestSummary[]).map(({ contest }) => contest)).toEqual(queued)
  const begun = told.findIndex((contests) => contests.some(({ contest }) => contest === first))
  expect(begun).toBeGreaterThanOrEqual(0)
  for (const contests of told.slice(begun)) expect(contests.map(({ contest }) => contest)).toContain(first)
  expect(new Set(details.map(({ state }) => state))).toEqual(new Set(['running']))
  for (const contest of queued.toReversed()) await room.call('contests.cancel', { contest })
})
