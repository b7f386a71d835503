import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openClassFolder, type ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import {
  addAttempt,
  attemptsOf,
  newestAttemptsOf,
  setAttempt,
  usedLateDays,
} from '../../../main/administrator/people/attempts.ts'
import { closePeopleDatabase, openPeopleDatabase } from '../../../main/administrator/people/people-database.ts'
import type { ContestEntry, StoredAgentVersion } from '../../../main/contract/procedures/classroom.ts'
import { chainFault } from '../../../main/histories/receipts.ts'
import { candidatesDue } from '../../../main/services/hand-in/closings.ts'
import { keepFile, openKeptFiles } from '../../../main/services/hand-in/kept-files.ts'
import { judgeAgain, settleLateDays } from '../../../main/services/hand-in/judge-again.ts'
import { lookForTeam, takeLook, type Looks } from '../../../main/services/hand-in/look.ts'
import { addReceipt, openReceiptChain } from '../../../main/services/hand-in/receipt-chain.ts'
import {
  attemptsToday,
  receive,
  timeVerdict,
  type Received,
  type Receiving,
} from '../../../main/services/hand-in/receive.ts'
import { completeReceived, readAgain, recoverHandIns } from '../../../main/services/hand-in/recover.ts'
import { wishPseudonym } from '../../../main/services/pseudonyms/pseudonyms.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const folder = temporaryFolder('receive')
const CLOSES = Date.parse('2026-11-30T00:00:00.000Z')
const HOUR = 60 * 60 * 1_000
const member = 'a'.repeat(16)
const team = { id: '1'.repeat(16), name: 'Red', members: [member], formed: '2026-11-01T08:00:00.000Z' }

let count = 0
let now = CLOSES
let home: ClassFolder
let room: Receiving
beforeEach(async () => {
  const data = join(folder, String(++count))
  home = await openClassFolder(data)
  await home.change(({ teams, deadlines, contests, handInRules }) => {
    teams.push(team)
    deadlines.push({ contest: 'week-1', closes: new Date(CLOSES).toISOString(), late: 'late-days' })
    const entriesUntil = new Date(CLOSES).toISOString()
    const description = { game: 'haggle' }
    contests.push({ id: 'week-1', state: 'open', entriesUntil, description } as (typeof contests)[number])
    handInRules.lateDays = 2
  })
  const chain = openReceiptChain(data, home.key)
  const kept = openKeptFiles(data, { team: 1_000, all: 1_500, free: 0 })
  const people = openPeopleDatabase(data)
  room = { home, people, chain, kept, underway: new Set(), now: () => now, beginningOfDay: () => 0 }
})
afterEach(async () => {
  closePeopleDatabase(room.people)
  await home.close()
})

const give = (at: number, text: string): Promise<Received> => {
  now = at
  return receive(room, {
    file: { fileName: 'agent.js', content: Buffer.from(`module.exports = class {} // ${text}\n`) },
    ...{ game: 'haggle', team, person: member, contest: 'week-1', agent: 'red' },
  })
}
const versions = (): StoredAgentVersion[] => home.content.agents
const set = (change: (newest: StoredAgentVersion) => void): Promise<void> =>
  home.change(({ agents }) => change(agents.at(-1)!))

test('a hand-in is judged by the time when its bytes had arrived, though another got its receipt first', async () => {
  const pending = give(CLOSES - 10_000, 'slow')
  now = CLOSES + 5_000
  const other = { team: 'Blue', agent: 'blue', version: 1, sha256: '0'.repeat(64), contest: 'week-1' }
  addReceipt(room.chain, {
    ...other,
    time: 'late',
    received: new Date(now).toISOString(),
    at: new Date(now).toISOString(),
  })
  const { receipt } = await pending
  const received = new Date(CLOSES - 10_000).toISOString()
  expect(receipt.b).toMatchObject({ n: 2, time: 'on-time', received, at: new Date(now).toISOString() })
  expect(versions()[0]).toMatchObject({ submitted: received, inactive: 'candidate', handIn: { time: 'on-time' } })
  const lines = readFileSync(room.chain.path, 'utf8').trimEnd().split('\n')
  expect(chainFault(lines, home.key.publicKey)).toBeNull()
})

