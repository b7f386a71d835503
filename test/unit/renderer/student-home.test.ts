import { cleanup, render, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { firstSteps } from '../../../main/contract/people/educator-home.ts'
import type { Role } from '../../../main/contract/people/people.ts'
import { askWhoCalls } from '../../../renderer/caller.svelte.ts'
import { call, subscribe } from '../../../renderer/connection/client.ts'
import Class from '../../../renderer/screens/class/class.svelte'
import Recurring from '../../../renderer/screens/contests/recurring/recurring.svelte'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
  subscribe: vi.fn(),
}))

const NOW = '2026-11-26T12:00:00.000Z'
const NEW = 'a'.repeat(64)
const OLD = 'b'.repeat(64)
const contest = {
  contest: 'week-1',
  title: 'Week 1',
  game: 'specker',
  state: 'open',
  entrants: 2,
  added: NOW,
  person: false,
}
const version = (agent: string, number: number) => ({
  ...{ agent, number, team: 'Red', policies: null, active: [], submitted: NOW, trial: null },
  smoke: { ok: true, text: 'It played its match.' },
})
const fault = (agent: string, match: number, text: string) => ({
  ...{ contest: 'week-0', title: 'Week 0', match, seat: 1, agent },
  what: { at: 20, fault: { kind: 'crash', text } },
})
const team = { id: 'c'.repeat(16), name: 'Red', members: [], invitation: null }

let answers: Record<string, unknown>
let role: Role
beforeEach(() => {
  role = 'student'
  const walker = {
    name: 'walker',
    game: 'specker',
    kind: 'script',
    school: null,
    versions: [version(NEW, 2), version(OLD, 1)],
  }
  const faults = [fault(NEW, 9, 'x is not defined'), fault(OLD, 8, 'y is old'), fault(NEW, 7, 'x is not defined')]
  answers = {
    'class.overview': { agents: 1, contests: [], attention: [] },
    'teams.mine': team,
    'handIn.attempts': { attempts: [], used: 0, left: 4 },
    'handIn.queue': null,
    'receipts.list': [],
    'agents.list': { items: [{ ...walker, faults: 3 }], offset: 0, total: 1 },
    'agents.faults': { items: faults, offset: 0, total: 3 },
    'contests.list': { items: [{ ...contest, progress: { done: 0, total: 1, msLeft: null } }], offset: 0, total: 1 },
    'deadlines.get': {
      deadline: { contest: 'week-1', closes: '2026-11-26T13:00:00.000Z', late: 'closed' },
      closing: { at: '2026-11-27T13:00:00.000Z', because: 'The team has an extension.' },
      ...{ verdict: 'On time.', now: NOW },
    },
    'home.get': {
      ...{ now: NOW, done: firstSteps, students: [], teams: [], asking: [], deadlines: [], next: [], notices: [] },
      ...{ queue: { waiting: 0, msEach: null }, disk: null },
    },
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

test('a student sees deadlines, own agents, and the faults of the newest version, most frequent first', async () => {
  await askWhoCalls()
  render(Class)
  const due = await screen.findByRole('region', { name: 'Due' })
  expect(within(due).getByRole('link', { name: 'Week 1' })).toBeTruthy()
  expect(within(due).getByText('The team has an extension.')).toBeTruthy()
  expect(within(due).getByRole('link', { name: 'Hand in for it' }).getAttribute('href')).toBe(
    '#/hand-in?contest=week-1',
  )
  expect(within(screen.getByRole('region', { name: 'My agent' })).getByText(/version 2/)).toBeTruthy()
  const mend = screen.getByRole('list', { name: 'Faults of walker, version 2' })
  expect(within(mend).getAllByRole('listitem')).toHaveLength(1)
  expect(mend.textContent).toContain('2 times: x is not defined')
  const link = within(mend).getByRole('link', { name: 'Show the last one' })
  expect(link.getAttribute('href')).toBe('#/contests/week-0/matches/9?at=20&seat=1')
  // The matters of educators are not shown, not even as nothing.
  expect(screen.queryByText('Needs your attention')).toBeNull()
})

test('a student without a team is led to one, and the person at the machine has no home of a student', async () => {
  answers['teams.mine'] = null
  await askWhoCalls()
  const { unmount } = render(Class)
  expect((await screen.findByRole('link', { name: 'Form or join a team' })).getAttribute('href')).toBe('#/team')
  unmount()
  role = 'educator'
  await askWhoCalls()
  render(Class)
  expect(await screen.findByText('Needs your attention')).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Due' })).toBeNull()
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
