import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte'
import { flushSync } from 'svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { firstSteps } from '../../../main/contract/people/first-steps.ts'
import type { News } from '../../../main/contract/people/student-home.ts'
import type { Role } from '../../../main/contract/people/people.ts'
import { askWhoCalls } from '../../../renderer/caller.svelte.ts'
import { call, subscribe } from '../../../renderer/connection/client.ts'
import { askForHome } from '../../../renderer/screens/class/asked-home.ts'
import { askForOverview } from '../../../renderer/screens/class/asked-overview.ts'
import Class from '../../../renderer/screens/class/class.svelte'
import MendFirst from '../../../renderer/screens/class/mend-first.svelte'
import { followRunning } from '../../../renderer/frame/running.svelte.ts'
import { followNotices, unknownNotices } from '../../../renderer/frame/notices.ts'
import { newsFrom } from '../../../renderer/screens/class/last-visit.ts'
import Recurring from '../../../renderer/screens/contests/recurring/recurring.svelte'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
  subscribe: vi.fn(),
}))

const NOW = '2026-11-26T12:00:00.000Z'
const NEW = 'a'.repeat(64)
const fault = (match: number, text: string) => ({
  ...{ contest: 'week-0', title: 'Week 0', match, seat: 1, agent: NEW },
  what: { at: 20, fault: { kind: 'crash', text } },
})
const placing = (title: string, rank: number, version: number) => ({
  ...{ contest: title.toLowerCase(), title, rank, of: 8, version, isOver: true },
})
const walker = {
  ...{ agent: 'walker', game: 'specker', plays: 1 },
  newest: {
    ...{ agent: NEW, number: 2, team: 'Red', policies: null, active: [], submitted: NOW, inactive: 'withdrawn' },
    ...{ smoke: { ok: true, text: 'It played its match.' }, trial: null },
  },
  placings: [placing('Two', 2, 2), placing('One', 4, 1)],
  faults: [{ version: 2, groups: [{ kind: 'crash', text: 'x is not defined', times: 2, newest: fault(9, 'x') }] }],
  compared: { now: 2, before: 1 },
  weak: [
    {
      ...{ part: 'baby', kind: 'opponent', contest: 'two', entrant: 'walker' },
      ...{ now: { mean: 0.25, matches: 4 }, before: { mean: 0.75, matches: 8 } },
    },
  ],
}
const home = {
  ...{ now: NOW, team: { name: 'Red' }, attempts: { used: 0, left: 4 }, queue: null, agents: [walker] },
  due: [
    {
      ...{ contest: 'week-1', title: 'Week 1', game: 'specker' },
      deadline: {
        deadline: { contest: 'week-1', closes: '2026-11-26T13:00:00.000Z', late: 'closed' },
        closing: { at: '2026-11-27T13:00:00.000Z', because: 'The team has an extension.' },
        ...{ verdict: 'On time.', now: NOW },
      },
    },
  ],
  news: [{ at: NOW, what: 'over', contest: 'two', title: 'Two', places: [{ agent: 'walker', rank: 2, of: 8 }] }],
  coming: [
    {
      ...{ contest: 'week-1', title: 'Week 1', state: 'running' },
      matches: [{ match: 12, agent: 'walker', against: ['baby'], isPlaying: true }],
    },
  ],
}
const loss = {
  ...{ contest: 'two', title: 'Two', agent: 'walker', version: NEW, match: 5, seat: 0, against: ['baby'], round: 3 },
  ...{ event: 17, line: 2, amount: -40, share: 0.5 },
}

const practised = { at: NOW, by: 'Zoë', agent: 'walker', version: 2 }
const practice = {
  ...{ used: 13, left: 7, perDay: 20 },
  agents: [
    {
      ...{ agent: 'walker', game: 'specker' },
      versions: [
        { agent: NEW, label: 'version 2' },
        { agent: 'b'.repeat(64), label: 'version 1' },
      ],
      opponents: [
        { agent: 'c'.repeat(64), label: 'minmax' },
        { agent: 'b'.repeat(64), label: 'walker, version 1' },
      ],
    },
  ],
  matches: [
    { ...practised, id: 9, against: 'minmax', state: 'waiting', text: null, isKept: false },
    { ...practised, id: 8, against: 'walker, version 1', state: 'played', text: 'It played to the end.', isKept: true },
  ],
}

