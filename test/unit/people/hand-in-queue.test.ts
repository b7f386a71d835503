import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openClassFolder, type ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { addAttempt, attemptsOf } from '../../../main/administrator/people/attempts.ts'
import { closePeopleDatabase, openPeopleDatabase } from '../../../main/administrator/people/people-database.ts'
import type { Team } from '../../../main/contract/people/teams.ts'
import type { ContestEntry, StoredAgentVersion } from '../../../main/contract/procedures/classroom.ts'
import { MachineError } from '../../../main/histories/machine-error.ts'
import { beginWork } from '../../../main/app/classroom-service.ts'
import {
  closeHandIns,
  followVerdict,
  handIn,
  openHandIns,
  placeOf,
  type HandIns,
} from '../../../main/services/hand-in/class-hand-ins.ts'
import { readUnread, recoverQueue } from '../../../main/services/hand-in/left.ts'
import { candidatesDue, nextClosing } from '../../../main/services/hand-in/closings.ts'
import { keepFile, openKeptFiles } from '../../../main/services/hand-in/kept-files.ts'
import { whileArriving } from '../../../main/services/hand-in/arriving.ts'
import { openReceiptChain } from '../../../main/services/hand-in/receipt-chain.ts'
import type { Received } from '../../../main/services/hand-in/receive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const folder = temporaryFolder('hand-in-queue')
const NOW = Date.parse('2026-11-26T08:00:00.000Z')
const HOUR = 60 * 60 * 1_000
const teamOf = (name: string, digit: string): Team => ({
  ...{ id: digit.repeat(16), name, members: [digit.repeat(16)], formed: '2026-11-01T08:00:00.000Z' },
})
const [red, blue] = [teamOf('Red', '0'), teamOf('Blue', '1')]

let count = 0
let home: ClassFolder
let room: HandIns
let trial: (version: StoredAgentVersion) => Promise<void>
let fatal: unknown[]
let clock: number
const passed = (version: StoredAgentVersion): Promise<void> =>
  home.change(({ agents }) => {
    agents.find(({ hash }) => hash === version.hash)!.smoke = { ok: true, text: 'Fine.' }
  })
beforeEach(async () => {
  const data = join(folder, String(++count))
  home = await openClassFolder(data)
  await home.change(({ teams }) => void teams.push(red, blue))
  fatal = []
  clock = NOW
  trial = passed
  room = openHandIns({
    home,
    people: openPeopleDatabase(data),
    chain: openReceiptChain(data, home.key),
    kept: openKeptFiles(data),
    underway: new Set(),
    now: () => clock,
    beginningOfDay: () => 0,
    playTrial: (version) => trial(version),
    playPractice: () => Promise.reject(new Error('no practice')),
    wake: () => () => undefined,
    onChange: () => undefined,
    onFatal: (error) => fatal.push(error),
  })
})
afterEach(async () => {
  await closeHandIns(room)
  closePeopleDatabase(room.people)
  await home.close()
})

const enter = (): Promise<void> => Promise.resolve()
const give = (team: Team, text: string): Promise<Received> =>
  handIn(room, {
    file: { fileName: 'agent.js', content: Buffer.from(`module.exports = class {} // ${text}\n`) },
    ...{ game: 'haggle', team, person: null, contest: null, agent: team.name.toLowerCase() },
  })
const ended = async (): Promise<void> => {
  while (room.running !== null) await room.running
}
const statesOf = (team: Team): readonly string[] => attemptsOf(room.people, team.id).map(({ state }) => state)

test('a trial that the machine prevents costs no attempt and ends nothing: the others have their turns', async () => {
  trial = (version) =>
    version.manifest.name === 'red'
      ? Promise.reject(new MachineError('The disk is full.', '/x', 'disk-full'))
      : passed(version)
  await give(red, 'one')
  await give(blue, 'two')
  await ended()
  expect([statesOf(red), statesOf(blue), fatal, room.waiting]).toEqual([['void'], ['passed'], [], []])
  // And so does a bug of ours, which is reported.
  trial = (version) => (version.manifest.name === 'red' ? Promise.reject(new Error('a bug')) : passed(version))
  await give(red, 'three')
  await give(blue, 'four')
  await ended()
  expect([statesOf(red).at(-1), statesOf(blue).at(-1), fatal.length]).toEqual(['void', 'passed', 1])
})

