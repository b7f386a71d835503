import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resources } from '../../../main/services/machine/resources.ts'
import { NETWORK } from '../../../main/contract/players/agents.ts'
import { defaultArenaPlace, type ArenaNow, type OpenArena } from '../../../main/contract/players/arena.ts'
import type { ContestDetail, ContestDraft, ContestState } from '../../../main/contract/procedures/procedures.ts'
import { agentFile } from '../network/contest.ts'
import { bridge, dial } from '../network/client.ts'
import { draftOf, openPlace, openRoom, type Room } from './classroom.ts'
import { refusal, type Fact, saying } from '../../refusal.ts'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'

const folder = openPlace('service-arena')
let room: Room
let own: ContestDraft['entrants']
/** Everything that screens were told without having asked for it by a procedure. */
const pushed: string[] = []

beforeAll(async () => {
  room = await openRoom(join(folder.folder, 'data'))
  await room.call('settings.set', { isolation: 'permission' })
  own = []
  for (const name of ['baby', 'hard']) {
    const content = await readFile(join(resources.agents, 'haggle', `${name}.js`))
    const { versions } = await room.submit({ fileName: `${name}.js`, content, game: 'haggle' })
    own.push({ name, agent: versions[0]!.agent })
  }
  room.service.on('status', (value) => pushed.push(JSON.stringify(value)))
})
afterAll(async () => {
  await room.service.close()
  folder.remove()
})

const anna = { name: 'anna', agent: NETWORK }
const bob = { name: 'bob', agent: NETWORK }
const draft = (title: string, entrants: ContestDraft['entrants'], more: Partial<ContestDraft> = {}): ContestDraft =>
  draftOf(entrants, { title, game: 'haggle', config: {}, ...more })

/** Makes a contest and listens to it, as its screen does. */
async function create(title: string, entrants: ContestDraft['entrants'], repeats = 1): Promise<string> {
  const format = { type: 'round-robin', seats: 2, repeats } as const
  const { contest } = await room.call('contests.create', { draft: draft(title, entrants, { format }) })
  room.service.on(`contest:${contest}`, (value) => pushed.push(JSON.stringify(value)))
  return contest
}

/** Starts a contest, which then waits for its agents. */
async function open(contest: string): Promise<OpenArena> {
  await room.call('contests.start', { contest })
  return room.call('contests.credentials', { contest })
}

const come = ({ addresses, credentials }: OpenArena, name: string): ReturnType<typeof bridge> =>
  bridge(addresses[0]!, credentialOf(credentials, name), [agentFile, 'haggle'])

const credentialOf = (credentials: OpenArena['credentials'], name: string): string =>
  credentials.find(({ entrant }) => entrant === name)!.credential

const is =
  (state: ContestState) =>
  ({ summary }: ContestDetail): boolean =>
    summary.state === state
const states = ({ arena }: ContestDetail): Record<string, string> =>
  Object.fromEntries(arena?.now?.posts.map(({ entrant, state }) => [entrant, state]) ?? [])

function filesBelow(path: string): readonly string[] {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
}

/** No screen was told a credential that it had not asked for, and none is in a file of the class. */
function expectSecret({ addresses, credentials }: OpenArena): void {
  // They have been told of this very arena.
  expect(pushed.some((text) => text.includes(addresses[0]!))).toBe(true)
  const files = filesBelow(room.data)
  expect(files.length).toBeGreaterThan(3)
  for (const { credential } of credentials) {
    expect(credential).toMatch(/^[\w-]{43}$/)
    expect(pushed.some((text) => text.includes(credential))).toBe(false)
    for (const file of files) expect(readFileSync(file, 'latin1').includes(credential), file).toBe(false)
  }
}

