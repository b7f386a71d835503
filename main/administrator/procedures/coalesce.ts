/** A subscription of one screen, which gets the latest value at its own pace. */
export interface Coalescer<T> {
  push(value: T): void
  /** Discards undelivered values. */
  stop(): void
}

/**
 * Delivers the first value at once, then the latest value, at most once per `interval` ms and not before the previous
 * delivery has settled: a slow reader gets fewer values, never a queue. `deliver` does not reject.
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