test('a team is told when its trial can be expected: after those before it, by the mean of the last ones, as many at once as are played', async () => {
  const green = teamOf('Green', '2')
  await home.change(({ teams }) => void teams.push(green))
  const teams = [red, blue, green]
  for (const seconds of [2, 6]) {
    trial = (version) => {
      clock += seconds * 1_000
      return passed(version)
    }
    await give(red, `that takes ${seconds} s`)
    await ended()
  }
  const { promise, resolve } = Promise.withResolvers<undefined>()
  trial = async (version) => {
    await promise
    await passed(version)
  }
  for (const team of teams) await give(team, 'waits')
  const expected = () =>
    teams
      .map((team) => placeOf(room, team)!)
      .sort((a, b) => a.place - b.place)
      .map(({ place, expected: ms }) => [place, ms])
  expect(expected()).toEqual([
    [1, 0],
    [2, 4_000],
    [3, 8_000],
  ])
  await home.change(({ settings }) => {
    settings.trialsAtOnce = 2
  })
  expect(expected().at(-1)).toEqual([3, 4_000])
  resolve(undefined)
  await ended()
  expect(placeOf(room, red)).toBeNull()
})

test('a hand-in that was interrupted between its receipt and its version is queued when the class is opened', async () => {
  const killed = vi.spyOn(home, 'change').mockRejectedValue(new MachineError('Killed.', '/x', 'disk-full'))
  await expect(give(red, 'one')).rejects.toThrow('Killed.')
  killed.mockRestore()
  expect(statesOf(red)).toEqual(['received'])
  room = openHandIns(room)
  expect(room.waiting).toEqual([])
  await recoverQueue(room, enter)
  expect(room.waiting).toMatchObject([{ team: red.id, receipt: 1 }])
})

test('a hand-in that is completed while the class is open is entered then, and not at the next start alone', async () => {
  const entered: unknown[] = []
  await recoverQueue(room, async () => void entered.push(room.waiting.map(({ team }) => team)))
  const full = vi.spyOn(home, 'change').mockRejectedValue(new MachineError('Full.', '/x', 'disk-full'))
  await expect(give(red, 'one')).rejects.toThrow('Full.')
  full.mockRestore()
  expect(entered).toEqual([[]])
  // A receipt follows the versions of those before it.
  await give(blue, 'two')
  expect(entered).toEqual([[], [red.id]])
  await give(red, 'three')
  expect(entered).toHaveLength(2)
  await ended()
  // An error of it is reported, and refuses nobody's hand-in.
  room.enter = () => Promise.reject(new Error('a bug'))
  const again = vi.spyOn(home, 'change').mockRejectedValueOnce(new MachineError('Full.', '/x', 'disk-full'))
  await expect(give(red, 'four')).rejects.toThrow('Full.')
  again.mockRestore()
  await give(blue, 'five')
  await ended()
  expect(fatal).toMatchObject([{ message: 'a bug' }])
})

test('a hand-in that was interrupted before its receipt is read and tried when the class is opened', async () => {
  const content = Buffer.from('module.exports = class {}\n')
  const sha256 = await keepFile(room.kept, { fileName: 'agent.js', content }, red.id, [])
  const hand = { team: red.id, members: [], person: null, contest: null, game: 'haggle', file: 'agent.js' }
  addAttempt(room.people, { ...hand, sha256, at: NOW - HOUR, wish: { agent: 'red' } })
  await recoverQueue(room, enter)
  expect([room.waiting, statesOf(red)]).toEqual([[], ['received']])
  const received: string[] = []
  readUnread(room, async ({ team }, { name }) => void received.push(`${team} ${name}`))
  await room.reading
  await ended()
  expect([received, statesOf(red)]).toEqual([[`${red.id} red`], ['passed']])
  expect(home.content.agents).toMatchObject([{ submitted: new Date(NOW - HOUR).toISOString() }])
})

/** Files of a team whose reading ended with its process. */
async function leaveUnread(team: Team, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    const content = Buffer.from(`module.exports = class {} // ${text}\n`)
    const sha256 = await keepFile(room.kept, { fileName: 'agent.js', content }, team.id, [])
    const hand = { team: team.id, members: [], person: null, contest: null, game: 'haggle', file: 'agent.js' }
    addAttempt(room.people, { ...hand, sha256, at: NOW - HOUR, wish: { agent: team.name.toLowerCase() } })
  }
  await recoverQueue(room, enter)
}

test('an unexpected error with a file that was left unread is reported and keeps no other from being read', async () => {
  await leaveUnread(red, 'one')
  await leaveUnread(blue, 'two')
  readUnread(room, ({ team }) => (team === red.id ? Promise.reject(new Error('a bug')) : Promise.resolve()))
  await room.reading
  await ended()
  expect([statesOf(red), statesOf(blue), fatal.length, room.underway.size]).toEqual([['passed'], ['passed'], 1, 0])
})