/** A case whose panel, with the student on it, votes. */
const voting = {
  ...{ case: 'case-3', filer: 'Red', other: 'Blue', against: { what: 'agent', name: 'baby' }, part: 'panel' },
  ...{ stage: 'voting', instance: 1, deadline: '2026-11-27T12:00:00.000Z' },
}

let answers: Record<string, unknown>
let role: Role
beforeEach(() => {
  role = 'student'
  answers = {
    'class.overview': { agents: 1, contests: [], attention: [] },
    'home.get': {
      ...{
        now: NOW,
        done: firstSteps,
        students: [],
        teams: [],
        asking: [],
        deadlines: [],
        next: [],
        notices: [],
        news: [],
      },
      ...{ queue: { waiting: 0, msEach: null }, disk: null },
    },
    'student.home': home,
    'student.losses': [loss],
    'practice.get': practice,
    'cases.list': { items: [voting, { ...voting, case: 'case-4', part: null }], total: 2, unreadable: [] },
    'recurring.list': { timeZone: 'UTC', recurring: [] },
  }
  vi.mocked(call as (name: string) => Promise<unknown>).mockImplementation(async (name) => {
    if (name === 'me.get') return { role, person: null, team: null }
    if (!(name in answers)) throw new Error(`unexpected call of ${name}`)
    return answers[name]
  })
  vi.mocked(subscribe).mockReturnValue(() => undefined)
})
afterEach(async () => {
  cleanup()
  role = 'educator'
  await askWhoCalls()
  vi.resetAllMocks()
})

test('a student sees deadlines, own agents with their trend, news, coming matches and what to mend first', async () => {
  await askWhoCalls()
  render(Class)
  const due = await screen.findByRole('region', { name: 'Due' })
  expect(within(due).getByRole('link', { name: 'Week 1' })).toBeTruthy()
  expect(within(due).getByText('The team has an extension.')).toBeTruthy()
  expect(within(due).getByRole('link', { name: 'Hand in for it' }).getAttribute('href')).toBe(
    '#/hand-in?contest=week-1',
  )
  const hearing = await within(due).findByRole('link', { name: /^Case/ })
  expect(hearing.getAttribute('href')).toBe('#/hearings/case-3')
  expect(within(due).getByText(/You are on its panel\./)).toBeTruthy()
  const mine = screen.getByRole('region', { name: 'My agent' })
  expect(mine.textContent).toContain(', version 2')
  expect(
    within(mine)
      .getAllByRole('listitem')
      .map((each) => each.textContent)[0],
  ).toContain('2nd of 8')
  expect(within(mine).getByText(/withdrawn by its team\. Version 1 plays/)).toBeTruthy()
  expect(within(mine).getByText('Better than the 4th of 8 before.')).toBeTruthy()
  const mend = screen.getByRole('list', { name: 'Faults of walker, version 2' })
  expect(mend.textContent).toContain('2 times: x is not defined')
  const link = within(mend).getByRole('link', { name: 'Show the last one' })
  expect(link.getAttribute('href')).toBe('#/contests/week-0/matches/9?at=20&seat=1')
  const losses = await screen.findByRole('list', { name: 'Largest losses' })
  expect(within(losses).getByRole('link').getAttribute('href')).toBe('#/contests/two/matches/5?move=17&line=2')
  const worse = screen.getByRole('list', { name: 'Positions in which walker got worse' })
  expect(worse.textContent).toContain('0.25 a match in 4 matches, 0.75 in 8 before')
  expect(screen.getByRole('list', { name: 'Next matches in Week 1' }).textContent).toContain('being played now')
  expect(screen.getByRole('list', { name: 'In the last week' }).textContent).toContain('walker is 2nd of 8.')
  const tools = screen.getByRole('region', { name: 'Kits and rules' })
  expect(within(tools).getByRole('button', { name: /^Rules of Specker/ })).toBeTruthy()
  // The matters of educators are not shown, not even as nothing.
  expect(screen.queryByText('Needs your attention')).toBeNull()
})

