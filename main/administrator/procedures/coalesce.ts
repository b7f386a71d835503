/** A subscription of one screen: however often a value comes, the screen gets the newest one at its own pace. */
export interface Coalescer<T> {
  push(value: T): void
  /** Drops what has not been delivered. */
  stop(): void
}

/**
 * Delivers the first value at once, and from then on the newest value that has come, at most once in `interval` ms and not
 * before the last one has been taken: a slow reader gets fewer values, never a queue. `deliver` does not reject.
 */
export function coalesce<T>(deliver: (value: T) => Promise<void>, interval: number): Coalescer<T> {
  let newest: { readonly value: T } | null = null
  let timer: NodeJS.Timeout | undefined
  let taken = true
  let stopped = false

  const next = (): void => {
    if (newest === null || !taken || timer !== undefined || stopped) return
    const { value } = newest
    newest = null
    taken = false
    timer = setTimeout(() => {
      timer = undefined
      next()
    }, interval)
    void deliver(value).then(() => {
      taken = true
      next()
    })
  }

  return {
    push(value) {
      newest = { value }
      next()
    },
    stop() {
      stopped = true
      newest = null
      clearTimeout(timer)
    },
  }
}
