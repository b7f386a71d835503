import { afterEach, beforeEach, expect, test } from 'vitest'
import { addAttempt, setAttempt } from '../../../main/administrator/people/attempts.ts'
import { audit, keepPassword } from '../../../main/administrator/people/accounts.ts'
import { closePeopleDatabase } from '../../../main/administrator/people/people-database.ts'
import { keepCodes } from '../../../main/administrator/people/one-time-codes.ts'
import { beginSession } from '../../../main/administrator/people/sessions.ts'
import { educatorHome } from '../../../main/app/educator-home.ts'
import { firstSteps } from '../../../main/contract/people/first-steps.ts'
import { classroom, type Classroom } from '../../../main/contract/procedures/classroom.ts'
import { sampleTitles } from '../../../main/services/contests/descriptions/sample-class.ts'
import { HOUR, openTestClass, person, START, type TestClass } from '../accounts/class.ts'

type HomeRooms = Parameters<typeof educatorHome>[0]

const at = (ms: number): string => new Date(START + ms).toISOString()
const id = (n: number): string => n.toString(16).padStart(16, '0')
const entry = (contest: string, title: string, more: object = {}): unknown => ({
  ...{ id: contest, state: 'open', description: { title, entrants: [] } },
  ...more,
})

let accounts: TestClass
let content: Classroom
let rooms: HomeRooms
beforeEach(() => {
  accounts = openTestClass([])
  content = classroom.parse({ format: 'tartaglia-class/4', agents: [], contests: [] })
  Object.assign(accounts.home, { content })
  rooms = {
    home: { content, folder: import.meta.dirname } as HomeRooms['home'],
    accounts,
    handIns: {
      chain: { path: '', key: null!, receipts: [], length: 0, isBroken: false, isDamaged: false, notices: [] },
      ...{ durations: [], now: () => accounts.time, waiting: [] },
    },
    pages: { active: async () => [] },
    reruns: { list: () => [] },
    clock: { zone: () => 'UTC' },
    updates: { sentences: () => ['Tartaglia 9.0.0 is out.'] },
  }
})
afterEach(() => closePeopleDatabase(accounts.people))

function attempt(team: string, reason: string | null): number {
  const file = { file: 'agent.js', sha256: '0'.repeat(64), at: accounts.time, wish: { agent: null } }
  const made = addAttempt(accounts.people, {
    team,
    members: [],
    person: null,
    contest: 'week-1',
    game: 'haggle',
    ...file,
  })
  setAttempt(accounts.people, made, reason === null ? 'passed' : 'failed', reason)
  return made
}

test('each first step is done by the state of the class, and the sample contests are not one', async () => {
  const done = async (): Promise<readonly string[]> => (await educatorHome(rooms)).done
  for (const title of sampleTitles) content.contests.push(entry('s', title) as (typeof content.contests)[number])
  expect(await done()).toEqual([])
  const steps: readonly (() => void)[] = [
    () => (content.settings.school = 'Algebra, autumn'),
    () => content.people.push(person('a', 'Ada')),
    () => (rooms = { ...rooms, network: { state: () => ({ isOpen: true }) as never } }),
    () => (content.settings.game = 'haggle'),
    () => (content.settings.kitGiven = true),
    () => content.contests.push(entry('week-1', 'Week 1') as (typeof content.contests)[number]),
    () => content.deadlines.push({ contest: 'week-1', closes: at(HOUR), late: 'closed' }),
  ]
  for (const [n, step] of steps.entries()) {
    step()
    expect(await done()).toEqual(firstSteps.slice(0, n + 1))
  }
  // The class is closed after the lesson: whoever has signed in was let in once.
  rooms = { ...rooms, network: { state: () => ({ isOpen: false, last: null }) } }
  expect(await done()).not.toContain('network')
  keepPassword(accounts, person('a', '').id, 'hash')
  expect(await done()).toContain('network')
})

test('students by their access, the newest hand-in of a team, and what it failed on', async () => {
  const [none, coded, signed, asking, left] = [
    person('1', 'Nil'),
    person('2', 'Code'),
    person('3', 'Ada'),
    person('4', 'Wants In', { asking: true }),
    person('5', 'Left', { removed: at(0) }),
  ] as const
  content.people.push(none, coded, signed, asking, left, person('6', 'Helper', { role: 'assistant' }))
  keepCodes(accounts.people, [{ person: coded.id, code: 'X', hash: 'h' }], new Date(START))
  keepPassword(accounts, signed.id, 'hash')
  beginSession(accounts.people, { person: signed.id, kind: 'browser', address: '', agent: '' }, START)
  const red = { id: id(1), name: 'Red', members: [signed.id], formed: at(0) }
  content.teams.push(
    red,
    { id: id(2), name: 'Blue', members: [none.id], formed: at(0) },
    { ...red, id: id(3), members: [] },
  )
  attempt(red.id, null)
  attempt(red.id, `It broke: ${'x'.repeat(1_000)}`)
  content.agents.push({ owner: red.id, smoke: { ok: true, text: '' }, handIn: { contest: 'week-1' } } as never)
  const home = await educatorHome(rooms)
  expect(home.students).toEqual([
    { person: signed.id, name: 'Ada', team: red.id, access: 'account', seen: at(0) },
    { person: coded.id, name: 'Code', team: null, access: 'code', seen: null },
    { person: none.id, name: 'Nil', team: id(2), access: 'no-code', seen: null },
  ])
  expect(home.asking).toEqual([{ person: asking.id, name: 'Wants In', since: asking.added }])
  expect(home.teams).toMatchObject([
    { name: 'Red', hasWorking: true, last: { state: 'failed', contest: 'week-1', file: 'agent.js' } },
    { name: 'Blue', hasWorking: false, last: null },
  ])
  expect(home.teams[0]!.last!.reason).toMatch(/^It broke: x+…$/)
  expect(home.teams[0]!.last!.reason).toHaveLength(300)
})