test('the home is asked for once, before its screen is there; somebody who goes elsewhere first asks anew', async () => {
  const asked = (): number => vi.mocked(call).mock.calls.filter(([name]) => name === 'student.home').length
  askForHome(await askWhoCalls(), '#/class')
  expect(asked()).toBe(1)
  const { unmount } = render(Class)
  await screen.findByRole('region', { name: 'Due' })
  expect(asked()).toBe(1)
  unmount()
  askForHome(await askWhoCalls(), '#/contests')
  expect(asked()).toBe(1)
  askForHome(await askWhoCalls(), '')
  dispatchEvent(new Event('hashchange'))
  render(Class)
  await screen.findByRole('region', { name: 'Due' })
  expect(asked()).toBe(3)
  // One that was asked for before a change is out of date.
  const told: (() => void)[] = []
  vi.mocked(subscribe as (topic: string, listener: () => void) => () => void).mockImplementation((_, listener) => {
    told.push(listener)
    return () => undefined
  })
  askForHome(await askWhoCalls(), '#/class')
  for (const tell of told) tell()
  cleanup()
  render(Class)
  await screen.findByRole('region', { name: 'Due' })
  expect(asked()).toBe(4)
  cleanup()
  told.length = 0
  askForHome(await askWhoCalls(), '#/class')
  for (let times = 0; times < 2; times++) for (const tell of told) tell()
  render(Class)
  await screen.findByRole('region', { name: 'Due' })
  expect(asked()).toBe(6)
  // An educator has no such home.
  role = 'educator'
  askForHome(await askWhoCalls(), '#/class')
  expect(asked()).toBe(6)
})

test('the overview is asked for once, before its screen is there, by everybody who begins at home', async () => {
  const asked = (): number => vi.mocked(call).mock.calls.filter(([name]) => name === 'class.overview').length
  askForOverview('#/contests')
  expect(asked()).toBe(0)
  askForOverview('')
  expect(asked()).toBe(1)
  await askWhoCalls()
  const { unmount } = render(Class)
  await screen.findByRole('region', { name: 'Due' })
  expect(asked()).toBe(1)
  unmount()
  render(Class)
  await screen.findByRole('region', { name: 'Due' })
  expect(asked()).toBe(2)
})

test('the home is loaded once, the progress of a contest loads none again, its end does, and a burst of changes does once', async () => {
  const topics = new Map<string, Set<(value: unknown) => void>>()
  vi.mocked(subscribe as (topic: string, told: (value: unknown) => void) => () => void).mockImplementation(
    (topic, told) => {
      topics.set(topic, (topics.get(topic) ?? new Set()).add(told))
      return () => topics.get(topic)?.delete(told)
    },
  )
  const tell = (topic: string, value: unknown): void => {
    for (const told of topics.get(topic)!) told(value)
    flushSync()
  }
  const asked = (): readonly number[] =>
    ['student.home', 'class.overview'].map(
      (each) => vi.mocked(call).mock.calls.filter(([name]) => name === each).length,
    )
  await askWhoCalls()
  const end = followRunning()
  render(Class)
  await screen.findByRole('region', { name: 'Due' })
  expect(asked()).toEqual([1, 1])
  vi.useFakeTimers()
  try {
    const running = { contest: 'two', title: 'Two', state: 'running', person: false, progress: { done: 0, total: 9 } }
    const other = { ...running, contest: 'one' }
    // The first values are not changes.
    tell('status', [other])
    tell('agents', null)
    tell('cases', null)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(asked()).toEqual([1, 1])
    tell('status', [running, other])
    expect(asked()).toEqual([2, 2])
    for (let done = 1; done < 9; done++) tell('status', [{ ...running, progress: { done, total: 9 } }, other])
    for (let n = 0; n < 20; n++) {
      tell('agents', null)
      tell('cases', null)
    }
    expect(asked()).toEqual([2, 2])
    await vi.advanceTimersByTimeAsync(2_000)
    expect(asked()).toEqual([3, 3])
    // The coming matches follow slowly.
    await vi.advanceTimersByTimeAsync(8_000)
    expect(asked()).toEqual([4, 3])
    tell('status', [])
    expect(asked()).toEqual([5, 4])
  } finally {
    vi.useRealTimers()
    end()
  }
})

