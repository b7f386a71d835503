import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { storeAgent } from '../../../main/administrator/classroom/agents.ts'
import { openClassFolder, type ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { addAttempt, setAttempt } from '../../../main/administrator/people/attempts.ts'
import type { StoredPractice } from '../../../main/administrator/people/practice-matches.ts'
import { closePeopleDatabase, openPeopleDatabase } from '../../../main/administrator/people/people-database.ts'
import { PRACTICE_KEPT } from '../../../main/contract/people/practice.ts'
import type { Team } from '../../../main/contract/people/teams.ts'
import { MachineError } from '../../../main/histories/machine-error.ts'
import {
  closeHandIns,
  openHandIns,
  placeOf,
  playWaiting,
  practise,
  type HandIns,
  type HandInsOptions,
} from '../../../main/services/hand-in/class-hand-ins.ts'
import { openKeptFiles } from '../../../main/services/hand-in/kept-files.ts'
import { practiceHistory, practiceToday, practiceView } from '../../../main/services/hand-in/practice.ts'
import { openReceiptChain } from '../../../main/services/hand-in/receipt-chain.ts'
import { beginPractice, practiceOfTeam } from '../../../main/services/homes/practice-choices.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const folder = temporaryFolder('practice')
const DAY = 86_400_000
const NOW = Date.parse('2026-11-26T08:00:00.000Z')
const [anna, bruno] = ['a'.repeat(16), 'b'.repeat(16)]
const teamOf = (name: string, digit: string, members: string[]): Team => ({
  ...{ id: digit.repeat(16), name, members, formed: '2026-11-01T08:00:00.000Z' },
})
const [red, blue] = [teamOf('Red', '0', [anna]), teamOf('Blue', '1', [bruno])]

let count = 0
let now: number
let home: ClassFolder
let room: HandIns
let play: HandInsOptions['playPractice']
const options = (): HandInsOptions => ({
  ...{ home, people: openPeopleDatabase(home.folder), chain: openReceiptChain(home.folder, home.key) },
  ...{ kept: openKeptFiles(home.folder), underway: new Set(), now: () => now, beginningOfDay: (at) => at - (at % DAY) },
  playTrial: () => Promise.resolve(),
  playPractice: (...given) => play(...given),
  wake: () => () => undefined,
  onChange: () => undefined,
  onFatal: (error) => expect.unreachable(String(error)),
})
/** Packages of red's walker, versions 1 and 2, and of blue's azzurro. */
let first: string
let second: string
let foreign: string
beforeEach(async () => {
  now = NOW
  home = await openClassFolder(join(folder, String(++count)))
  const store = async (text: string): Promise<string> =>
    (await storeAgent(home.folder, { kind: 'script', bytes: Buffer.from(`module.exports = class {} // ${text}\n`) }))
      .agent
  first = await store('1')
  second = await store('2')
  foreign = await store('blue')
  await home.change((content) => {
    content.teams.push(red, blue)
    content.handInRules.practiceADay = 2
    const more = { submitted: '2026-11-20T08:00:00.000Z', smoke: null }
    const manifest = { game: 'haggle', kind: 'script' } as const
    content.agents.push(
      { hash: first, manifest: { ...manifest, name: 'walker' }, owner: red.id, number: 1, ...more },
      { hash: second, manifest: { ...manifest, name: 'walker' }, owner: red.id, number: 2, ...more },
      { hash: foreign, manifest: { ...manifest, name: 'azzurro' }, owner: blue.id, number: 1, ...more },
    )
  })
  play = async (_, __, { exportTo }) => {
    writeFileSync(exportTo.path, 'a history')
    return { ok: true, text: 'It played.' }
  }
  room = openHandIns(options())
})
afterEach(async () => {
  await closeHandIns(room)
  closePeopleDatabase(room.people)
  await home.close()
})

const ended = async (): Promise<void> => {
  while (room.running !== null) await room.running
}
const wish = (more: object = {}) => ({
  ...{ person: anna, game: 'haggle', agent: 'walker', version: second, number: 2 },
  ...{ opponent: first, against: 'walker, version 1', contest: null },
  ...more,
})
const sources = () => ({
  ...{ home, handIns: room },
  contests: { complete: () => Promise.reject(new Error('no contest')), hasPerson: () => false },
})
const begin = (team: Team, name: string, agent: string, opponent: string): Promise<number> =>
  beginPractice(sources(), team, { person: team.members[0]!, name, agent, opponent }, () => true)

test('matches count against the budget of the day, of the team and of the person, and the next day begins anew', async () => {
  practise(room, red, wish())
  practise(room, red, wish())
  await ended()
  expect(practiceToday(room, red, anna)).toEqual({ used: 2, left: 0, perDay: 2 })
  expect(() => practise(room, red, wish())).toThrow(refusal('attempts-used'))
  // Going to another team gives nobody more; the others of that team have theirs.
  expect(practiceToday(room, blue, anna)).toMatchObject({ left: 0 })
  expect(() => practise(room, blue, wish({ person: anna }))).toThrow(refusal('attempts-used'))
  expect(practiceToday(room, blue, bruno)).toMatchObject({ left: 2 })
  now += DAY
  expect(practiceToday(room, red, anna)).toMatchObject({ left: 2 })
  await home.change(({ handInRules }) => void (handInRules.practiceADay = 0))
  expect(() => practise(room, red, wish())).toThrow(refusal('attempts-used'))
})

test('a match that this machine does not play costs nothing, and one at fault counts', async () => {
  play = () => Promise.reject(new MachineError('The disk is full.', '/x', 'disk-full'))
  practise(room, red, wish())
  await ended()
  expect(practiceView(room, red)).toMatchObject([{ state: 'void', isKept: false }])
  expect(practiceToday(room, red, anna)).toMatchObject({ used: 0 })
  play = () => Promise.resolve({ ok: false, text: 'Line 3: x is not defined.' })
  practise(room, red, wish())
  await ended()
  expect(practiceView(room, red)[0]).toMatchObject({ state: 'failed', text: 'Line 3: x is not defined.' })
  expect(practiceToday(room, red, anna)).toMatchObject({ used: 1 })
})

test('a team chooses among its own versions and agents that ship; those of others do not exist', async () => {
  const { agents } = await practiceOfTeam(sources(), red, anna, () => true)
  expect(agents).toMatchObject([{ agent: 'walker', versions: [{ agent: second }, { agent: first }] }])
  const labels = agents[0]!.opponents.map(({ label }) => label)
  expect(labels).toContain('baby')
  expect(labels.slice(-2)).toEqual(['walker, version 2', 'walker, version 1'])
  expect(JSON.stringify(agents)).not.toContain(foreign)

  const absent = await begin(red, 'walker', second, 'f'.repeat(64)).catch((error: unknown) => error)
  const others = await begin(red, 'walker', second, foreign).catch((error: unknown) => error)
  expect(absent).toEqual(refusal('agent-unknown'))
  expect(others).toEqual(absent)
  await expect(begin(red, 'azzurro', foreign, first)).rejects.toThrow(refusal('agent-version-unknown', 'azzurro'))
  await home.change(({ agents: all }) => void (all[1]!.inactive = 'paused'))
  await expect(begin(red, 'walker', second, first)).rejects.toThrow(refusal('agent-version-unknown', 'walker'))
  expect(practiceView(room, red)).toEqual([])
  const id = await begin(red, 'walker', first, agents[0]!.opponents[0]!.agent)
  await ended()
  expect(practiceView(room, red)).toMatchObject([{ id, version: 1, against: labels[0], state: 'played', isKept: true }])
})

test('the history is for its team alone, and the newest ones are kept', async () => {
  await home.change(({ handInRules }) => void (handInRules.practiceADay = 100))
  const id = practise(room, red, wish())
  await ended()
  expect(existsSync(practiceHistory(room, red, id))).toBe(true)
  expect(() => practiceHistory(room, blue, id)).toThrow(refusal('match-unknown'))
  expect(practiceView(room, blue)).toEqual([])
  const path = practiceHistory(room, red, id)
  for (let more = 0; more < PRACTICE_KEPT; more++) practise(room, red, wish())
  await ended()
  expect(() => practiceHistory(room, red, id)).toThrow(refusal('match-unknown'))
  await vi.waitFor(() => expect(existsSync(path)).toBe(false))
  expect(practiceView(room, red)).toHaveLength(PRACTICE_KEPT)
})

test('teams take turns, a team’s hand-ins come first, and matches that wait are played after a restart', async () => {
  await home.change(({ handInRules }) => void (handInRules.practiceADay = 100))
  const order: string[] = []
  const gates: (() => void)[] = []
  play = async ({ team, id }: StoredPractice) => {
    order.push(`${team === red.id ? 'red' : 'blue'} ${id}`)
    await new Promise<void>((resolve) => gates.push(resolve))
    return { ok: true, text: '' }
  }
  const [one, two] = [practise(room, red, wish()), practise(room, red, wish())]
  const three = practise(room, blue, wish({ person: bruno, agent: 'azzurro', version: foreign, number: 1 }))
  const file = { file: 'a.js', sha256: '0'.repeat(64), at: NOW, game: 'haggle', wish: { agent: null } }
  const attempt = addAttempt(room.people, { team: red.id, members: [], person: null, contest: null, ...file })
  room.people.database.prepare('UPDATE attempt SET receipt = 1 WHERE id = ?').run(attempt)
  setAttempt(room.people, attempt, 'waiting')
  room.waiting.push({ id: attempt, team: red.id, receipt: 1 })
  // After blue's turn, and before the other practice of red.
  expect(placeOf(room, red)).toMatchObject({ attempt, place: 2 })
  for (let played = 1; played <= 2; played++) {
    await vi.waitFor(() => expect(gates).toHaveLength(played))
    if (played === 1) gates[0]!()
  }
  expect(order).toEqual([`red ${one}`, `blue ${three}`])
  // The class is closed while blue plays: red's second one waits for the next start.
  room.closed = true
  play = () => Promise.resolve({ ok: true, text: 'After a restart.' })
  const closing = closeHandIns(room)
  gates[1]!()
  await closing
  closePeopleDatabase(room.people)
  room = openHandIns(options())
  playWaiting(room)
  await ended()
  expect(practiceView(room, red)[0]).toMatchObject({ id: two, state: 'played', text: 'After a restart.' })
})
