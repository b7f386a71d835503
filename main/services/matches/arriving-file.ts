import type { Coming } from './match-index.ts'
import { createChangeSignal } from './change-signal.ts'

/** How a file that was announced comes in: told by whoever writes it, waited for by whoever reads it. */
export interface ArrivingFile {
  readonly coming: Coming
  /** Resolves when all of it is here; rejects with why it will not be. */
  readonly whole: Promise<void>
  /** So many bytes are here. */
  grow(have: number): void
  /** Nothing more comes: it is whole, or why not. What is said later changes nothing. */
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
