import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { EducatorHome } from '../../../main/contract/people/educator-home.ts'
import { firstSteps } from '../../../main/contract/people/first-steps.ts'
import type { Role } from '../../../main/contract/people/people.ts'
import { askWhoCalls } from '../../../renderer/caller.svelte.ts'
import { call, subscribe } from '../../../renderer/connection/client.ts'
import ContestDeadline from '../../../renderer/screens/contests/deadline/contest-deadline.svelte'
import Home from '../../../renderer/screens/class/educator/educator-home.svelte'
import {
  diskSentence,
  handInState,
  queueSentence,
  studentRows,
} from '../../../renderer/screens/class/educator/home-words.ts'
import { endOfDay, fieldOf, timeOf } from '../../../renderer/screens/contests/deadline/local-time.ts'
import { loadSettings } from '../../../renderer/settings.svelte.ts'
import { printed } from '../../../renderer/screens/people/printed-slips.svelte.ts'
import { contest as shownContest } from './contest-detail.ts'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
  subscribe: vi.fn(),
}))

const kit = vi.hoisted(() => ({ game: undefined as string | undefined }))
vi.mock(import('../../../renderer/games.ts'), async (original) => ({
  ...(await original()),
  get kitGame() {
    return kit.game
  },
}))

const NOW = '2026-11-26T12:00:00.000Z'
const [ada, bert, cleo] = ['a', 'b', 'c'].map((letter) => letter.repeat(16)) as [string, string, string]
const red = '1'.repeat(16)
const handIn = { at: NOW, file: 'agent.js', contest: 'week-1', state: 'failed', reason: 'It crashed.' } as const
const home: EducatorHome = {
  now: NOW,
  done: firstSteps,
  students: [
    { person: ada, name: 'Ada', team: null, access: 'account', seen: NOW },
    { person: bert, name: 'Bert', team: null, access: 'no-code', seen: null },
    { person: cleo, name: 'Cleo', team: red, access: 'account', seen: null },
  ],
  teams: [{ id: red, name: 'Red', last: handIn, hasWorking: true }],
  asking: [{ person: 'd'.repeat(16), name: 'Dora', since: NOW }],
  deadlines: [
    {
      ...{
        contest: 'week-1',
        title: 'Week 1',
        closes: '2026-11-27T12:00:00.000Z',
        late: 'closed',
        teams: 1,
        registered: 2,
      },
      extensions: [
        { who: 'team', name: 'Red', until: '2026-11-28T12:00:00.000Z', reason: 'ill', closing: null },
        {
          ...{ who: 'person', name: 'Bruno', until: '2026-11-28T12:00:00.000Z', reason: 'away' },
          closing: { team: 'Blue', at: '2026-11-28T12:00:00.000Z', because: 'A member has more time.' },
        },
      ],
    },
  ],
  queue: { waiting: 3, msEach: 2_000 },
  reruns: [{ request: 'r-1', name: 'Bert', contest: 'week-1', match: 4, again: 'match' }],
  disk: { free: 1_000_000_000, total: 100_000_000_000 },
  next: [{ contest: 'week-0', title: 'Week 0', what: 'running', at: null }],
  notices: ['The chain of receipts does not hold.'],
  news: ['Tartaglia <b>9.0.0</b> is out.'],
}

/** Changes the address of the page. */
const moveTo = (url: string): void =>
  (globalThis as unknown as { readonly jsdom: { reconfigure(to: { readonly url: string }): void } }).jsdom.reconfigure({
    url,
  })

