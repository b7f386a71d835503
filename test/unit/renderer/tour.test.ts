import { cleanup, fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import { call } from '../../../renderer/connection/client.ts'
import Tour from '../../../renderer/frame/tour.svelte'
import { loadSettings } from '../../../renderer/settings.svelte.ts'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
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
