import type { WorkerProcess } from '../../administrator/contests/worker-process.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { HistoryVerdict } from '../../contract/procedures.ts'
import type { PublicKey } from '../../histories/keys.ts'
import type { VerifyVerdict, VerifiedMatch } from '../../histories/verify.ts'
import type { VerifyReport } from '../../worker/protocol.ts'
import { startBackgroundWorker } from '../machine/workers.ts'
import type { Following } from '../background-tasks.ts'

/** Verifies histories in processes of their own: a large one takes seconds, and whatever it holds ends nothing here. */
export interface Verifier {
  /**
   * `key`: whose signature it must be; null: that of the key in the file. Throws ExpectedError 'host' when the worker ends or the
   * file is gone, and 'stopped' when the signal comes.
   */
  verify(file: string, key: PublicKey | null, following: Following): Promise<HistoryVerdict>
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
      const worker = startBackgroundWorker<VerifyReport>()
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
        return toldVerdict(await run(file, key, following))
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

/** A verdict in words. */
function toldVerdict(verdict: VerifyVerdict): HistoryVerdict {
  if (!verdict.ok) return verdict
  const { match } = verdict
  const { contest, keyChecked, replayed, notes, redacted } = match
  const left =
    redacted === 0 ? [] : [`${redacted} private lines of what agents printed are left out; their hashes were checked.`]
  return {
    ok: true,
    contest,
    match: match.match,
    keyChecked,
    replayed,
    checked: checkedIn(match),
    notes: [...notes, ...left],
  }
}

function checkedIn({ lines, inputs, count, game, version, keyChecked, replayed }: VerifiedMatch): readonly string[] {
  return [
    `All ${lines} lines are complete, in order and unchanged: each is bound to those before it by SHA-256.`,
    'The seed is the one that was committed to before the match began.',
    ...(replayed
      ? [
          `All ${inputs} inputs were played again through the rules of ${game}, version ${version}: every state that is noted and the outcome are the same.`,
        ]
      : []),
    `The match is one of the ${count} finished matches under the contest's root.`,
    keyChecked ? "The root is signed with this class's key." : 'The root is signed with the key in the file.',
  ]
}
