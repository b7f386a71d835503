import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import type { RegistrationView } from '../../../main/contract/contests/registration.ts'
import { askWhoCalls } from '../../../renderer/caller.svelte.ts'
import { call } from '../../../renderer/connection/client.ts'
import Registration from '../../../renderer/screens/contests/registration/registration.svelte'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
  subscribe: () => () => undefined,
}))
afterEach(cleanup)

const team = { id: 'a'.repeat(16), name: 'Red' }
const at = '2026-11-01T08:00:00.000Z'
const entry = { team: team.id, teamName: 'Red', entrant: 'Red', kind: 'network', plays: true, at } as const
const others = { team: 'b'.repeat(16), teamName: 'Blue', entrant: 'bleu', kind: 'agent', plays: true, at } as const
const view: RegistrationView = {
  rule: { agentsATeam: 1, network: true },
  ...{ isOpen: true, closes: '2099-01-01T00:00:00.000Z', addresses: ['wss://192.0.2.7:9000'] },
  entries: [
    { ...entry, hasCredentials: false, absent: null },
    { ...others, hasCredentials: false, absent: null },
  ],
}

/** The person at the window, and what the program answers. */
async function become(role: 'educator' | 'student', registration: RegistrationView): Promise<void> {
  const answers: Readonly<Record<string, unknown>> = {
    'me.get': { role, person: null, team: role === 'student' ? team : null, isReadOnly: false },
    'registrations.get': registration,
    'registrations.credentials': { entrant: 'Red', credentials: ['the-secret'] },
    'teams.mine': { ...team, members: [{ person: 'p', name: 'Ada' }], invitation: null },
    'teams.list': [],
    'agents.list': {
      ...{ offset: 0, total: 2 },
      items: [
        { name: 'rosa', game: 'toy', school: null, versions: [{ team: 'Red' }] },
        { name: 'bleu', game: 'toy', school: null, versions: [{ team: 'Blue' }] },
      ],
    },
  }
  vi.mocked(call).mockImplementation(async (name) => (answers[name] ?? null) as never)
  await askWhoCalls()
}
const show = (isAnnounced = true) => render(Registration, { contest: 'cup-1', game: 'toy', isAnnounced })

test('a student registers an agent of the own team, withdraws the own alone, and gets credentials', async () => {
  await become('student', view)
  show()
  const agents = await screen.findByLabelText<HTMLSelectElement>('Agent')
  expect([...agents.options].map(({ value }) => value)).toEqual(['', 'rosa'])
  await fireEvent.change(agents, { target: { value: 'rosa' } })
  await fireEvent.click(screen.getByRole('button', { name: 'Register' }))
  await waitFor(() =>
    expect(call).toHaveBeenCalledWith('registrations.register', { contest: 'cup-1', team: team.id, agent: 'rosa' }),
  )
  expect(screen.getAllByRole('button', { name: 'Withdraw' })).toHaveLength(1)
  expect(screen.queryByText('the-secret')).toBeNull()
  await fireEvent.click(screen.getByRole('button', { name: 'Show credentials' }))
  expect(await screen.findByText('the-secret')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'End registration' })).toBeNull()
})

test('an educator opens registration, of announced contests alone, and sees no credentials', async () => {
  await become('educator', { ...view, rule: null, entries: [] })
  const { unmount } = show(false)
  await waitFor(() => expect(call).toHaveBeenCalledWith('registrations.get', { contest: 'cup-1' }))
  expect(screen.queryByRole('button')).toBeNull()
  unmount()
  show()
  await fireEvent.click(await screen.findByRole('button', { name: 'Open registration' }))
  await waitFor(() =>
    expect(call).toHaveBeenCalledWith('registrations.set', {
      contest: 'cup-1',
      rule: { agentsATeam: 1, network: false },
    }),
  )
  cleanup()
  await become('educator', view)
  show()
  expect(await screen.findAllByRole('button', { name: 'Withdraw' })).toHaveLength(2)
  expect(screen.queryByRole('button', { name: /credentials/ })).toBeNull()
})
