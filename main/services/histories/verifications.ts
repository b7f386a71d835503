import type { WorkerProcess } from '../../administrator/contests/worker-process.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { PublicKey } from '../../histories/keys.ts'
import type { VerifyVerdict } from '../../histories/verify.ts'
import type { VerifyReport } from '../../worker/protocol.ts'
import { startWorker } from '../machine/workers.ts'
import type { Following } from '../background-tasks.ts'

/**
 * Verifies histories in processes of their own: a large one takes seconds, and whatever it holds ends nothing here. Somebody waits
 * for each, so they have the same priority as a contest's matches.
 */
export interface Verifier {
  /**
   * `key`: whose signature it must be; null: that of the key in the file. Throws ExpectedError 'host' when the worker ends or the
   * file is gone, and 'stopped' when the signal comes.
   */
  verify(file: string, key: PublicKey | null, following: Following): Promise<VerifyVerdict>
  close(): void
}

/** So many at a time; the others wait. */
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
        else reject(new ExpectedError('host', `The history could not be read for its verification: ${report.reason}.`))
        worker.kill()
      })
      worker.onExit((how) => {
        workers.delete(worker)
        signal.removeEventListener('abort', stop)
        // Says nothing where the verdict is there already.
        reject(new ExpectedError('host', `The verification was ended (${how}).`))
      })
      worker.send({ type: 'verify', file, key })
    })

  /** Resolves when it is one's turn, or the signal comes. */
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
