import { ExpectedError } from '../../contract/expected-error.ts'
import type { PublicKey } from '../../histories/keys.ts'
import type { VerifyVerdict } from '../../histories/verify.ts'
import type { VerifyReport } from '../../worker/protocol.ts'
import type { Following } from '../background-tasks.ts'
import { startReader, type ReaderLimits } from '../machine/reader.ts'
import { sentence } from '../../contract/sentence.ts'

/** A process that verifies histories one after the other. */
export interface VerifyingProcess {
  /**
   * `key`: the key that must have signed the history; null: the key in the file. Throws ExpectedError 'host' if the
   * process ends or the file is gone, 'stopped' if the signal aborts; the process must then be closed. Call it again
   * only when the last verification has ended.
   */
  verify(file: string, key: PublicKey | null, following: Following): Promise<VerifyVerdict>
  /** True when the process has ended and can verify nothing more. */
  readonly ended: boolean
  close(): void
}

interface Job {
  readonly done: (verdict: VerifyVerdict) => void
  readonly failed: (error: ExpectedError) => void
  readonly onPart: (part: number) => void
}

/** `onEnd`: called when the process has ended. `limits`: by default, those of every file of a stranger. */
export function startVerifyingProcess(onEnd: () => void, limits?: ReaderLimits): VerifyingProcess {
  const worker = startReader<VerifyReport>(limits)
  let job: Job | null = null
  let ended: string | null = null

  const failure = (how: string): ExpectedError =>
    new ExpectedError('host', 'verification-limit', `The verification was ended (${how}).`)
  worker.onReport((report) => {
    if (report.type === 'part') job?.onPart(report.part)
    else if (report.type === 'verified') job?.done(report.verdict)
    else
      job?.failed(
        new ExpectedError('host', 'history-unreadable', sentence(`The history could not be read: ${report.reason}`)),
      )
  })
  worker.onExit((how) => {
    ended = how
    job?.failed(failure(how))
    onEnd()
  })

  return {
    verify: (file, key, { signal, onPart }) =>
      new Promise<VerifyVerdict>((resolve, reject) => {
        const stop = (): void => reject(new ExpectedError('stopped', 'stopped', 'The verification was stopped.'))
        if (signal.aborted) return stop()
        if (ended !== null) return reject(failure(ended))
        const settled = (): void => signal.removeEventListener('abort', stop)
        const done = (verdict: VerifyVerdict): void => {
          settled()
          resolve(verdict)
        }
        const failed = (error: ExpectedError): void => {
          settled()
          reject(error)
        }
        signal.addEventListener('abort', stop, { once: true })
        job = { done, failed, onPart }
        worker.send({ type: 'verify', file, key })
      }),
    get ended() {
      return ended !== null
    },
    close: () => worker.kill(),
  }
}
