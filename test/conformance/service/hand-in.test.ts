import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../../main/contract/people/caller.ts'
import {
  procedures,
  type InputOf,
  type OutputOf,
  type ProcedureName,
} from '../../../main/contract/procedures/procedures.ts'
import { chainFault } from '../../../main/histories/receipts.ts'
import { callerOf } from '../../../main/services/people/callers.ts'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { verifyReceipts } from '../../../main/services/hand-in/verify-receipts.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { refusal, saying } from '../../refusal.ts'
import { draftOf, openPlace, openRoom, type Room } from './classroom.ts'
import { setClock, type SetClock } from '../../../main/services/contests/recurring/set-clock.ts'
import { zip } from './zip.ts'

const place = openPlace('team-hand-in')
afterAll(() => place.remove())

const [anna, bruno, carla] = ['a', 'b', 'c'].map((digit) => digit.repeat(16)) as [string, string, string]
/** Demands everything at first, and accepts whatever it is offered. */
const sound =
  'module.exports = class { constructor(me, counts) { this.all = counts } offer(o) { return o === undefined ? this.all : undefined } }\n'
const broken = 'module.exports = class { offer() { throw new Error("no") } }\n'

let room: Room
let clock: SetClock
let count = 0
beforeEach(async () => {
  const data = join(place.folder, String(++count))
  const home = await openClassFolder(data)
  await home.change(({ people, settings }) => {
    settings.isolation = 'none'
    for (const id of [anna, bruno, carla])
      people.push({ id, name: id.slice(0, 1), ids: {}, role: 'student', added: '2026-11-01T08:00:00.000Z' })
  })
  await home.close()
  clock = setClock('2026-11-25T08:00:00.000Z')
  room = await openRoom(data, false, { clock })
})
afterEach(() => room.service.close())

/** Calls as a student; the session itself is the portal's matter. */
function as<N extends ProcedureName>(person: string, name: N, input: InputOf<N>): Promise<OutputOf<N>> {
  const handler: (input: never, caller: Caller) => Promise<unknown> = room.service.handlers[name]
  const caller: Caller = callerOf(room.service.accounts.home.content, {
    ...{ kind: 'session', person, session: 's', isTerminal: false },
  })
  return handler(procedures[name].input.parse(input) as never, caller) as Promise<OutputOf<N>>
}
async function handIn(person: string, content: string, more: object = {}): Promise<OutputOf<'handIn.submit'>> {
  const file = await room.upload('agent.js', content)
  return as(person, 'handIn.submit', { file, game: 'haggle', ...more } as InputOf<'handIn.submit'>)
}
/** Waits until the newest hand-in was judged. */
async function judged(person: string): Promise<OutputOf<'handIn.attempts'>> {
  for (;;) {
    const found = await as(person, 'handIn.attempts', {} as InputOf<'handIn.attempts'>)
    if (found.attempts[0]?.state !== 'waiting') return found
    await sleep(50)
  }
}

test('a hand-in that is under way when the class is closed gets its receipt', async () => {
  await as(anna, 'teams.form', { name: 'Red' })
  const file = await room.upload('agent.js', sound)
  const submitted = as(anna, 'handIn.submit', { file, game: 'haggle', agent: 'rosso' } as InputOf<'handIn.submit'>)
  await room.service.close()
  expect(await submitted).toMatchObject({ receipt: { n: 1, team: 'Red', time: 'on-time' } })
})

