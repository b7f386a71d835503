import { ExpectedError } from '../../contract/expected-error.ts'
import { sentence } from '../../contract/sentence.ts'
import type { ReadMatch, SwingOfMatch, SwingsReport } from '../../worker/protocol.ts'
import { yieldCores } from '../machine/priority.ts'
import { startReader } from '../machine/reader.ts'
import type { WorkerProcess } from '../machine/worker-process.ts'

/** Replays matches for their swings in a process of its own, one after the other, so that a hostile history cannot end this one. */
export interface SwingReader {
  /** `find`: gives the match when its turn has come. Rejects like it, or with ExpectedError 'host' if the match cannot be read. */
  of(find: () => Promise<ReadMatch>): Promise<readonly SwingOfMatch[]>
  /** Ends the process; what waits is rejected. Idempotent. */
  close(): void
}

/** ms for which everybody waits for a match at most; a longer one counts as one without swings. */
const LONGEST_MS = 120_000
/** ms without a match after which the process ends: to start one takes longer than to replay most matches. */
const IDLE_MS = 10_000
/** Matches that are played meanwhile have limited time. */
const NICE = 10

/** A process that replays. */
interface Replaying {
  readonly worker: WorkerProcess<SwingsReport>
  /** Resolves with how it has exited. */
  readonly exited: Promise<string>
  /** The result of the match that it replays. */
  report: PromiseWithResolvers<Exclude<SwingsReport, { type: 'replaying' }>>
}

export function createSwingReader(): SwingReader {
  let running: Replaying | null = null
  let idle: NodeJS.Timeout | undefined
  let closed = false
  /** Settles when the matches asked for so far have been replayed. */
  let turn: Promise<unknown> = Promise.resolve()

  const stop = (): void => {
    running?.worker.kill()
    running = null
  }

  const begin = (): Replaying => {
    const begun = start()
    void begun.exited.then(() => {
      if (running === begun) running = null
    })
    return begun
  }

  const replay = async (find: () => Promise<ReadMatch>): Promise<readonly SwingOfMatch[]> => {
    const match = await find()
    if (closed) throw stopped()
    clearTimeout(idle)
    const now = (running ??= begin())
    now.report = Promise.withResolvers()
    now.worker.send({ type: 'swings', match })
    const late = AbortSignal.timeout(LONGEST_MS)
    late.addEventListener('abort', now.worker.kill)
    const ended = await Promise.race([now.report.promise, now.exited])
    late.removeEventListener('abort', now.worker.kill)
    if (late.aborted) return []
    if (typeof ended === 'string') throw unread(`its process ended (${ended})`)
    idle = setTimeout(stop, IDLE_MS).unref()
    if (ended.type === 'unread') throw unread(ended.reason)
    return ended.swings
  }

  return {
    of(find) {
      const swings = turn.then(() => {
        if (closed) throw stopped()
        return replay(find)
      })
      turn = swings.catch(() => undefined)
      return swings
    },
    close() {
      closed = true
      clearTimeout(idle)
      stop()
    },
  }
}

const stopped = (): ExpectedError => new ExpectedError('stopped', 'stopped', 'The class has been closed.')

const unread = (why: string): ExpectedError =>
  new ExpectedError('host', 'history-unreadable', sentence(`The match could not be read: ${why}`))

function start(): Replaying {
  const worker = startReader<SwingsReport>()
  yieldCores(worker.pid, NICE)
  const exited = Promise.withResolvers<string>()
  const replaying: Replaying = { worker, exited: exited.promise, report: Promise.withResolvers() }
  worker.onReport((report) => {
    if (report.type !== 'replaying') replaying.report.resolve(report)
  })
  worker.onExit((how) => exited.resolve(how))
  return replaying
}