let calls: [string, unknown][]
let role: Role
let answers: Record<string, unknown>
const topics = new Map<string, () => void>()
beforeEach(() => {
  calls = []
  role = 'educator'
  answers = { 'home.get': home, 'people.admit': null, 'deadlines.extend': null }
  topics.clear()
  vi.mocked(call as (name: string, input: unknown) => Promise<unknown>).mockImplementation(async (name, input) => {
    calls.push([name, input])
    if (name === 'me.get') return { role, person: null, team: null, isReadOnly: false }
    if (!(name in answers)) throw new Error(`unexpected call of ${name}`)
    return answers[name]
  })
  vi.mocked(subscribe as (topic: string, listener: () => void) => () => void).mockImplementation((topic, listener) => {
    topics.set(topic, listener)
    return () => topics.delete(topic)
  })
})
afterEach(async () => {
  cleanup()
  moveTo('http://localhost:3000/')
  role = 'educator'
  await askWhoCalls()
  vi.useRealTimers()
  vi.resetAllMocks()
  location.hash = ''
})
const called = (name: string): readonly unknown[] => calls.flatMap(([each, input]) => (each === name ? [input] : []))

test('the home has who signed in, who failed and on what, extensions, admissions, the queue, the disk and damage', async () => {
  render(Home)
  const table = await screen.findByRole('table', { name: 'Students' })
  const rows = within(table).getAllByRole('row').slice(1)
  // The one whose hand-in failed first, then the one who cannot sign in.
  expect(rows.map((row) => within(row).getByRole('rowheader').textContent)).toEqual(['Cleo', 'Bert', 'Ada'])
  expect(rows[0]!.textContent).toContain('It crashed. An earlier version works.')
  expect(screen.getByRole('list', { name: 'Extensions in Week 1' }).textContent).toContain('ill')
  expect(screen.getByRole('region', { name: 'Deadlines' }).textContent).toMatch(
    /1 team has handed in for it, 2 registered/,
  )
  expect(screen.getByRole('alert').textContent).toContain('does not hold')
  // Text of strangers stays text, and alarms nobody.
  expect(screen.getByText('Tartaglia <b>9.0.0</b> is out.').closest('[role=alert]')).toBe(null)
  const machine = screen.getByRole('region', { name: 'Running and next' })
  expect(machine.textContent).toMatch(/3 hand-ins wait/)
  expect(machine.textContent).toMatch(/1%|1 %/)
  await fireEvent.click(screen.getByRole('button', { name: 'Admit Dora' }))
  await waitFor(() => expect(called('people.admit')).toEqual([{ person: 'd'.repeat(16) }]))
  // The groups count and choose.
  await fireEvent.click(screen.getByRole('button', { name: /Never signed in 1/ }))
  expect(within(table).getAllByRole('rowheader')).toHaveLength(1)
})

test('the window of a kit, which has one student, does not ask to set up a class', async () => {
  answers['home.get'] = { ...home, done: [] }
  kit.game = 'cows'
  render(Home)
  await screen.findByRole('table', { name: 'Students' })
  expect(screen.queryByRole('region', { name: /First steps/ })).toBeNull()
  cleanup()
  kit.game = undefined
  render(Home)
  expect(await screen.findByRole('region', { name: /First steps/ })).toBeTruthy()
})

test('it is loaded once, and changes from elsewhere reload it, in bursts once', async () => {
  render(Home)
  await screen.findByRole('table', { name: 'Students' })
  vi.useFakeTimers()
  const before = called('home.get').length
  // The first value of each topic is not a change.
  for (const told of topics.values()) told()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(called('home.get')).toHaveLength(before)
  for (let n = 0; n < 50; n += 1) topics.get('people')!()
  topics.get('agents')!()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(called('home.get')).toHaveLength(before + 1)
})

test('a team gets more time, with a reason, until a time in UTC', async () => {
  render(Home)
  await fireEvent.click(await screen.findByRole('button', { name: 'Extend for Cleo' }))
  const reason = await screen.findByLabelText('Reason')
  await fireEvent.input(reason, { target: { value: 'ill' } })
  await fireEvent.input(screen.getByLabelText('Until'), { target: { value: '2026-11-29T10:30' } })
  await fireEvent.submit(reason.closest('form')!)
  await waitFor(() =>
    expect(called('deadlines.extend')).toEqual([
      {
        ...{ of: { who: 'team', team: red }, contest: 'week-1', reason: 'ill' },
        until: new Date('2026-11-29T10:30').toISOString(),
      },
    ]),
  )
})

