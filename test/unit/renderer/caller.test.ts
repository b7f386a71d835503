import { render, screen } from '@testing-library/svelte'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Role } from '../../../main/contract/people/people.ts'
import Rail from '../../../renderer/frame/rail.svelte'
import { askWhoCalls, may } from '../../../renderer/caller.svelte.ts'

const kit = vi.hoisted(() => ({ game: undefined as string | undefined }))
vi.mock(import('../../../renderer/games.ts'), async (original) => ({
  ...(await original()),
  get kitGame() {
    return kit.game
  },
}))
const calls = vi.hoisted(() => ({ role: 'educator' as Role, isReadOnly: false }))
vi.mock('../../../renderer/connection/client.ts', () => ({
  call: (name: string) =>
    name === 'me.get'
      ? Promise.resolve({ role: calls.role, person: null, team: null, isReadOnly: calls.isReadOnly })
      : Promise.reject(new Error(name)),
}))

beforeEach(() => void Object.assign(calls, { role: 'educator', isReadOnly: false }))

const become = async (role: Role): Promise<void> => {
  calls.role = role
  await askWhoCalls()
}

test.each([
  ['educator', true, true, true],
  ['assistant', true, false, true],
  ['student', false, false, true],
  ['guest', false, false, false],
] as const)('the window asks the table of the program: %s', async (role, starts, deletes, readsOwn) => {
  await become(role)
  expect([may('contests.start'), may('contests.delete'), may('agents.console')]).toEqual([starts, deletes, readsOwn])
  expect(may('agents.console', 'contests.delete')).toBe(readsOwn && deletes)
  expect(may('contests.get')).toBe(true)
})

test('in a class that is open to look at, the window offers what reads and nothing that would be refused', async () => {
  calls.isReadOnly = true
  await become('educator')
  const reading = [
    'contests.get',
    'contests.standings',
    'matches.events',
    'histories.verifyAll',
    'histories.export',
  ] as const
  expect(reading.every((name) => may(name))).toBe(true)
  const changing = ['contests.create', 'agents.submit', 'settings.set', 'histories.comment', 'people.import'] as const
  expect(changing.some((name) => may(name))).toBe(false)
  expect(may('contests.get', 'contests.start')).toBe(false)
})

test('the navigation has the screens that the person may see', async () => {
  await become('student')
  const { unmount } = render(Rail, { section: 'class' })
  const shown = (): readonly (string | null)[] =>
    screen.getAllByRole('listitem').map(({ textContent }) => textContent.trim())
  const student = shown()
  expect(student).toContain('Contests')
  expect(student).not.toContain('People')
  expect(student).not.toContain('Settings')
  unmount()
  await become('educator')
  render(Rail, { section: 'class' })
  const ofStudents = ['Hand in', 'My team']
  expect(student).toEqual(expect.arrayContaining(ofStudents))
  expect(shown()).toEqual([
    ...student.filter((each) => each === null || !ofStudents.includes(each)),
    'People',
    'Settings',
  ])
})

test('the navigation in the window of a kit leaves out what a class alone has', async () => {
  await become('educator')
  const shown = (): readonly string[] => {
    const { unmount } = render(Rail, { section: 'class' })
    const found = screen.getAllByRole('listitem').map(({ textContent }) => textContent.trim())
    unmount()
    return found
  }
  const whole = shown()
  kit.game = 'haggle'
  try {
    const ofClasses = ['Hearings', 'Grades', 'People']
    expect(whole).toEqual(expect.arrayContaining(ofClasses))
    expect(shown()).toEqual(whole.filter((each) => !ofClasses.includes(each)))
  } finally {
    kit.game = undefined
  }
})