test('agents of other machines play: credentials are told once, who is missing is known, all play, standings', async () => {
  const contest = await create('Together', [anna, bob, ...own])
  expect(await room.call('contests.get', { contest })).toMatchObject({
    summary: { state: 'open', entrants: 4 },
    arena: { place: defaultArenaPlace, now: null },
  })
  await room.call('contests.start', { contest })
  const waiting = await room.call('contests.get', { contest })
  expect(waiting.summary).toMatchObject({ state: 'gathering', progress: { done: 0, total: 6 } })
  const now = waiting.arena!.now!
  expect(now).toMatchObject({ total: 2, here: 0, untold: true } satisfies Partial<ArenaNow>)
  expect(now.addresses).toEqual([expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+$/)])
  expect(now.msLeft).toBeGreaterThan(0)
  expect(states(waiting)).toEqual({ anna: 'awaited', bob: 'awaited' })
  expect((await room.call('class.overview', {})).attention).toContainEqual({
    text: saying('Together', 'credential'),
    link: `#/contests/${contest}`,
  })

  const told = await room.call('contests.credentials', { contest })
  expect(told.addresses).toEqual(now.addresses)
  for (const { credential } of told.credentials) expect(JSON.stringify(waiting)).not.toContain(credential)
  expect(told.credentials.map(({ entrant, line }) => [entrant, line])).toEqual([
    ['anna', 0],
    ['bob', 0],
  ])
  await expect(room.call('contests.credentials', { contest })).rejects.toThrow(refusal('credentials-unavailable'))
  expect((await room.call('contests.get', { contest })).arena!.now!.untold).toBe(false)

  come(told, 'bob')
  const one = await room.until(contest, ({ arena }) => arena?.now?.here === 1)
  expect(one.summary.state).toBe('gathering')
  expect(states(one)).toEqual({ anna: 'awaited', bob: 'here' })
  expect(one.notices).toEqual([saying('bob', 'signed in')])
  expectSecret(told)

  come(told, 'anna')
  const { standings, summary, arena, renamed } = await room.until(contest, is('ended'))
  expect(summary.progress).toMatchObject({ done: 6, total: 6 })
  expect(arena).toEqual({ place: defaultArenaPlace, now: null })
  expect(standings.map(({ agent }) => agent).sort()).toEqual(['anna', 'baby', 'bob', 'hard'])
  for (const row of standings) expect(row).toMatchObject({ matches: 3, faults: 0 })
  // They are not agents of the class, and their names have no links.
  expect((await room.call('agents.list', {})).items.map(({ name }) => name).sort()).toEqual(['baby', 'hard'])
  expect(renamed).toEqual([
    { entrant: 'anna', agent: null },
    { entrant: 'bob', agent: null },
  ])
  await expect(room.call('contests.credentials', { contest })).rejects.toThrow(
    refusal('arena-not-open', 'no credentials'),
  )
  expectSecret(told)
})

test('a client that is waited for stops nobody else: another contest runs meanwhile', async () => {
  const waits = await create('Waits', [anna, ...own])
  const told = await open(waits)
  const other = await create('Other', own)
  await room.call('contests.start', { contest: other })
  await room.until(other, is('ended'))
  const still = await room.call('contests.get', { contest: waits })
  expect(still.summary.state).toBe('gathering')
  come(told, 'anna')
  await room.until(waits, is('ended'))
})

test('a wish to stop is heard while they are waited for; the next start makes new credentials, and the old are worth nothing', async () => {
  const contest = await create('Stopped', [anna, bob])
  const first = await open(contest)
  const early = come(first, 'anna')
  await room.until(contest, ({ arena }) => arena?.now?.here === 1)
  await room.call('contests.pause', { contest })
  expect(await early.told('goodbye')).toMatchObject({ text: saying('arena', 'closing') })
  expect((await room.call('contests.get', { contest })).summary).toMatchObject({ state: 'open', progress: { done: 0 } })
  await expect(room.call('contests.pause', { contest })).rejects.toThrow(refusal('contest-not-running', 'Stopped'))

  const second = await open(contest)
  for (const { credential } of second.credentials) {
    expect(first.credentials.some((before) => before.credential === credential)).toBe(false)
  }
  const late = dial(second.addresses[0]!, credentialOf(first.credentials, 'anna'))
  expect(await late.told('refused')).toMatchObject({ text: saying('credential', 'contest') })
  come(second, 'anna')
  come(second, 'bob')
  const { standings } = await room.until(contest, is('ended'))
  for (const row of standings) expect(row).toMatchObject({ matches: 1, faults: 0 })
  expectSecret(first)
  expectSecret(second)
})

test('paused in the middle it goes on with new credentials, and each match counts once', async () => {
  const contest = await create('Resumed', [anna, ...own], 6)
  come(await open(contest), 'anna')
  await room.until(contest, ({ summary }) => summary.progress.done >= 3)
  await room.call('contests.pause', { contest })
  const paused = await room.call('contests.get', { contest })
  expect(paused.summary.state).toBe('open')
  const { done } = paused.summary.progress
  expect(done).toBeLessThan(18)
  const told = await open(contest)
  expect((await room.call('contests.get', { contest })).summary.progress).toMatchObject({ done, total: 18 })
  come(told, 'anna')
  const { standings } = await room.until(contest, is('ended'))
  for (const row of standings) expect(row).toMatchObject({ matches: 12 })
  expectSecret(told)
})

test('a client that is missing in the end is named, and the contest can be started again', async () => {
  const contest = await create('Missing', [anna, bob])
  await room.call('contests.start', { contest, arena: { ...defaultArenaPlace, waitMs: 1_000 } })
  const { notices, arena } = await room.until(contest, is('open'))
  expect(notices.at(-1)).toMatch(/\b\d+ s\b.*\bno match\b.*\banna, bob\b/)
  // Its address is kept.
  expect(arena).toEqual({ place: { ...defaultArenaPlace, waitMs: 1_000 }, now: null })
  const { attention } = await room.call('class.overview', {})
  expect(attention.find(({ link }) => link === `#/contests/${contest}`)?.text).toEqual(
    saying('Missing', 'stopped', 'signed in'),
  )
  await room.call('contests.cancel', { contest })
})

