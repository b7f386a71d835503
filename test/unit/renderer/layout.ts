import { vi } from 'vitest'

/** jsdom lays nothing out: everything is 400 pixels high and never changes its size. Undone by vi's own restoring. */
export function standInForLayout(): void {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  )
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400)
}
