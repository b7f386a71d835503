/** Who wants to know of changes. Values are made when somebody listens, and not more often than every `PAUSE` ms. */
export interface Signals {
  /** Something that the topic tells of has changed. */
  touch(topic: string): void
  /** Calls back with the topic's value now and after changes. Gives the function that ends it. */
  on(topic: string, listener: (value: unknown) => void): () => void
  close(): void
}

/** Screens take a quarter of a second at best; between two values nobody is asked for one. */
const PAUSE = 100

/** `value` makes a topic's value; `failed` hears what it throws or rejects with. */
export function createSignals(
  value: (topic: string) => unknown,
  failed: (error: unknown, topic: string) => void,
): Signals {
  const listeners = new Map<string, Set<(value: unknown) => void>>()
  const timers = new Map<string, NodeJS.Timeout>()

  const tell = async (topic: string, to: Iterable<(value: unknown) => void>): Promise<void> => {
    try {
      const told = await value(topic)
      for (const listener of to) if (listeners.get(topic)?.has(listener) === true) listener(told)
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
      // The same function may listen twice.
      const own = (told: unknown): void => listener(told)
      listeners.set(topic, all.add(own))
      void tell(topic, [own])
      return () => {
        all.delete(own)
        if (all.size === 0) listeners.delete(topic)
      }
    },
    close() {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
      listeners.clear()
    },
  }
}
