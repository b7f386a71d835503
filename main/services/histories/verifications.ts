import type { WorkerProcess } from '../../administrator/contests/worker-process.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { PublicKey } from '../../histories/keys.ts'
import type { VerifyVerdict } from '../../histories/verify.ts'
import type { VerifyReport } from '../../worker/protocol.ts'
import { startWorker } from '../machine/workers.ts'
import type { Following } from '../background-tasks.ts'

/**
 * Verifies histories in separate processes, because a large one takes seconds and a hostile one may crash its process.
 */
export interface Verifier {
  /**
   * `key`: the key that must have signed the history; null: the key in the file. Throws ExpectedError 'host' if the
   * worker ends or the file is gone, 'stopped' if the signal aborts.
   */
  verify(file: string, key: PublicKey | null, following: Following): Promise<VerifyVerdict>
  close(): void
}

/** The maximum number of verifications at a time; others wait. */
const AT_ONCE = 2

export function createVerifier(): Verifier {
  const workers = new Set<WorkerProcess<VerifyReport>>()
  const waiting: (() => void)[] = []
  let busy = 0

  const run = (file: string, key: PublicKey | null, { signal, onPart }: Following): Promise<VerifyVerdict> =>
    new Promise((resolve, reject) => {
      const stopped = (): void => reject(new ExpectedError('stopped', 'The verification was stopped.'))
      if (signal.aborted) return stopped()
      const worker = startWorker<VerifyReport>()
      workers.add(worker)
      const stop = (): void => {
        stopped()
        worker.kill()
      }
      signal.addEventListener('abort', stop, { once: true })
      worker.onReport((report) => {
        if (report.type === 'part') return onPart(report.part)
        if (report.type === 'verified') resolve(report.verdict)
        else reject(new ExpectedError('host', `The history could not be read: ${report.reason}.`))
        worker.kill()
      })
      worker.onExit((how) => {
        workers.delete(worker)
        signal.removeEventListener('abort', stop)
        // Has no effect once there is a verdict.
        reject(new ExpectedError('host', `The verification was ended (${how}).`))
      })
      worker.send({ type: 'verify', file, key })
    })

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
        return await run(file, key, following)
      } finally {
        busy--
        waiting.shift()?.()
      }
    },
    close() {
      for (const worker of workers) worker.kill()
    },
  }
}
