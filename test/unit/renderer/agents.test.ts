import { cleanup, render, screen, waitFor } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call, subscribe } from '../../../renderer/connection/client.ts'
import Agents from '../../../renderer/screens/agents/agents.svelte'

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

beforeEach(() => {
  vi.mocked(call as (name: string) => Promise<unknown>).mockResolvedValue({ items: [], offset: 0, total: 0 })
  vi.mocked(subscribe).mockReturnValue(() => undefined)
})
afterEach(() => {
  cleanup()
  vi.resetAllMocks()
})

test.each([
  [undefined, 7],
  ['cops', 0],
] as const)('in the window of a kit (%s) no kits are offered', async (game, offered) => {
  kit.game = game
  render(Agents)
  expect(await screen.findByText('No agents yet')).toBeTruthy()
  expect(screen.queryAllByRole('button', { name: /^Download the .* kit$/ })).toHaveLength(offered)
})

test('the list is loaded once at first, and again with each change', async () => {
  const heard: (() => void)[] = []
  vi.mocked(subscribe as (topic: string, listener: () => void) => () => void).mockImplementation((topic, listener) => {
    // The first value of a topic is the present state.
    listener()
    if (topic === 'agents') heard.push(listener)
    return () => undefined
  })
  const loads = () => vi.mocked(call).mock.calls.filter(([name]) => name === 'agents.list')
  render(Agents)
  await screen.findByText('No agents yet')
  expect(loads()).toHaveLength(1)
  for (const listener of heard) listener()
  await waitFor(() => expect(loads()).toHaveLength(2))
})