test('a file that waits for room to be read is judged by the time of its arrival', async () => {
  now = CLOSES + 60_000
  const { receipt } = await receive(room, {
    file: { fileName: 'agent.js', content: Buffer.from('module.exports = class {}\n') },
    ...{ game: 'haggle', team, person: member, contest: 'week-1', agent: 'red', at: CLOSES - 1 },
  })
  expect(receipt.b).toMatchObject({ time: 'on-time', received: new Date(CLOSES - 1).toISOString() })
})

test('a team that is renamed while its file is written has its new name in the receipt; one that has gone has no version', async () => {
  const [first] = [give(CLOSES - 10, 'one')]
  await home.change(({ teams }) => void (teams[0]!.name = 'Crimson'))
  expect((await first).receipt.b.team).toBe('Crimson')
  const second = give(CLOSES - 9, 'two')
  home.content.teams.length = 0
  await expect(second).rejects.toMatchObject({ code: 'team-unknown' })
  expect(versions().map(({ submitted }) => submitted)).toEqual([new Date(CLOSES - 10).toISOString()])
  expect(attemptsOf(room.people, team.id)).toHaveLength(1)
})

test('a file that is being read while its team gets a pseudonym enters under it, as a new agent and as a version', async () => {
  await home.change(({ people, contests }) => {
    people.push({ id: member, name: 'Ada Lovelace', ids: {}, role: 'student', added: team.formed })
    contests[0]!.description.entrants = []
  })
  const first = give(CLOSES - 2 * HOUR, 'one')
  await wishPseudonym(home, member, true)
  const { name } = home.content.teams[0]!
  expect((await first).name).toBe(name)
  // The next file is a version of it, whose former names mean it too.
  await set((newest) => void (newest.formerly = ['red']))
  const second = give(CLOSES - HOUR, 'two')
  expect((await second).name).toBe(name)
  expect(versions().map(({ manifest, number }) => [manifest.name, manifest.team, number])).toEqual([
    [name, name, 1],
    [name, name, 2],
  ])
})

test('the same bytes again, too late, leave an active version as it is and use no late days', async () => {
  await give(CLOSES - HOUR, 'one')
  await set((newest) => delete newest.inactive)
  const before = structuredClone(versions()[0]!)
  const { receipt, note } = await give(CLOSES + 80 * HOUR, 'one')
  expect(receipt.b).toMatchObject({ n: 2, version: 1, time: 'kept' })
  expect(note).toMatch(/changes nothing/)
  expect(versions()).toEqual([{ ...before, handIn: { ...before.handIn, again: [2] } }])
  expect(attemptsOf(room.people, team.id).map(({ state, receipt: n }) => [state, n])).toEqual([
    ['waiting', 1],
    ['waiting', 2],
  ])
  await give(CLOSES + HOUR, 'one')
  expect(timeVerdict(room, team, 'week-1', CLOSES + HOUR)).toMatchObject({ uses: { days: 1 } })
})

test('a team does not learn which other team has the very same code', async () => {
  await give(CLOSES - 2 * HOUR, 'one')
  const blue = { ...team, id: '2'.repeat(16), name: 'Blue', members: ['b'.repeat(16)] }
  await home.change(({ teams }) => void teams.push(blue))
  const content = Buffer.from('module.exports = class {} // one\n')
  const given = { game: 'haggle', team: blue, person: 'b'.repeat(16), contest: 'week-1', agent: 'blue' } as const
  const { note } = await receive(room, { file: { fileName: 'agent.js', content }, ...given })
  expect(note ?? '').not.toMatch(/red|same bytes/i)
})

/** Hand-ins with a state that the class remembers from the last minutes. */
function remember(
  state: 'received' | 'refused',
  count: number,
  by: { readonly team: string; readonly person: string },
): void {
  for (let n = 0; n < count; n++) {
    const kept = { ...by, members: [by.person], contest: null, game: 'haggle', file: 'a.js', sha256: 'f'.repeat(64) }
    const id = addAttempt(room.people, { ...kept, at: now - n, wish: { agent: null } })
    if (state === 'refused') setAttempt(room.people, id, state, 'No.')
    else room.underway.add(id)
  }
}
const [otherTeam, mate] = ['9'.repeat(16), 'd'.repeat(16)]

