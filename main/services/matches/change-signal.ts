/** Lets readers wait for the next change that a writer reports. */
export interface ChangeSignal {
  /** Resolves at the next change. */
  next(): Promise<void>
  /** Reports a change. */
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