test('the same agent.js of two teams is two agents; each gets a receipt, a trial, and its place', async () => {
  const { id } = await as(anna, 'teams.form', { name: 'Red' })
  const { invitation } = await as(anna, 'teams.invite', {})
  expect(await as(bruno, 'teams.join', { invitation })).toMatchObject({
    id,
    members: [{ person: anna }, { person: bruno }],
  })
  await as(carla, 'teams.form', { name: 'Blue' })
  const mine = await handIn(bruno, sound, { agent: 'rosso' })
  const hers = await handIn(carla, sound, { agent: 'azzurro' })
  expect([mine.receipt, hers.receipt]).toMatchObject([
    { n: 1, team: 'Red', agent: 'rosso', version: 1, time: 'on-time', previous: '' },
    { n: 2, team: 'Blue', agent: 'azzurro', version: 1, previous: mine.head },
  ])
  // Another team's agent is answered like one that does not exist: it cannot be given a version.
  await expect(handIn(carla, broken, { agent: 'rosso' })).rejects.toMatchObject({ code: 'name-taken' })
  expect((await judged(anna)).attempts).toMatchObject([{ by: 'b', state: 'passed', receipt: 1 }])
  const agent = await room.call('agents.get', { name: 'rosso' })
  expect(agent.versions[0]).toMatchObject({ team: 'Red', smoke: { ok: true }, active: { length: 8 } })
  expect(await room.call('receipts.head', {})).toMatchObject({ n: 2, head: hers.head })
  const file = await as(bruno, 'receipts.get', { n: 1 } as InputOf<'receipts.get'>)
  expect(JSON.parse(file.content)).toMatchObject({ b: mine.receipt, h: mine.head })
  await expect(as(carla, 'receipts.get', { n: 1 } as InputOf<'receipts.get'>)).rejects.toMatchObject({
    code: 'receipt-unknown',
  })
  await as(anna, 'teams.rename', { name: 'Green' })
  expect((await room.call('agents.get', { name: 'rosso' })).versions[0]).toMatchObject({ team: 'Green' })
})

test('a failed trial leaves the former version active, and refused files are kept and cost no attempt', async () => {
  await as(anna, 'teams.form', { name: 'Red' })
  const first = await handIn(anna, sound, { agent: 'rosso' })
  await judged(anna)
  await handIn(anna, broken)
  expect((await judged(anna)).attempts[0]).toMatchObject({ state: 'failed', reason: expect.stringMatching(/./) })
  const { versions } = await room.call('agents.get', { name: 'rosso' })
  expect(versions.map(({ active }) => active.length)).toEqual([0, 8])
  await expect(handIn(anna, '')).rejects.toMatchObject({ code: 'package-empty' })
  const { attempts, used } = await as(anna, 'handIn.attempts', {} as InputOf<'handIn.attempts'>)
  expect(attempts[0]).toMatchObject({ state: 'refused', receipt: null })
  expect(used).toBe(1)
  for (const { sha256 } of attempts) expect(existsSync(join(room.data, 'handed-in', sha256))).toBe(true)
  const chain = readFileSync(join(room.data, 'receipts/chain.jsonl'), 'utf8').trimEnd().split('\n')
  expect(chainFault(chain, null)).toBeNull()
  expect(chain).toHaveLength(2)
  expect(first.receipt.n).toBe(1)
  const [verdict] = await verifyReceipts([join(room.data, 'receipts/chain.jsonl')], new Map(), false)
  expect(verdict).toMatchObject({ verdict: 'signer-unknown', receipts: 2 })
  // A damaged chain is the first thing that the educator reads.
  await room.service.close()
  writeFileSync(join(room.data, 'receipts/chain.jsonl'), `${chain[1]!}\n`)
  room = await openRoom(room.data, false, { clock })
  const { attention } = await room.call('class.overview', {})
  expect(attention).toContainEqual(expect.objectContaining({ text: saying('chain.jsonl', 1) }))
})

test.skipIf(process.platform === 'win32')(
  'the limits of builds that the class has set stop the build of a package (needs a Unix shell)',
  async () => {
    await as(anna, 'teams.form', { name: 'Red' })
    await room.call('handIn.setRules', { builds: { seconds: 600, memoryMb: 256 } })
    // It holds 400 MB for a second or more, which the usual limits allow.
    const build = ['dd', 'if=/dev/zero', 'of=/dev/null', 'bs=400M', 'count=20']
    const manifest = { name: 'grosso', game: 'haggle', kind: 'program', build, command: ['sh', 'agent.sh'] }
    const content = zip({ 'agent.json': JSON.stringify(manifest), 'agent.sh': 'exit 1\n' })
    const file = await room.upload('grosso.zip', content)
    const submitted = as(anna, 'handIn.submit', { file, game: 'haggle' } as InputOf<'handIn.submit'>)
    await expect(submitted).rejects.toThrow(refusal('build-failed', '256 MB'))
    expect((await judged(anna)).attempts).toMatchObject([{ state: 'refused', receipt: null }])
  },
)