test.each([
  ['the person in another team', { team: otherTeam, person: member }],
  ['the team by another member', { team: team.id, person: mate }],
])('refused files have a limit in an hour, and files that are read have one, also by %s', async (_, by) => {
  now = CLOSES - HOUR
  remember('refused', 19, by)
  await give(CLOSES - HOUR, 'one')
  remember('refused', 1, by)
  await expect(give(CLOSES - HOUR, 'two')).rejects.toMatchObject({ code: 'limit-reached' })
  await give(CLOSES + HOUR, 'two')
  remember('received', 1, by)
  await give(CLOSES + HOUR, 'three')
  remember('received', 1, by)
  await expect(give(CLOSES + HOUR, 'four')).rejects.toMatchObject({ code: 'busy' })
  expect(versions()).toHaveLength(3)
})

test('the room on the disk is one of the person, too, and refused files give it back after a week', async () => {
  const file = { fileName: 'a.js', content: Buffer.alloc(900, 'x') }
  const sha256 = await keepFile(room.kept, file, otherTeam, [])
  const hand = { team: otherTeam, person: member, members: [member], contest: null, game: 'haggle', file: 'a.js' }
  setAttempt(
    room.people,
    addAttempt(room.people, { ...hand, sha256, at: CLOSES, wish: { agent: null } }),
    'refused',
    'No.',
  )
  await expect(give(CLOSES, 'y'.repeat(100))).rejects.toMatchObject({ code: 'limit-reached' })
  now = CLOSES + 6 * 24 * HOUR
  await recoverHandIns(room)
  expect(readdirSync(room.kept.folder)).toEqual([sha256])
  now = CLOSES + 8 * 24 * HOUR
  await recoverHandIns(room)
  expect(readdirSync(room.kept.folder)).toEqual([])
  await give(CLOSES, 'y'.repeat(100))
})

test('whoever goes to another team has no more looks', async () => {
  const looks: Looks = new Map()
  const most = home.content.handInRules.quotas.looksAnHour
  for (let n = 0; n < most; n++) takeLook(looks, [member], CLOSES, most)
  const content = Buffer.from('module.exports = class {}\n')
  const look = (person: string) =>
    lookForTeam(
      { home, looks, now: () => CLOSES },
      {
        file: { fileName: 'agent.js', content },
        ...{ game: 'haggle', team, person, contest: null, agent: 'red' },
      },
    )
  await expect(look(member)).rejects.toMatchObject({ code: 'limit-reached' })
  expect(await look(mate)).toMatchObject({ left: most - 1 })
})

test('late days that were used stay used when the same bytes are handed in again', async () => {
  await give(CLOSES + HOUR, 'one')
  await give(CLOSES + 2 * HOUR, 'two')
  await give(CLOSES + 80 * HOUR, 'one')
  // One of two is used: the second day of this contest is the last one.
  expect(timeVerdict(room, team, 'week-1', CLOSES + 25 * HOUR)).toMatchObject({ is: 'late', uses: { days: 1 } })
  expect(timeVerdict(room, team, 'week-1', CLOSES + 3 * HOUR)).toMatchObject({ is: 'late', uses: null })
  expect(timeVerdict(room, team, 'week-1', CLOSES + 49 * HOUR)).toMatchObject({ is: 'kept' })
  expect(versions().map(({ number, handIn }) => [number, handIn?.time])).toEqual([
    [1, 'late'],
    [2, 'late'],
  ])
})