test('a student without a team is led to one, and the person at the machine has no home of a student', async () => {
  answers['student.home'] = { ...home, team: null, attempts: null, agents: [], coming: [], news: [] }
  await askWhoCalls()
  const { unmount } = render(Class)
  expect((await screen.findByRole('link', { name: 'Form or join a team' })).getAttribute('href')).toBe('#/team')
  unmount()
  // A team that has handed in nothing, in a class without a deadline, is told what to begin with.
  answers['student.home'] = { ...home, due: [], agents: [], coming: [], news: [] }
  const empty = render(Class)
  const mine = await screen.findByRole('region', { name: 'My agent' })
  expect(mine.textContent).toContain('no agent yet')
  expect(within(mine).getByRole('link', { name: 'Hand in' })).toBeTruthy()
  expect(screen.getByRole('region', { name: 'Due' }).textContent).toContain('contest has a deadline')
  expect(screen.getByRole('region', { name: 'My next matches' }).textContent).toContain('None')
  expect(screen.queryByRole('region', { name: /Mend|Practice/ })).toBeNull()
  empty.unmount()
  role = 'educator'
  await askWhoCalls()
  render(Class)
  expect(await screen.findByText('Needs your attention')).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Due' })).toBeNull()
})

test('a reload within half an hour is the same visit; a later one has the news since the one before', () => {
  const half = 30 * 60_000
  expect(newsFrom(null, 0)).toBeNull()
  expect(newsFrom({ since: 'earlier', seen: 'last', here: 0 }, half)).toBe('earlier')
  expect(newsFrom({ since: 'earlier', seen: 'last', here: 0 }, half + 1)).toBe('last')
})

test('recurring contests offer a student nothing that would be refused', async () => {
  const one = {
    ...{
      id: 'r-1',
      title: 'Weekly',
      game: 'specker',
      days: [1],
      time: '10:00',
      entrants: 'agents',
      agents: 2,
      paused: false,
    },
    ...{ next: null, contests: [], skipped: [] },
  }
  answers['recurring.list'] = { timeZone: 'UTC', recurring: [one] }
  await askWhoCalls()
  const { unmount } = render(Recurring)
  await screen.findByRole('article', { name: 'Weekly' })
  expect(screen.queryAllByRole('button')).toEqual([])
  expect(screen.queryByRole('link', { name: 'New contest' })).toBeNull()
  unmount()
  role = 'educator'
  await askWhoCalls()
  render(Recurring)
  expect(await screen.findByRole('button', { name: 'Run now' })).toBeTruthy()
})

test('losses are asked for anew when contests were played, not with each reload of the home', async () => {
  const asked = (): number => vi.mocked(call).mock.calls.filter(([name]) => name === 'student.losses').length
  const { rerender } = render(MendFirst, { agents: [walker] as never })
  await screen.findByRole('list', { name: 'Largest losses' })
  expect(asked()).toBe(1)
  await rerender({ agents: [structuredClone(walker)] as never })
  expect(asked()).toBe(1)
  await rerender({ agents: [{ ...walker, placings: [placing('Three', 1, 2), ...walker.placings] }] as never })
  expect(asked()).toBe(2)
})

test('notices are about failed trials, contests that are over, more time and complaints, each once', () => {
  const handIn = { at: NOW, what: 'hand-in', file: 'a.js', by: 'Ann', reason: null } as const
  const over = { at: NOW, what: 'over', contest: 'two', title: 'Two', places: [] } as const
  const news: readonly News[] = [
    over,
    { at: NOW, what: 'extension', contest: 'one', title: 'One', until: NOW },
    { at: NOW, what: 'announced', contest: 'one', title: 'One' },
    { at: NOW, what: 'case', case: 'case-3', agent: 'walker', contest: 'two', title: 'Two' },
    { ...handIn, state: 'failed', reason: 'It threw.' },
    { ...handIn, state: 'passed' },
  ]
  const known = new Set<string>()
  expect(unknownNotices(known, news).map(({ tone }) => tone)).toEqual(['bad', 'bad', 'good', 'good'])
  expect(unknownNotices(known, news)).toEqual([])
  // A hand-in that fails after it was seen waiting is new.
  expect(unknownNotices(known, [{ ...handIn, file: 'b.js', state: 'waiting' }])).toEqual([])
  expect(unknownNotices(known, [{ ...handIn, file: 'b.js', state: 'failed' }])).toHaveLength(1)
})