test('an assistant on the network gets the link to the kit by the address at which they are', async () => {
  const before = firstSteps.slice(0, firstSteps.indexOf('kit'))
  answers['home.get'] = { ...home, done: before, students: [], teams: [], asking: [], deadlines: [] }
  answers['settings.get'] = { appearance: 'system', letterKeys: true, game: 'haggle' }
  role = 'assistant'
  await askWhoCalls()
  await loadSettings()
  moveTo('https://class.example:8443/')
  render(Home)
  expect(await screen.findByText('https://class.example:8443/#/agents?game=haggle')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Copy the link' })).toBeTruthy()
})

test('the hand-ins of a team are looked at, and an attempt is given back once', async () => {
  const attempt = {
    ...{ id: 7, team: red, by: 'Cleo', contest: null, game: 'toy', file: 'agent.js', sha256: 'e'.repeat(64), at: NOW },
    ...{ state: 'failed', reason: 'It crashed.', receipt: null, isGivenBack: false },
  }
  answers['handIn.attempts'] = { attempts: [attempt, { ...attempt, id: 6, state: 'void' }], used: 1, left: 2 }
  answers['receipts.list'] = []
  answers['handIn.giveBack'] = null
  render(Home)
  await fireEvent.click(await screen.findByRole('button', { name: "Hand-ins of Cleo's team" }))
  const list = await screen.findByRole('list', { name: 'Hand-ins' })
  answers['handIn.attempts'] = { attempts: [{ ...attempt, isGivenBack: true }], used: 0, left: 3 }
  await fireEvent.click(within(list).getByRole('button', { name: /^Give the attempt back/ }))
  expect(await screen.findByText('attempt given back')).toBeTruthy()
  expect(called('handIn.giveBack')).toEqual([{ attempt: 7 }])
  expect(called('receipts.list')).toContainEqual({ team: red })
  expect(screen.queryByRole('button', { name: /^Give the attempt back/ })).toBeNull()
})

test('a student without a code gets a new slip, which is printed at once', async () => {
  answers['people.code'] = { person: bert, name: 'Bert', code: 'ABCD-EFGH' }
  render(Home)
  await fireEvent.click(await screen.findByRole('button', { name: 'New slip for Bert' }))
  await waitFor(() => expect(location.hash).toBe('#/people/slips'))
  expect(called('people.code')).toEqual([{ person: bert }])
  expect(printed.slips).toMatchObject([{ name: 'Bert', code: 'ABCD-EFGH' }])
})

test('staff stops what is run again for a student, and the list is read anew', async () => {
  answers['home.stopRerun'] = null
  render(Home)
  const list = await screen.findByRole('list', { name: 'Run again for dossiers' })
  expect(list.textContent).toContain('Bert')
  answers['home.get'] = { ...home, reruns: [] }
  await fireEvent.click(within(list).getByRole('button', { name: /^Stop/ }))
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Run again for dossiers' })).toBeNull())
  expect(called('home.stopRerun')).toEqual([{ request: 'r-1' }])
})

test('an empty class is shown its first step, and a finished checklist is gone', async () => {
  answers['home.get'] = { ...home, done: ['name'], students: [], teams: [], asking: [], deadlines: [] }
  const { unmount } = render(Home)
  const steps = await screen.findByRole('region', { name: /First steps/ })
  const current = within(steps)
    .getAllByRole('listitem')
    .find((each) => each.getAttribute('aria-current') === 'step')
  expect(within(current!).getByRole('link', { name: 'Go to People' }).getAttribute('href')).toBe('#/people')
  expect(screen.queryByRole('table')).toBeNull()
  unmount()
  answers['home.get'] = home
  render(Home)
  await screen.findByRole('table', { name: 'Students' })
  expect(screen.queryByRole('region', { name: /First steps/ })).toBeNull()
})

test('words of the home', () => {
  expect(studentRows({ students: [], teams: [] })).toEqual([])
  expect(
    handInState({ id: red, name: 'Red', last: { ...handIn, state: 'passed', reason: null }, hasWorking: true }),
  ).toEqual({
    ...{ tone: 'good', label: 'Works', text: '' },
  })
  expect(queueSentence({ waiting: 0, msEach: null })).not.toMatch(/\d/)
  expect(diskSentence({ free: 50_000_000_000, total: 100_000_000_000 }).isLow).toBe(false)
  expect(diskSentence(home.disk).isLow).toBe(true)
})

test('a time of a field is one of this computer, and comes back', () => {
  expect(timeOf('')).toBeNull()
  expect(timeOf('soon')).toBeNull()
  expect(fieldOf(timeOf('2026-11-29T10:30')!)).toBe('2026-11-29T10:30')
  expect(timeOf('2026-11-29T10:30')).toMatch(/:00\.000Z$/)
  expect(fieldOf(endOfDay(new Date('2026-11-29T10:30').getTime()))).toBe('2026-11-29T23:59')
})

const HEAD = 'ab'.repeat(32)
const deadlines = {
  'deadlines.get': {
    ...{ deadline: { contest: shownContest.summary.contest, closes: '2026-11-27T12:00:00.000Z', late: 'late-days' } },
    ...{ closing: null, verdict: null, now: NOW },
  },
  'receipts.head': { n: 17, head: HEAD, at: NOW },
  'handIn.rules': { attemptsADay: null, lateDays: 2 },
  'registrations.get': { rule: null, isOpen: false, closes: null, entries: [], addresses: [] },
  'registrations.set': null,
  'handIn.setRules': null,
  'deadlines.set': null,
}

test.each([true, false])(
  'the first deadline of a contest lets teams register, if that is ticked: %s',
  async (ticked) => {
    Object.assign(answers, deadlines)
    answers['deadlines.get'] = { deadline: null, closing: null, verdict: null, now: NOW }
    const { summary } = shownContest
    const ahead = { state: 'open', person: false, progress: { done: 0, total: 1, msLeft: null } } as const
    const detail = { ...shownContest, summary: { ...summary, ...ahead } }
    render(ContestDeadline, { detail })
    await fireEvent.click(await screen.findByRole('button', { name: 'Set a deadline…' }))
    const registers = await screen.findByLabelText<HTMLInputElement>(/^Teams enter their agents/)
    expect(registers.checked).toBe(true)
    if (!ticked) await fireEvent.click(registers)
    await fireEvent.submit(registers.closest('form')!)
    await waitFor(() => expect(called('deadlines.set')).toHaveLength(1))
    const { contest } = shownContest.summary
    const opened = ticked ? [{ contest, rule: { agentsATeam: 1, network: false } }] : []
    await waitFor(() => expect(called('registrations.set')).toEqual(opened))
  },
)

test('the page of a contest has the deadline and the head of the receipts for everybody, and forms for staff', async () => {
  Object.assign(answers, deadlines)
  const detail = { ...shownContest, summary: { ...shownContest.summary, state: 'open', person: false } as const }
  render(ContestDeadline, { detail })
  expect((await screen.findByText(/17 receipts/)).textContent).toContain(HEAD.slice(0, 8))
  expect(screen.getByRole('timer').textContent).toMatch(/day/)
  await fireEvent.click(screen.getByRole('button', { name: 'Deadline…' }))
  const closes = await screen.findByLabelText('Closes')
  await fireEvent.input(closes, { target: { value: '2026-12-01T08:00' } })
  await fireEvent.input(screen.getByLabelText('Attempts of a team a day'), { target: { value: '5' } })
  await fireEvent.submit(closes.closest('form')!)
  await waitFor(() => expect(called('deadlines.set')).toHaveLength(1))
  // One call: a deadline and the rules for it are kept together, or neither is.
  expect(called('handIn.setRules')).toEqual([])
  expect(called('deadlines.set')).toEqual([
    {
      contest: shownContest.summary.contest,
      closes: new Date('2026-12-01T08:00').toISOString(),
      late: 'late-days',
      rules: { attemptsADay: 5, lateDays: 2 },
    },
  ])
})
