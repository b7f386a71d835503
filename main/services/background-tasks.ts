/** How a task is followed, and ended. */
export interface Following {
  readonly signal: AbortSignal
  /** How much is done, 0 to 1. */
  onPart(part: number): void
}

/** Work that takes its time, by what it is about: whoever asks for some that runs waits for the same. */
export interface Tasks<S, V> {
  /** Rejects as the work does, and with ExpectedError 'stopped' where somebody stops it. */
  run(subject: S): Promise<V>
  /** Ends it for all who wait; nothing happens where none runs. */
  stop(subject: S): void
  /** How much is done, 0 to 1; null: none runs. `name`: the subject's. */
  part(name: string): number | null
  close(): void
}

interface Running<V> {
  readonly value: Promise<V>
  readonly stop: AbortController
  part: number
}

/** `onChange` is told the name of a subject whose work has come on, or is over. */
export function createTasks<S, V>(
  nameOf: (subject: S) => string,
  begin: (subject: S, following: Following) => Promise<V>,
  onChange: (name: string) => void,
): Tasks<S, V> {
  const running = new Map<string, Running<V>>()
  return {
    run(subject) {
      const name = nameOf(subject)
      const known = running.get(name)
      if (known !== undefined) return known.value
      const stop = new AbortController()
      const onPart = (part: number): void => {
        own.part = part
        onChange(name)
      }
      const value = begin(subject, { signal: stop.signal, onPart }).finally(() => {
        running.delete(name)
        onChange(name)
      })
      const own: Running<V> = { value, stop, part: 0 }
      running.set(name, own)
      onChange(name)
      return value
    },
    stop: (subject) => running.get(nameOf(subject))?.stop.abort(),
    part: (name) => running.get(name)?.part ?? null,
    close() {
      for (const { stop } of running.values()) stop.abort()
    },
  }
}