test.each([
  ['its entries are closed', /entries/, (entry: ContestEntry) => void delete entry.entriesUntil],
  ['it waits for the cores', /begun/, (entry: ContestEntry) => void Object.assign(entry, { goesOn: true })],
  ['it has ended', /ended/, (entry: ContestEntry) => void Object.assign(entry, { state: 'ended' })],
  ['it was cancelled', /cancelled/, (entry: ContestEntry) => void Object.assign(entry, { state: 'cancelled' })],
  [
    'it has begun and was paused',
    /begun/,
    () => void mkdirSync(join(home.folder, 'contests', 'week-1'), { recursive: true }),
  ],
])('a hand-in for a contest is kept, uses no late day and says why, when %s', async (_, words, how) => {
  await home.change(({ contests }) => how(contests.find(({ id }) => id === 'week-1')!))
  for (const at of [CLOSES - HOUR, CLOSES + HOUR]) {
    const { receipt, time } = await give(at, String(at))
    expect(receipt.b.time).toBe('kept')
    expect(time).toMatch(words)
  }
  expect(versions().map(({ inactive }) => inactive)).toEqual(['kept', 'kept'])
  expect(usedLateDays(room.people)).toEqual([])
})

test.each(['withdrawn', 'paused'] as const)(
  'a version that is %s stays so when it is handed in again',
  async (state) => {
    await give(CLOSES - 2 * HOUR, 'one')
    await set((newest) => (newest.inactive = state))
    const { note } = await give(CLOSES - HOUR, 'one')
    expect(note).toContain(`stays ${state}`)
    expect(versions()).toMatchObject([{ inactive: state, handIn: { receipt: 1, again: [2] } }])
  },
)

test('an older version that is handed in again on time is the newest one; one that was too late gets the better time', async () => {
  await give(CLOSES - 3 * HOUR, 'one')
  await give(CLOSES - 2 * HOUR, 'two')
  await give(CLOSES - HOUR, 'one')
  expect(versions().map(({ number, submitted }) => [number, submitted])).toEqual([
    [2, new Date(CLOSES - 2 * HOUR).toISOString()],
    [1, new Date(CLOSES - HOUR).toISOString()],
  ])
  await give(CLOSES + 80 * HOUR, 'three')
  expect(versions().at(-1)).toMatchObject({ number: 3, inactive: 'kept' })
  await home.change(({ extensions }) => {
    const until = new Date(CLOSES + 90 * HOUR).toISOString()
    const of = { who: 'team', team: team.id } as const
    extensions.push({ of, contest: 'week-1', until, reason: 'ill', by: null, at: until })
  })
  await give(CLOSES + 81 * HOUR, 'three')
  expect(versions().at(-1)).toMatchObject({
    number: 3,
    inactive: 'candidate',
    handIn: { receipt: 5, again: [4], time: 'on-time' },
  })
})

test('the files of a team, and of the class, have a limit; what is refused changes nothing', async () => {
  const one = 'x'.repeat(900)
  await give(CLOSES - 3 * HOUR, one)
  await expect(give(CLOSES - 2 * HOUR, 'y'.repeat(100))).rejects.toMatchObject({ code: 'limit-reached' })
  expect(attemptsOf(room.people, team.id)).toHaveLength(1)
  expect(versions()).toHaveLength(1)
  expect([...room.kept.sizes.keys()]).toEqual(readdirSync(room.kept.folder))
  // Another team has room for its own, until the class has none.
  const blue = { ...team, id: '2'.repeat(16), name: 'Blue' }
  await home.change(({ teams }) => void teams.push(blue))
  const giveBlue = (text: string): Promise<Received> =>
    receive(room, {
      file: { fileName: 'agent.js', content: Buffer.from(`module.exports = class {} // ${text}\n`) },
      ...{ game: 'haggle', team: blue, person: null, contest: null, agent: 'blau' },
    })
  await giveBlue('z'.repeat(400))
  await expect(giveBlue('z'.repeat(200))).rejects.toMatchObject({ code: 'limit-reached' })
  // Opened again, the sizes are those of the files.
  expect(new Map(openKeptFiles(home.folder).sizes)).toEqual(room.kept.sizes)
})

test('two hand-ins at once do not share the last attempt of the day', async () => {
  await home.change(({ handInRules }) => void (handInRules.attemptsADay = 1))
  const results = await Promise.allSettled([give(CLOSES - HOUR, 'one'), give(CLOSES - HOUR, 'two')])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'attempts-used' } })
  expect(versions()).toHaveLength(1)
  expect(
    attemptsOf(room.people, team.id)
      .map(({ state }) => state)
      .toSorted(),
  ).toEqual(['refused', 'waiting'])
})

