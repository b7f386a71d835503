import type { PublicKey } from '../../histories/keys.ts'
import type { VerifyVerdict } from '../../histories/verify.ts'
import type { Following } from '../background-tasks.ts'
import { startVerifyingProcess, type VerifyingProcess } from './verifying-process.ts'

/**
 * Verifies histories in separate processes, because a large one takes seconds and a hostile one may crash its process.
 */
export interface Verifier {
  /** Verifies in a process of its own; see VerifyingProcess. */
  verify(file: string, key: PublicKey | null, following: Following): Promise<VerifyVerdict>
  /**
   * For many histories of this class, one after the other in one process. If a history ends the process, the next one gets
   * a new process. The caller closes the series.
   */
  series(): Series
  close(): void
}

/** See VerifyingProcess. */
export type Series = Pick<VerifyingProcess, 'verify' | 'close'>

/** The maximum number of verifications at a time; others wait. */
const AT_ONCE = 2

export function createVerifier(): Verifier {
  const running = new Set<VerifyingProcess>()
  const waiting: (() => void)[] = []
  let busy = 0

  const start = (): VerifyingProcess => {
    const own = startVerifyingProcess(() => running.delete(own))
    running.add(own)
    return own
  }

  /** Resolves when a process may start, or when the signal aborts. */
  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve)
      const leave = (): void => {
        const at = waiting.indexOf(resolve)
        if (at !== -1) waiting.splice(at, 1)
        resolve()
      }
      signal.addEventListener('abort', leave, { once: true })
    })

  return {
    async verify(file, key, following) {
      if (busy >= AT_ONCE) await turn(following.signal)
      busy++
      try {
        const own = start()
        try {
          return await own.verify(file, key, following)
        } finally {
          own.close()
        }
      } finally {
        busy--
        waiting.shift()?.()
      }
    },
    series() {
      let current: VerifyingProcess | null = null
      return {
        verify(file, key, following) {
          if (current === null || current.ended) current = start()
          return current.verify(file, key, following)
        },
        close: () => current?.close(),
      }
    },
    close() {
      for (const each of running) each.close()
    },
  }
}
