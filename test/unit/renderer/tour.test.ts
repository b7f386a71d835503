import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import { call, subscribe } from '../../../renderer/connection/client.ts'
import { followRunning } from '../../../renderer/frame/running.svelte.ts'
import { gameWindows } from '../../../renderer/games.ts'
import Tour from '../../../renderer/frame/tour.svelte'
import { loadSettings } from '../../../renderer/settings.svelte.ts'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
  subscribe: vi.fn(),
}))

afterEach(cleanup)

test('after the tour one begins in the class, where things happen', async () => {
  vi.mocked(call as (name: string) => Promise<unknown>).mockResolvedValue({ tourSeen: false, appearance: 'system' })
  await loadSettings()
  render(Tour)
  for (let step = 1; step < 5; step++) await fireEvent.click(screen.getByRole('button', { name: 'Next' }))
  expect(location.hash).toBe('#/histories')
  await fireEvent.click(screen.getByRole('button', { name: 'Begin' }))
  expect(location.hash).toBe('#/class')
  expect(call).toHaveBeenLastCalledWith('settings.set', { tourSeen: true })
})

test('the tour names every game and says only what is so', async () => {
  vi.mocked(call as (name: string) => Promise<unknown>).mockResolvedValue({ tourSeen: false, appearance: 'system' })
  let tell: (contests: readonly object[]) => void = () => undefined
  vi.mocked(subscribe as (topic: string, listener: typeof tell) => () => void).mockImplementation((_, listener) => {
    tell = listener
    return () => undefined
  })
  await loadSettings()
  followRunning()
  render(Tour)
  const said = (): string => screen.getByRole('region').textContent
  for (const { title } of gameWindows) expect(said()).toContain(title)
  // Before the program has said what runs, the tour does not claim that anything does.
  expect(said()).not.toMatch(/running|being played/)
  tell([])
  await waitFor(() => expect(said()).toContain('No contest is running'))
  tell([{ contest: 'c-1', title: 'Sample contest', state: 'running' }])
  await waitFor(() => expect(said()).toContain('“Sample contest” is being played now.'))
  expect(said()).not.toContain('No contest is running')
})
