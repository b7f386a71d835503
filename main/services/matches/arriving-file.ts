import type { Coming } from './match-index.ts'
import { createChangeSignal } from './change-signal.ts'

/** The arrival of an announced file: its writer reports progress, its readers wait. */
export interface ArrivingFile {
  readonly coming: Coming
  /** Resolves when the whole file has arrived; rejects with the reason if it will not. */
  readonly whole: Promise<void>
  /** Reports the number of bytes that have arrived. */
  grow(have: number): void
  /** Ends the arrival, successfully or with a failure. Later calls have no effect. */
  end(failure?: Error): void
}

/** `end`: the file's last bytes. */
export function createArrivingFile(end: Buffer): ArrivingFile {
  let here = 0
  let over: { readonly failure: Error | undefined } | null = null
  const signal = createChangeSignal()
  const arrived = async (): Promise<void> => {
    while (over === null) await signal.next()
    if (over.failure !== undefined) throw over.failure
  }
  const whole = arrived()
  whole.catch(() => undefined)
  return {
    coming: {
      end,
      async more(have) {
        while (here <= have && over === null) await signal.next()
        if (here <= have) await whole
        return here > have
      },
    },
    whole,
    grow(have) {
      here = have
      signal.changed()
    },
    end(failure) {
      over ??= { failure }
      signal.changed()
    },
  }
}