test('nobody has more attempts by going to another team, and the others of that team keep theirs', async () => {
  const other = 'b'.repeat(16)
  await home.change(({ handInRules }) => void (handInRules.attemptsADay = 1))
  await give(CLOSES - HOUR, 'one')
  const next = { ...team, id: '3'.repeat(16), name: 'Third', members: [member, other] }
  await home.change(({ teams }) => void teams.push(next))
  const giveNext = (person: string): Promise<Received> =>
    receive(room, {
      file: { fileName: 'agent.js', content: Buffer.from('module.exports = class {} // next\n') },
      ...{ game: 'haggle', team: next, person, contest: null, agent: 'next' },
    })
  await expect(giveNext(member)).rejects.toMatchObject({ code: 'attempts-used' })
  expect(attemptsToday(room, next, other)).toEqual({ used: 0, left: 1 })
  await giveNext(other)
  // Those who were in the team when it handed in take its attempt along, too.
  expect(attemptsToday(room, { ...team, id: '4'.repeat(16), members: [other] }, other)).toEqual({ used: 1, left: 0 })
})

test('a version whose receipt was written and which was not is completed while the class is open', async () => {
  const { change } = home
  home.change = async (edit) => {
    const draft = structuredClone(home.content)
    await edit(draft)
    if (draft.agents.length > home.content.agents.length) throw new Error('the disk is full')
    return change(edit)
  }
  await expect(give(CLOSES - HOUR, 'one')).rejects.toThrow('full')
  expect([versions().length, room.chain.receipts.length]).toEqual([0, 1])
  home.change = change
  expect(await completeReceived(room)).toMatchObject([{ team: team.id, receipt: 1 }])
  expect(versions()).toMatchObject([{ handIn: { receipt: 1 }, inactive: 'candidate' }])
  expect(attemptsOf(room.people, team.id)).toMatchObject([{ state: 'waiting', receipt: 1 }])
  expect(await completeReceived(room)).toEqual([])
})

/** A file whose reading ended with its process. */
async function leaveUnread(text: string, at: number): Promise<void> {
  const content = Buffer.from(text)
  const sha256 = await keepFile(room.kept, { fileName: 'agent.js', content }, team.id, [])
  const hand = { team: team.id, members: [member], person: member, contest: 'week-1', game: 'haggle', file: 'agent.js' }
  addAttempt(room.people, { ...hand, sha256, at, wish: { agent: 'red', policies: ['01*'], note: 'slower' } })
}

test('a file that was in time is so though the process was killed before its receipt', async () => {
  await leaveUnread('module.exports = class {}\n', CLOSES - 1)
  // The plan of a receipt that was not given; another hand-in has its number by now.
  room.people.database.exec('UPDATE attempt SET receipt = 1')
  now = CLOSES + 80 * HOUR
  const { completed, unread } = await recoverHandIns(room)
  expect([completed.length, unread.length]).toEqual([0, 1])
  await give(CLOSES + 80 * HOUR, 'meanwhile')
  // Neither a hand-in nor the recovery of one voids what is being read.
  expect(await completeReceived(room)).toEqual([])
  const body = { n: 2, agent: 'red', version: 2, time: 'on-time', received: new Date(CLOSES - 1).toISOString() }
  expect(await readAgain(room, unread[0]!)).toMatchObject({ receipt: { b: body } })
  expect(versions().find(({ handIn }) => handIn?.receipt === 2)).toMatchObject({
    submitted: new Date(CLOSES - 1).toISOString(),
    manifest: { policies: ['01*'] },
    handIn: { by: member, note: 'slower' },
  })
  expect(attemptsOf(room.people, team.id).map(({ state, receipt }) => [state, receipt])).toEqual([
    ['waiting', 2],
    ['waiting', 1],
  ])
  expect(room.underway.size).toBe(0)
})

test('a file that is read again after a newer one was received stays the older one, and the newer one plays', async () => {
  await leaveUnread('module.exports = class {} // older\n', CLOSES - 2 * HOUR)
  const { unread } = await recoverHandIns(room)
  await give(CLOSES - HOUR, 'newer')
  await readAgain(room, unread[0]!)
  await home.change(({ agents }) => agents.forEach((each) => void (each.smoke = { ok: true, text: 'Fine.' })))
  expect(versions().map(({ handIn }) => handIn?.receipt)).toEqual([2, 1])
  expect(candidatesDue(home.content, CLOSES + 1)).toEqual([versions()[1]])
})

