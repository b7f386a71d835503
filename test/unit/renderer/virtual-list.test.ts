import { fireEvent, render, screen } from '@testing-library/svelte'
import { createRawSnippet, tick } from 'svelte'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import VirtualList from '../../../renderer/parts/lists/virtual-list.svelte'
import { standInForLayout } from './layout.ts'

const row = createRawSnippet<[number]>((index) => ({ render: () => `<span>row ${index()}</span>` }))

// jsdom lays nothing out: the view is as high as a view may be.
beforeEach(() => {
  standInForLayout()
  return () => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  }
})

async function list(props: {
  count: number
  onpick?: (index: number) => void
  onrange?: (a: number, b: number) => void
}) {
  render(VirtualList, { label: 'Things', rowHeight: 40, row, ...props })
  await tick()
  return screen.getByRole('listbox', { name: 'Things' })
}

function chosen(): string | undefined {
  return screen.queryByRole('option', { selected: true })?.textContent.trim()
}

describe('virtual-list', () => {
  test('of a million rows draws those in sight, and says how many there are', async () => {
    const onrange = vi.fn()
    await list({ count: 1_000_000, onrange })
    const drawn = screen.getAllByRole('option')
    expect(drawn.length).toBeLessThan(40)
    expect(drawn[0]?.textContent.trim()).toBe('row 0')
    expect(drawn[0]?.getAttribute('aria-setsize')).toBe('1000000')
    expect(onrange).toHaveBeenLastCalledWith(0, drawn.length)
  })

  test('is walked with the keyboard from one end to the other', async () => {
    const onpick = vi.fn()
    const view = await list({ count: 1_000_000, onpick })
    for (const key of ['ArrowDown', 'ArrowDown']) await fireEvent.keyDown(view, { key })
    expect(chosen()).toBe('row 1')
    await fireEvent.keyDown(view, { key: 'Enter' })
    expect(onpick.mock.calls).toEqual([[1]])
    await fireEvent.keyDown(view, { key: 'End' })
    await fireEvent.scroll(view)
    expect(chosen()).toBe('row 999999')
    await fireEvent.keyDown(view, { key: 'ArrowDown' })
    expect(chosen()).toBe('row 999999')
    await fireEvent.keyDown(view, { key: 'PageUp' })
    await fireEvent.keyDown(view, { key: 'Home' })
    await fireEvent.scroll(view)
    expect(chosen()).toBe('row 0')
    expect(view.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { selected: true }).id)
  })

  test('a press picks a row; nothing is picked in an empty list', async () => {
    const onpick = vi.fn()
    await list({ count: 3, onpick })
    await fireEvent.click(screen.getByText('row 2'))
    expect(onpick.mock.calls).toEqual([[2]])
  })

  test('an empty list takes keys without harm', async () => {
    const onpick = vi.fn()
    const view = await list({ count: 0, onpick })
    for (const key of ['ArrowDown', 'End', 'Enter']) await fireEvent.keyDown(view, { key })
    expect(onpick).not.toHaveBeenCalled()
  })
})
