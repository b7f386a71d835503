/** Subscriptions to topics. Values are computed only while somebody listens, and at most every `PAUSE` ms. */
export interface Signals {
  /** Reports that the value of a topic has changed. */
  touch(topic: string): void
  /** Calls back with the topic's value now and after changes. Returns a function that unsubscribes. */
  on(topic: string, listener: (value: unknown) => void): () => void
  /** The number of those who listen to a topic. */
  listening(topic: string): number
  close(): void
}

/** In ms. Screens update at most every 250 ms, so more frequent values would be wasted. */
const PAUSE = 100

/** `value`: computes a topic's value; `failed`: receives the errors of that. */
export function createSignals(
  value: (topic: string) => unknown,
  failed: (error: unknown, topic: string) => void,
): Signals {
  const listeners = new Map<string, Set<(value: unknown) => void>>()
  const timers = new Map<string, NodeJS.Timeout>()
  let asked = 0
  /** When each listener's last value was asked for: values may be computed in another order. */
  const newest = new WeakMap<(value: unknown) => void, number>()

  const tell = async (topic: string, to: Iterable<(value: unknown) => void>): Promise<void> => {
    const mine = ++asked
    try {
      const told = await value(topic)
      for (const listener of to) {
        if (listeners.get(topic)?.has(listener) !== true || mine < (newest.get(listener) ?? 0)) continue
        newest.set(listener, mine)
        listener(told)
      }
    } catch (error) {
      failed(error, topic)
    }
  }

  return {
    touch(topic) {
      if (!listeners.has(topic) || timers.has(topic)) return
      const timer = setTimeout(() => {
        timers.delete(topic)
        void tell(topic, [...(listeners.get(topic) ?? [])])
      }, PAUSE)
      timers.set(topic, timer)
    },
    on(topic, listener) {
      const all = listeners.get(topic) ?? new Set()
      // A wrapper, so that the same function can subscribe twice.
      const own = (told: unknown): void => listener(told)
      listeners.set(topic, all.add(own))
      void tell(topic, [own])
      return () => {
        all.delete(own)
        if (all.size === 0) listeners.delete(topic)
      }
    },
    listening: (topic) => listeners.get(topic)?.size ?? 0,
    close() {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
      listeners.clear()
    },
  }
}
