import { render, screen } from '@testing-library/svelte'
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
afterEach(() => vi.resetAllMocks())

test.each([
  [undefined, 3],
  ['cops', 0],
] as const)('in the window of a kit (%s) no kits are offered', async (game, offered) => {
  kit.game = game
  render(Agents)
  expect(await screen.findByText('No agents yet')).toBeTruthy()
  expect(screen.queryAllByRole('button', { name: /^Download the .* kit$/ })).toHaveLength(offered)
})
