/** The progress and the cancellation of a task. */
export interface Following {
  readonly signal: AbortSignal
  /** Reports the progress, from 0 to 1. */
  onPart(part: number): void
}

/** Long-running work by subject. Callers that ask for work that is already running share it. */
export interface Tasks<S, V> {
  /** Rejects with the work's error, or with ExpectedError 'stopped' if it was stopped. */
  run(subject: S): Promise<V>
  /** Stops the work for all callers; does nothing if none is running. */
  stop(subject: S): void
  /** The progress from 0 to 1; null if none is running. `name`: the subject's name. */
  part(name: string): number | null
  /** Stops all work. */
  close(): void
}

interface Running<V> {
  readonly value: Promise<V>
  readonly stop: AbortController
  part: number
}

/** `onChange`: called with the subject's name when its work progresses or ends. */
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