test('a complaint leads from the home to its case, and reaches by the browser a student who looks at another page', async () => {
  const filed = { at: NOW, what: 'case', case: 'case-3', agent: 'walker', contest: 'two', title: 'Two' } as const
  answers['student.home'] = { ...home, news: [filed] }
  await askWhoCalls()
  const { unmount } = render(Class)
  const news = await screen.findByRole('list', { name: 'In the last week' })
  expect(
    within(news)
      .getByRole('link', { name: /walker/ })
      .getAttribute('href'),
  ).toBe('#/hearings/case-3')
  unmount()
  const shown = vi.fn()
  vi.stubGlobal('Notification', Object.assign(shown, { permission: 'granted' }))
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  vi.useFakeTimers()
  const topics = new Map<string, () => void>()
  vi.mocked(subscribe as (topic: string, told: () => void) => () => void).mockImplementation((topic, told) => {
    topics.set(topic, told)
    return () => undefined
  })
  answers['student.news'] = { now: NOW, news: [] }
  const end = followNotices()
  try {
    await vi.runAllTimersAsync()
    for (const told of topics.values()) told()
    await vi.runAllTimersAsync()
    // The first value of a topic tells nothing new.
    expect(vi.mocked(call).mock.calls.filter(([name]) => name === 'student.news')).toHaveLength(1)
    answers['student.news'] = { now: NOW, news: [filed] }
    topics.get('cases')!()
    await vi.runAllTimersAsync()
    expect(shown.mock.calls).toEqual([['Tartaglia', { body: expect.stringContaining('case-3') as unknown }]])
    // A page that is looked at shows its own notice only.
    hidden.mockReturnValue(false)
    answers['student.news'] = { now: NOW, news: [{ ...filed, case: 'case-4' }, filed] }
    topics.get('cases')!()
    await vi.runAllTimersAsync()
    expect(shown).toHaveBeenCalledTimes(1)
  } finally {
    end()
    vi.useRealTimers()
    vi.unstubAllGlobals()
    hidden.mockRestore()
  }
})

test('a student chooses a version and an opponent for practice, sees the budget, and opens a match', async () => {
  await askWhoCalls()
  render(Class)
  const part = await screen.findByRole('region', { name: 'Practice' })
  await within(part).findByText('7 of 20 practice matches left today.')
  await fireEvent.change(within(part).getByLabelText('Against'), { target: { value: 'b'.repeat(64) } })
  answers['practice.begin'] = { match: 10 }
  await fireEvent.click(within(part).getByRole('button', { name: 'Play a practice match' }))
  const begun = { name: 'walker', agent: NEW, opponent: 'b'.repeat(64) }
  await vi.waitFor(() => expect(vi.mocked(call)).toHaveBeenCalledWith('practice.begin', begun))
  answers['practice.match'] = { file: 'practice-8' }
  // The one that waits cannot be opened.
  const [open, ...others] = within(part).getAllByRole('button', { name: /^Open the match/ })
  expect(others).toEqual([])
  await fireEvent.click(open!)
  await vi.waitFor(() => expect(location.hash).toContain('practice-8'))
  expect(vi.mocked(call)).toHaveBeenCalledWith('practice.match', { team: null, match: 8 })
})

test('nothing can be begun when the budget is used, and a class without practice says so', async () => {
  answers['practice.get'] = { ...practice, used: 20, left: 0 }
  await askWhoCalls()
  const { unmount } = render(Class)
  await screen.findByText('0 of 20 practice matches left today.')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Play a practice match' }).disabled).toBe(true)
  unmount()
  answers['practice.get'] = { ...practice, used: 0, left: 0, perDay: 0 }
  render(Class)
  await screen.findByText('The educator of this class allows no practice matches.')
  expect(screen.queryByRole('button', { name: 'Play a practice match' })).toBeNull()
})