test('a file that is read again does not take back the time of the same bytes, which were handed in again meanwhile', async () => {
  await leaveUnread('module.exports = class {} // one\n', CLOSES - 3 * HOUR)
  const { unread } = await recoverHandIns(room)
  await give(CLOSES - 2 * HOUR, 'two')
  await give(CLOSES - HOUR, 'one')
  await readAgain(room, unread[0]!)
  const times = [new Date(CLOSES - 2 * HOUR).toISOString(), new Date(CLOSES - HOUR).toISOString()]
  expect(versions().map(({ submitted }) => submitted)).toEqual(times)
  expect(versions()[1]).toMatchObject({ handIn: { receipt: 2, again: [3] } })
  // One that was in time counts, though the same bytes came too late meanwhile.
  await leaveUnread('module.exports = class {} // three\n', CLOSES - 90 * 60_000)
  const [left] = (await recoverHandIns(room)).unread
  await give(CLOSES + 80 * HOUR, 'three')
  await readAgain(room, left!)
  expect(versions().map(({ number }) => number)).toEqual([1, 3, 2])
  expect(versions()[1]).toMatchObject({ inactive: 'candidate', handIn: { receipt: 5, again: [4], time: 'on-time' } })
})

test('a file of the only agent of its team is read again as a version of that agent, though the team has two by then', async () => {
  await give(CLOSES - 3 * HOUR, 'one')
  const given = { game: 'haggle', team, person: member, contest: null } as const
  const content = Buffer.from('module.exports = class {} // two\n')
  // Its process is killed while it waits for room.
  const { promise: killed, resolve } = Promise.withResolvers<undefined>()
  const inRoom = (): Promise<never> => (resolve(undefined), new Promise<never>(() => undefined))
  void receive(room, { ...given, file: { fileName: 'agent.js', content }, agent: null, inRoom })
  await killed
  room.underway.clear()
  const other = Buffer.from('module.exports = class {} // other\n')
  await receive(room, { ...given, file: { fileName: 'other.js', content: other }, agent: 'other' })
  const { unread } = await recoverHandIns(room)
  expect(await readAgain(room, unread[0]!)).toMatchObject({ receipt: { b: { agent: 'red', version: 2 } } })
})

test('a file that ends the process each time it is read is void after the third, and one that cannot be an agent is refused', async () => {
  await leaveUnread('module.exports = class {}\n', CLOSES - 1)
  for (let kills = 0; kills < 3; kills++) room.people.database.exec('UPDATE attempt SET readings = readings + 1')
  await leaveUnread('', CLOSES - 1)
  const { unread } = await recoverHandIns(room)
  for (const left of unread) expect(await readAgain(room, left)).toBe('ended')
  expect(attemptsOf(room.people, team.id).map(({ state }) => state)).toEqual(['void', 'refused'])
  expect([versions().length, room.chain.receipts.length]).toEqual([0, 0])
})

test.each([
  ['the disk', { isBroken: true }, { isBroken: false }],
  ['the damaged chain of receipts', { isDamaged: true }, { isDamaged: false }],
])(
  'a file that %s kept from being read again stays unread, however often, and is in time later',
  async (_, on, off) => {
    await leaveUnread('module.exports = class {}\n', CLOSES - 1)
    now = CLOSES + 80 * HOUR
    Object.assign(room.chain, on)
    for (let times = 0; times < 4; times++) {
      const { unread } = await recoverHandIns(room)
      expect(await readAgain(room, unread[0]!)).toBe('left')
      // The next hand-in does not void it.
      expect(await completeReceived(room)).toEqual([])
      expect(attemptsOf(room.people, team.id)).toMatchObject([{ state: 'received', receipt: null }])
    }
    Object.assign(room.chain, off)
    const body = { n: 1, time: 'on-time', received: new Date(CLOSES - 1).toISOString() }
    const { unread } = await recoverHandIns(room)
    expect(await readAgain(room, unread[0]!)).toMatchObject({ receipt: { b: body } })
    expect([versions().length, room.underway.size]).toEqual([1, 0])
  },
)