test('files that are read again are tried once more after a while: one without a receipt is read, one without its version is completed', async () => {
  const woken: (() => void)[] = []
  room = openHandIns({ ...room, wake: (_, call) => (woken.push(call), () => undefined) })
  await leaveUnread(red, 'one')
  await leaveUnread(blue, 'two')
  // The class cannot be written for the first one, and no receipt can be for the second one.
  const full = vi.spyOn(home, 'change').mockImplementation(() => {
    room.chain.isBroken = true
    return Promise.reject(new MachineError('The disk is full.', '/x', 'disk-full'))
  })
  readUnread(room, () => Promise.resolve())
  await room.reading
  expect([statesOf(red), statesOf(blue), room.chain.receipts.length, fatal]).toEqual([
    ['received'],
    ['received'],
    1,
    [],
  ])
  full.mockRestore()
  room.chain.isBroken = false
  for (const call of woken.splice(0)) call()
  await expect.poll(() => [statesOf(red), statesOf(blue)]).toEqual([['passed'], ['passed']])
  expect(room.chain.receipts.map(({ b }) => b.agent)).toEqual(['red', 'blue'])
})

test('a file that is being read again when the class is closed is left unread, and that reading does not count', async () => {
  await leaveUnread(red, 'one')
  for (let times = 0; times < 4; times++) {
    readUnread(room, () => Promise.resolve())
    await closeHandIns(room)
    expect([statesOf(red), room.chain.receipts.length, fatal]).toEqual([['received'], 0, []])
    room = openHandIns(room)
    await recoverQueue(room, enter)
  }
  readUnread(room, () => Promise.resolve())
  await room.reading
  await ended()
  expect(statesOf(red)).toEqual(['passed'])
})

test('a file that has arrived counts until it is received or refused', async () => {
  const wish = { team: red, contest: 'cup-1', game: 'haggle', agent: null }
  const counted = await whileArriving(room, wish, async (at) => {
    expect(at).toBe(NOW)
    return [...room.arriving]
  })
  expect(counted).toMatchObject([{ team: red.id, contest: 'cup-1', game: 'haggle', at: NOW, receipt: null }])
  await expect(whileArriving(room, wish, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  expect(room.arriving.size).toBe(0)
})

test('trials that wait are played after a restart though a contest runs', async () => {
  trial = () => new Promise(() => undefined)
  await give(red, 'one')
  // The class is opened again; a contest resumes and does not end.
  const again = openHandIns({ ...room, playTrial: passed })
  const begun = { resume: () => Promise.resolve(), idle: () => new Promise<void>(() => undefined) }
  beginWork(
    {
      runner: { ...begun, start: () => Promise.reject(new Error('nothing to start')) },
      recurring: { start: () => Promise.resolve() },
      agents: { tryUntried: () => Promise.resolve() },
      handIns: again,
      caseDeadlines: { look: () => undefined, stop: () => undefined },
      onFatal: (error) => fatal.push(error),
    },
    null,
  )
  await expect.poll(() => statesOf(red)).toEqual(['passed'])
  expect(fatal).toEqual([])
  room = again
})

test('a trial that was void and is played again by hand judges its hand-in, and the version follows the closing time', async () => {
  trial = () => Promise.reject(new MachineError('The disk is full.', '/x', 'disk-full'))
  await give(red, 'one')
  await ended()
  expect([statesOf(red), home.content.agents[0]!.inactive]).toEqual([['void'], 'candidate'])
  await passed(home.content.agents[0]!)
  await followVerdict(room, home.content.agents[0]!)
  expect([statesOf(red), home.content.agents[0]!.inactive]).toEqual([['passed'], undefined])
})

test('a hand-in for no contest waits for the closing times of the contests that its agent is entered in', async () => {
  await give(red, 'first')
  await ended()
  const [first] = home.content.agents
  // It is in no contest, so that it is active at once.
  expect(first!.inactive).toBeUndefined()
  const entrants = [{ name: 'red', agent: first!.hash }]
  const closes = new Date(NOW + HOUR).toISOString()
  await home.change(({ contests, deadlines }) => {
    contests.push({ id: 'cup', state: 'open', description: { game: 'haggle', entrants } } as unknown as ContestEntry)
    deadlines.push({ contest: 'cup', closes, late: 'closed' })
  })
  await give(red, 'second')
  await ended()
  expect(home.content.agents.at(-1)).toMatchObject({ inactive: 'candidate', smoke: { ok: true } })
  expect(nextClosing(home.content, NOW)).toBe(NOW + HOUR)
  expect(candidatesDue(home.content, NOW + HOUR)).toEqual([])
  expect(candidatesDue(home.content, NOW + HOUR + 1)).toEqual([home.content.agents.at(-1)])
  // Nobody plays for a team without members.
  const dissolved = { ...home.content, teams: [{ ...red, members: [] }] }
  expect(candidatesDue(dissolved, NOW + HOUR + 1)).toEqual([])
  // An agent that is in no contest does not wait for one.
  await give(blue, 'third')
  await ended()
  expect(home.content.agents.at(-1)!.inactive).toBeUndefined()
})