test('a client that goes in the middle is reported, and the others play on', async () => {
  const contest = await create('Gone', [anna, bob, ...own])
  const { addresses, credentials } = await open(contest)
  const seen: PromiseWithResolvers<void> = Promise.withResolvers()
  dial(addresses[0]!, credentialOf(credentials, 'anna'), (line, client) => {
    if (line.startsWith('{"arena":"match"')) client.drop()
  })
  // It is not ready before everybody has seen that anna has gone: until then the contest is not over.
  dial(addresses[0]!, credentialOf(credentials, 'bob'), (line, client) => {
    const { arena, match, type, question } = JSON.parse(line) as Partial<Record<string, string | number>>
    if (arena === 'match') void seen.promise.then(() => client.say({ arena: 'ready', match: match! }))
    else if (question !== undefined) client.say({ type: type === 'start' ? 'ready' : 'offer', question })
  })
  const gone = await room.until(contest, (detail) => states(detail)['anna'] === 'gone')
  expect(gone).toMatchObject({ summary: { state: 'running' }, arena: { now: { here: 1, total: 2, msLeft: null } } })
  expect(gone.notices).toContainEqual(saying('anna', 'left', 'connection'))
  seen.resolve()
  const { standings } = await room.until(contest, is('ended'))
  expect(standings.find(({ agent }) => agent === 'anna')).toMatchObject({ matches: 3, faults: 3 })
  expect(standings.find(({ agent }) => agent === 'hard')).toMatchObject({ matches: 3, faults: 0 })
})

test('plain TCP is opened where that was said, and nowhere else', async () => {
  const { contest } = await room.call('contests.create', {
    draft: draft('Plain', [anna, bob]),
    arena: { ...defaultArenaPlace, tcp: 0 },
  })
  const told = await open(contest)
  expect(told.addresses.map((address) => new URL(address).protocol)).toEqual(['ws:', 'tcp:'])
  bridge(told.addresses[1]!, credentialOf(told.credentials, 'anna'), [agentFile, 'haggle'])
  come(told, 'bob')
  await room.until(contest, is('ended'))
})

describe('what cannot be is said in a sentence', () => {
  test('a port that is taken: nothing has begun, and another one can be said', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const at = taken.address()
    const port = typeof at === 'object' && at !== null ? at.port : 0
    const contest = await create('Port', [anna, bob])
    const refused = room.call('contests.start', { contest, arena: { ...defaultArenaPlace, webSocket: port } })
    await expect(refused).rejects.toThrow(refusal('port-unavailable', port))
    const { summary, arena } = await room.call('contests.get', { contest })
    expect(summary.state).toBe('open')
    expect(arena?.place.webSocket).toBe(port)
    await room.call('contests.start', { contest, arena: defaultArenaPlace })
    expect((await room.call('contests.get', { contest })).arena).toMatchObject({
      place: defaultArenaPlace,
      now: { here: 0, total: 2 },
    })
    await room.call('contests.cancel', { contest })
    expect((await room.call('contests.get', { contest })).summary.state).toBe('cancelled')
    taken.close()
  })

  test('an address that is none of this machine', async () => {
    const contest = await create('Elsewhere', [anna, bob])
    const refused = room.call('contests.start', { contest, arena: { ...defaultArenaPlace, host: '192.0.2.1' } })
    await expect(refused).rejects.toThrow(refusal('address-invalid', '192.0.2.1'))
  })

  test.each<[string, ContestDraft['entrants'] | null, ErrorCode, ...Fact[]]>([
    ['an arena for nobody', null, 'arena-not-needed'],
    ['a name twice', [anna, anna], 'name-taken', 'anna'],
  ])('%s', async (title, entrants, code, ...facts) => {
    const input = { draft: draft(title, entrants ?? own), arena: defaultArenaPlace }
    await expect(room.call('contests.create', input)).rejects.toThrow(refusal(code, ...facts))
  })

  test.each([
    [{ host: 'a b' }, /"host"/],
    [{ webSocket: 65_536 }, /65535/],
    [{ webSocket: 8_090, tcp: 8_090 }, /"tcp"/],
    [{ webSocket: 8_090, native: 8_090 }, /"native"/],
    [{ waitMs: 0 }, /1000/],
  ])('a place of %j', async (change, says) => {
    const call = (): unknown =>
      room.call('contests.create', { draft: draft('Place', [anna, bob]), arena: { ...defaultArenaPlace, ...change } })
    await expect((async () => call())()).rejects.toThrow(says)
  })
})

test('a classroom that is closed while it waits sends everybody home, and opens again', async () => {
  const data = join(folder.folder, 'closed')
  const other = await openRoom(data)
  const { contest } = await other.call('contests.create', { draft: draft('Closed', [anna, bob]) })
  await other.call('contests.start', { contest })
  const { addresses, credentials } = await other.call('contests.credentials', { contest })
  const client = dial(addresses[0]!, credentials[0]!.credential)
  await client.told('signed in')
  await other.service.close()
  await client.gone
  const again = await openRoom(data)
  expect((await again.call('contests.get', { contest })).summary.state).toBe('open')
  await again.service.close()
})