test('a file that the educator hands in has the time of the class’s clock', async () => {
  const file = { fileName: 'rosso.js', content: sound, game: 'haggle', wait: false }
  const { versions } = await room.submit(file)
  expect(versions[0]).toMatchObject({ submitted: '2026-11-25T08:00:00.000Z' })
})

test('a version that its team withdraws plays no more, and the one before it plays again', async () => {
  await as(anna, 'teams.form', { name: 'Red' })
  const plays = async (): Promise<readonly number[]> =>
    (await room.call('agents.get', { name: 'rosso' })).versions.map(({ active }) => active.length)
  await handIn(anna, sound, { agent: 'rosso' })
  await judged(anna)
  await handIn(anna, `${sound}// more\n`, { agent: 'rosso' })
  await judged(anna)
  expect(await plays()).toEqual([8, 0])
  const [newest] = (await room.call('agents.get', { name: 'rosso' })).versions
  await as(anna, 'handIn.withdraw', { name: 'rosso', agent: newest!.agent })
  expect(await plays()).toEqual([0, 8])
  expect((await room.call('agents.get', { name: 'rosso' })).versions[0]).toMatchObject({ inactive: 'withdrawn' })
  await expect(as(anna, 'handIn.withdraw', { name: 'rosso', agent: 'f'.repeat(64) })).rejects.toMatchObject({
    code: 'agent-version-unknown',
  })
})

test('a look uses no attempt, keeps nothing and refuses in the words of a hand-in; a note is the team’s', async () => {
  await as(anna, 'teams.form', { name: 'Red' })
  const look = async (content: string, more: object = {}): Promise<OutputOf<'handIn.look'>> => {
    const file = await room.upload('rosso.ts', content)
    return as(anna, 'handIn.look', { file, game: 'haggle', ...more } as InputOf<'handIn.look'>)
  }
  const typed = `export default ${sound.slice('module.exports = '.length)}`
    .replace('constructor(me, counts)', 'all: number[]; constructor(me: number, counts: number[])')
    .replace('offer(o)', 'offer(o: unknown)')
  expect(await look(typed)).toEqual({ agent: 'rosso', game: 'haggle', version: 1, left: 19 })
  await expect(look('export default class {')).rejects.toMatchObject({ message: saying('rosso.ts', 1) })
  await expect(look(typed, { contest: 'none-1' })).rejects.toMatchObject({ code: 'contest-unknown' })
  const { attempts, used } = await as(anna, 'handIn.attempts', {} as InputOf<'handIn.attempts'>)
  expect([attempts, used]).toEqual([[], 0])
  expect(existsSync(join(room.data, 'handed-in'))).toBe(false)
  expect((await room.call('agents.list', {} as InputOf<'agents.list'>)).total).toBe(0)

  await handIn(anna, sound, { agent: 'rosso', note: 'first' })
  await judged(anna)
  const { agent, handIn: record } = (await room.call('agents.get', { name: 'rosso' })).versions[0]!
  expect(record?.note).toBe('first')
  await as(anna, 'handIn.note', { name: 'rosso', agent, note: ' second ' })
  expect((await room.call('agents.get', { name: 'rosso' })).versions[0]).toMatchObject({
    handIn: { note: 'second' },
  })
  // The game follows from the team's agents.
  expect(await look(typed, { game: null })).toMatchObject({ game: 'haggle', version: 2, left: 17 })
})

/** Resolves when the newest versions of the agents play, or not, as wanted; `[version number, plays]`, newest first. */
async function versionsOf(name: string, wanted: readonly (readonly [number, boolean])[]): Promise<void> {
  await expect
    .poll(async () => {
      const { versions } = await room.call('agents.get', { name })
      return versions.map(({ number, active }) => [number, active.length > 0])
    })
    .toEqual(wanted)
}