test('deadlines with the extensions in force, what begins next, the queue and damage', async () => {
  const ada = person('a', 'Ada')
  content.people.push(ada)
  const red = { id: id(1), name: 'Red', members: [ada.id], formed: at(0) }
  content.teams.push(red)
  const contests = [
    entry('late', 'Later'),
    entry('soon', 'Sooner', { registration: { entries: [{ team: id(1) }, { team: id(1) }, { team: id(2) }] } }),
    entry('past', 'Past', { state: 'ended' }),
  ]
  content.contests.push(...(contests as (typeof content.contests)[number][]))
  content.deadlines.push(
    { contest: 'late', closes: at(5 * HOUR), late: 'closed' },
    { contest: 'soon', closes: at(HOUR), late: 'late-days' },
    { contest: 'past', closes: at(-HOUR), late: 'closed' },
  )
  const of = { who: 'team', team: red.id } as const
  const by = { reason: 'ill', by: null, at: at(0) }
  content.extensions.push(
    { of, contest: 'soon', until: at(9 * HOUR), ...by },
    { of, contest: 'soon', until: at(7 * HOUR), ...by },
  )
  content.extensions.push({ of: { who: 'person', person: ada.id }, contest: 'late', until: at(2 * HOUR), ...by })
  const running = { contest: 'now', title: 'Now', state: 'running', person: false }
  const home = await educatorHome({
    ...rooms,
    pages: { active: async () => [running, { ...running, contest: 'p', person: true }] as never },
    handIns: {
      ...rooms.handIns,
      ...{ durations: [1_000, 3_000], waiting: [{ id: 1, team: red.id, receipt: 1 }] },
      chain: { ...rooms.handIns.chain, isBroken: true },
    },
  })
  expect(home.deadlines.map(({ contest, extensions }) => [contest, extensions])).toEqual([
    [
      'soon',
      [
        {
          ...{ who: 'team', name: 'Red', until: at(7 * HOUR), reason: 'ill' },
          closing: { team: 'Red', at: at(7 * HOUR), because: expect.stringContaining('team') as string },
        },
      ],
    ],
    // A shorter one gives nobody more time.
    ['late', []],
  ])
  expect(home.deadlines.map(({ registered }) => registered)).toEqual([2, null])
  expect(home.next).toEqual([
    { contest: 'now', title: 'Now', what: 'running', at: null },
    { contest: 'late', title: 'Later', what: 'open', at: at(5 * HOUR) },
    { contest: 'soon', title: 'Sooner', what: 'open', at: at(7 * HOUR) },
  ])
  expect(home.queue).toEqual({ waiting: 1, msEach: 2_000 })
  expect(home.notices).toEqual([expect.stringContaining('refused')])
  expect(home.news).toEqual(['Tartaglia 9.0.0 is out.'])
  expect(home.disk!.free).toBeGreaterThan(0)
})

test('a class of 200 has a small answer, made of few questions to the database', async () => {
  for (let n = 1; n <= 200; n += 1) {
    const ada = { ...person('a', `Student with a name ${n}`), id: id(n) }
    content.people.push(ada)
    if (n % 2 === 0) content.teams.push({ id: id(n), name: `Team ${n}`, members: [id(n - 1), id(n)], formed: at(0) })
    for (let again = 0; again < 5; again += 1) if (n % 2 === 0) attempt(id(n), 'It crashed at its first move.')
  }
  const { database } = accounts.people
  const prepare = database.prepare.bind(database)
  let questions = 0
  database.prepare = (sql) => ((questions += 1), prepare(sql))
  const home = await educatorHome(rooms)
  expect(home.students).toHaveLength(200)
  expect(home.teams).toHaveLength(100)
  expect(JSON.stringify(home).length).toBeLessThan(64_000)
  expect(questions).toBeLessThan(10)
})

test('screens of people hear of every line of the audit log, such as a sign-in', () => {
  let heard = 0
  accounts.onAudit.add(() => (heard += 1))
  audit(accounts, null, 'sign-in', {})
  expect(heard).toBe(1)
})
