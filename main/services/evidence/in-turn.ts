import { ExpectedError } from '../../contract/expected-error.ts'

/** Does work for somebody when all work that was asked for before is done. Each person has one piece of work at a time. */
type InTurn = <T>(who: string, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/**
 * `busy`: the sentence for somebody whose work is not done yet; they get it as ExpectedError `busy`. If the signal aborts before the turn
 * comes, that is ExpectedError `stopped`.
 */
export function createTurns(busy: string): InTurn {
  const waiting = new Set<string>()
  let last: Promise<unknown> = Promise.resolve()
  return async (who, work, signal) => {
    if (waiting.has(who)) throw new ExpectedError('usage', 'busy', busy)
    waiting.add(who)
    const before = last
    const done = Promise.withResolvers<null>()
    last = before.then(() => done.promise)
    try {
      await unlessAborted(before, signal)
      return await work()
    } finally {
      waiting.delete(who)
      done.resolve(null)
    }
  }
}

async function unlessAborted(before: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) {
    await before
    return
  }
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(new ExpectedError('stopped', 'stopped', 'It was stopped before it began.'))
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    await Promise.race([before, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