test('at the closing time candidates become active and entrants; a team with an extension has its own time', async () => {
  await as(anna, 'teams.form', { name: 'Red' })
  const { id: blue } = await as(carla, 'teams.form', { name: 'Blue' })
  for (const [person, agent] of [
    [anna, 'rosso'],
    [carla, 'azzurro'],
  ] as const) {
    await handIn(person, sound, { agent })
    await judged(person)
  }
  const first = await Promise.all(
    ['rosso', 'azzurro'].map(async (name) => ({
      name,
      agent: (await room.call('agents.get', { name })).versions[0]!.agent,
    })),
  )
  const { contest } = await room.call('contests.create', {
    draft: draftOf(first, { game: 'haggle', config: {}, isolation: 'none' }),
  })
  await room.call('deadlines.set', { contest, closes: '2026-11-25T20:00:00.000Z', late: 'closed' })
  await room.call('deadlines.extend', {
    ...{ of: { who: 'team', team: blue }, contest, until: '2026-11-26T20:00:00.000Z', reason: 'flu' },
  })
  await handIn(anna, `${sound}// 2\n`, { contest })
  await judged(anna)
  await versionsOf('rosso', [
    [2, false],
    [1, true],
  ])
  clock.set('2026-11-25T20:00:00.000Z')
  await versionsOf('rosso', [
    [2, false],
    [1, true],
  ])
  clock.set('2026-11-25T20:00:00.001Z')
  await versionsOf('rosso', [
    [2, true],
    [1, false],
  ])
  // Handing in once more after the close stops nothing.
  await handIn(anna, `${sound}// 2\n`, { contest })
  await versionsOf('rosso', [
    [2, true],
    [1, false],
  ])
  const late = await handIn(carla, `${sound}// 2\n`, { contest })
  expect(late.receipt.time).toBe('on-time')
  await judged(carla)
  await versionsOf('azzurro', [
    [2, false],
    [1, true],
  ])
  await expect(room.call('contests.start', { contest })).rejects.toMatchObject({ code: 'too-early' })
  // The class is closed at the closing time, and catches up when it is opened.
  await room.service.close()
  clock.set('2026-11-27T08:00:00.000Z')
  room = await openRoom(room.data, false, { clock })
  await versionsOf('azzurro', [
    [2, true],
    [1, false],
  ])
  await room.call('contests.closeEntries', { contest })
  const { draft } = await room.call('contests.get', { contest })
  const newest = await Promise.all(
    ['rosso', 'azzurro'].map(async (name) => (await room.call('agents.get', { name })).versions[0]!.agent),
  )
  expect(draft.entrants.map(({ agent }) => agent)).toEqual(newest)
})

test('a hand-in for a contest registers the agent, where teams register; otherwise its team reads that it does not play yet', async () => {
  await as(anna, 'teams.form', { name: 'Red' })
  const entrants = []
  for (const name of ['azzurro', 'celeste']) {
    const file = { fileName: 'agent.js', content: `${sound}// ${name}\n`, game: 'haggle', wait: false }
    const { versions } = await room.submit({ ...file, becomes: { what: 'agent', name } })
    entrants.push({ name, agent: versions[0]!.agent })
  }
  const { contest } = await room.call('contests.create', {
    draft: draftOf(entrants, {
      game: 'haggle',
      config: {},
      isolation: 'none',
    }),
  })
  await room.call('deadlines.set', { contest, closes: '2026-11-25T20:00:00.000Z', late: 'closed' })
  const names = async (): Promise<readonly string[]> =>
    (await room.call('contests.get', { contest })).draft.entrants.map(({ name }) => name)
  const { title } = (await room.call('contests.get', { contest })).draft

  expect(await handIn(anna, sound, { agent: 'rosso', contest })).toMatchObject({ note: saying('rosso', title) })
  const { attempts } = await judged(anna)
  // People know a contest by its title.
  expect(attempts[0]).toMatchObject({ contest, contestTitle: title })
  expect((await room.call('agents.get', { name: 'rosso' })).versions[0]!.handIn).toMatchObject({ contestTitle: title })
  expect(await names()).toEqual(['azzurro', 'celeste'])
  await room.call('registrations.set', { contest, rule: { agentsATeam: 1, network: false } })
  await handIn(anna, `${sound}// 2\n`, { agent: 'rosso', contest })
  expect(await names()).toEqual(['azzurro', 'celeste', 'rosso'])
  // A second agent of the team does not push the first one out.
  expect(await handIn(anna, `${sound}// 3\n`, { agent: 'scarlatto', contest })).toMatchObject({
    note: saying('rosso', 'scarlatto'),
  })
  expect(await names()).toEqual(['azzurro', 'celeste', 'rosso'])
})
