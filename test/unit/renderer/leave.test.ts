import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import Leave from '../../../renderer/frame/leave.svelte'
import { askFirst } from '../../../renderer/navigation/leaving.svelte.ts'

const cost = { title: 'Leave?', text: 'It is lost.', leave: 'Go', stay: 'Stay' }
let end: (() => void) | null = null
afterEach(() => {
  end?.()
  cleanup()
})

test('a person who wants to leave is asked, and goes only where they say so', async () => {
  end = askFirst(cost)
  const onleave = vi.fn()
  const { rerender } = render(Leave, { to: '#/class', onleave })
  await fireEvent.click(await screen.findByRole('button', { name: 'Stay' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(onleave).not.toHaveBeenCalled()
  await rerender({ to: '#/agents', onleave })
  await fireEvent.click(await screen.findByRole('button', { name: 'Go' }))
  expect(onleave.mock.calls).toEqual([['#/agents']])
})

test('nobody is asked any more when leaving costs nothing', async () => {
  end = askFirst(cost)
  render(Leave, { to: '#/class', onleave: vi.fn() })
  await screen.findByRole('dialog')
  end()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a browser that is about to close the page asks, too', () => {
  end = askFirst(cost)
  expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false)
  end()
  expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true)
})
