import { cleanup, render, waitFor } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import { call, subscribe } from '../../../renderer/connection/client.ts'
import Agent from '../../../renderer/screens/agent/agent.svelte'
import TeamHandIns from '../../../renderer/screens/class/educator/team-hand-ins.svelte'
import Components from '../../../renderer/screens/components/components.svelte'
import Recurring from '../../../renderer/screens/contests/recurring/recurring.svelte'
import Registration from '../../../renderer/screens/contests/registration/registration.svelte'
import Hearings from '../../../renderer/screens/hearings/hearings.svelte'
import Sources from '../../../renderer/screens/sources/sources.svelte'
import Team from '../../../renderer/screens/team/team.svelte'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
  subscribe: vi.fn(),
}))
afterEach(() => {
  cleanup()
  vi.resetAllMocks()
})

const id = 'a'.repeat(16)
test.each([
  ['agents.get', () => render(Agent, { name: 'walker' })],
  ['handIn.attempts', () => render(TeamHandIns, { open: true, team: { id, name: 'Red' } })],
  ['components.list', () => render(Components)],
  ['recurring.list', () => render(Recurring)],
  ['registrations.get', () => render(Registration, { contest: 'cup-1', game: 'toy', isAnnounced: true })],
  ['agents.list', () => render(Registration, { contest: 'cup-1', game: 'toy', isAnnounced: true })],
  ['cases.list', () => render(Hearings)],
  ['sources.list', () => render(Sources)],
  ['teams.mine', () => render(Team)],
] as const)(
  'a screen loads %s once although its topics are known already, and again with each change',
  async (name, show) => {
    // Loading takes for ever: only the requests count.
    vi.mocked(call).mockReturnValue(new Promise<never>(() => undefined))
    const listeners = new Set<() => void>()
    vi.mocked(subscribe).mockImplementation((_, listener) => {
      const heard = (): void => listener(null as never)
      heard()
      listeners.add(heard)
      return () => listeners.delete(heard)
    })
    const asked = (): number => vi.mocked(call).mock.calls.filter(([each]) => each === name).length
    show()
    await waitFor(() => expect(listeners.size).toBeGreaterThan(0))
    expect(asked()).toBe(1)
    for (const heard of [...listeners]) heard()
    await waitFor(() => expect(asked()).toBe(2))
  },
)
