/** Lets any number of readers wait for the next change of something that one writer changes. */
export interface ChangeSignal {
  /** Resolves at the next change. */
  next(): Promise<void>
  /** Says that something has changed. */
  changed(): void
}

export function createChangeSignal(): ChangeSignal {
  let waiting: (() => void)[] = []
  return {
    next: () => new Promise((resolve) => waiting.push(resolve)),
    changed() {
      const all = waiting
      waiting = []
      for (const each of all) each()
    },
  }
}