const extend = (until: number): Promise<void> =>
  home.change(({ extensions }) => {
    const of = { who: 'person', person: member } as const
    const at = new Date(now).toISOString()
    extensions.push({ of, contest: 'week-1', until: new Date(until).toISOString(), reason: 'ill', by: null, at })
  })

test('more time counts for what was handed in before it was granted: a kept version is a candidate, late days come back', async () => {
  await give(CLOSES + HOUR, 'late')
  await give(CLOSES + 80 * HOUR, 'kept')
  await give(CLOSES + 90 * HOUR, 'kept, too')
  expect(versions().map(({ inactive, handIn }) => [inactive, handIn?.time])).toEqual([
    ['candidate', 'late'],
    ['kept', 'kept'],
    ['kept', 'kept'],
  ])
  await extend(CLOSES + 60 * HOUR)
  // The second one is a day late now, which the team has; the third would need two.
  expect((await judgeAgain(room, 'week-1')).map(({ number }) => number)).toEqual([2, 3])
  expect(versions().map(({ inactive, handIn }) => [inactive, handIn?.time, handIn?.uses?.days])).toEqual([
    ['candidate', 'on-time', undefined],
    ['candidate', 'late', 1],
    ['candidate', 'late', 1],
  ])
  expect(usedLateDays(room.people)).toMatchObject([
    { receipt: 2, days: 1 },
    { receipt: 3, days: 1 },
  ])
  await extend(CLOSES + 90 * HOUR)
  expect(await judgeAgain(room, 'week-1')).toEqual([])
  expect(versions().map(({ handIn }) => handIn?.time)).toEqual(['on-time', 'on-time', 'on-time'])
  expect(usedLateDays(room.people)).toEqual([])
  // Receipts are not rewritten.
  expect(room.chain.receipts.map(({ b }) => b.time)).toEqual(['late', 'kept', 'kept'])
})

test('a shorter time makes nothing worse, and a process that is killed after the class was written loses no late day', async () => {
  await give(CLOSES + 80 * HOUR, 'kept')
  await extend(CLOSES + 90 * HOUR)
  await judgeAgain(room, 'week-1')
  await extend(CLOSES)
  expect(await judgeAgain(room, 'week-1')).toEqual([])
  expect(versions()).toMatchObject([{ inactive: 'candidate', handIn: { time: 'on-time' } }])
  await give(CLOSES + HOUR, 'late')
  await home.change(({ agents }) => {
    const late = agents.find(({ handIn }) => handIn?.receipt === 2)!.handIn!
    delete late.uses
    late.time = 'on-time'
  })
  settleLateDays(room)
  expect(usedLateDays(room.people)).toEqual([])
})

test('what was withdrawn or is paused stays so, and a contest that has begun takes nothing more', async () => {
  await give(CLOSES + 80 * HOUR, 'one')
  await set((newest) => (newest.inactive = 'withdrawn'))
  await give(CLOSES + 81 * HOUR, 'two')
  await extend(CLOSES + 90 * HOUR)
  await home.change(({ contests }) => void delete contests[0]!.entriesUntil)
  expect(await judgeAgain(room, 'week-1')).toEqual([])
  await home.change(({ contests }) => void (contests[0]!.entriesUntil = new Date(CLOSES).toISOString()))
  expect((await judgeAgain(room, 'week-1')).map(({ number }) => number)).toEqual([2])
  expect(versions()).toMatchObject([{ inactive: 'withdrawn', handIn: { time: 'on-time' } }, { inactive: 'candidate' }])
})

test('the hand-ins of a team are paged, the newest first', async () => {
  now = CLOSES
  remember('refused', 5, { team: team.id, person: member })
  remember('refused', 1, { team: otherTeam, person: member })
  const page = (before: number | null): readonly number[] =>
    newestAttemptsOf(room.people, team.id, before, 3).map(({ id }) => id)
  expect([page(null), page(3), page(1)]).toEqual([[5, 4, 3], [2, 1], []])
})
