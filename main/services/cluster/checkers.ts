import type { WorkerProcess } from '../machine/worker-process.ts'
import type { CheckedRun, CheckReport, ContestSetup, MatchJob } from '../../worker/protocol.ts'
import { startWorker } from '../machine/workers.ts'

/** Processes that check the histories that come from other machines: they are untrusted, and checking takes time. */
export interface Checkers {
  /** Resolves when another history may be read; so no more than a few are held in memory. */
  room(): Promise<void>
  /**
   * Checks a history; see `checkRun`. Never rejects: a history with which a process ends, or that takes too long, is bad.
   * A process that is killed from outside checks the history again.
   */
  check(job: MatchJob, lines: string): Promise<CheckedRun>
  /** Resolves when all have exited. */
  close(): Promise<void>
}

/** Histories that wait for a free process, for each process. */
const WAITING = 1
/** ms that a check may take, and bytes for which it may take another ms. */
const CHECK_MS = 60_000
const BYTES_PER_MS = 1_000

interface Checker {
  readonly process: WorkerProcess<CheckReport | { readonly type: 'ready' }>
  /** Called with the verdict on the current history, or why there is none. */
  done: ((verdict: CheckedRun | { readonly type: 'ended'; readonly how: string }) => void) | null
}

/** Starts `count` processes for the histories of one contest. `launch`: for tests. */
export function createCheckers(
  setup: ContestSetup,
  count: number,
  launch: () => Checker['process'] = startWorker<CheckReport | { readonly type: 'ready' }>,
): Checkers {
  const idle: Checker[] = []
  const all = new Set<Checker>()
  const waiting: ((checker: Checker) => void)[] = []
  const wanting: (() => void)[] = []
  let held = 0
  let closed = false

  const start = (): Checker => {
    const checker: Checker = { process: launch(), done: null }
    all.add(checker)
    checker.process.onReport((report) => {
      if (report.type === 'checked') checker.done?.(report.checked)
    })
    checker.process.onExit((how) => {
      all.delete(checker)
      if (idle.includes(checker)) idle.splice(idle.indexOf(checker), 1)
      checker.done?.({ type: 'ended', how })
    })
    checker.process.send({ type: 'contest', setup })
    return checker
  }
  const free = (): Promise<Checker> => {
    const checker = idle.pop() ?? (all.size < count ? start() : undefined)
    return checker === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(checker)
  }
  const giveBack = (checker: Checker): void => {
    const next = waiting.shift()
    // A dead one will do when all are closed.
    if (next !== undefined) next(closed || all.has(checker) ? checker : start())
    else if (all.has(checker)) idle.push(checker)
  }

  const attempt = async (job: MatchJob, lines: string): Promise<CheckedRun | { type: 'ended'; how: string }> => {
    const checker = await free()
    const limit = CHECK_MS + lines.length / BYTES_PER_MS
    let timer: NodeJS.Timeout | undefined
    const verdict = await new Promise<Parameters<NonNullable<Checker['done']>>[0]>((resolve) => {
      checker.done = resolve
      if (closed) resolve({ type: 'ended', how: 'closed' })
      else if (all.has(checker)) checker.process.send({ type: 'check', job, lines })
      else resolve({ type: 'ended', how: 'signal' })
      timer = setTimeout(() => {
        resolve({ type: 'bad', message: `its check takes longer than ${Math.ceil(limit / 1_000)} s` })
        all.delete(checker)
        checker.process.kill()
      }, limit)
    })
    clearTimeout(timer)
    checker.done = null
    giveBack(checker)
    return verdict
  }

  return {
    async room() {
      if (held >= count * (1 + WAITING)) await new Promise<void>((resolve) => wanting.push(resolve))
    },
    async check(job, lines) {
      held += 1
      try {
        // A second signal is not an accident: the system may stop a process for what the history makes it do.
        for (const isLast of [false, true]) {
          const verdict = await attempt(job, lines)
          if (verdict.type !== 'ended') return verdict
          if (isLast || !verdict.how.startsWith('signal') || closed)
            return { type: 'bad', message: `the process that checked it ended (${verdict.how})` }
        }
        throw new Error('the second verdict is the last')
      } finally {
        held -= 1
        wanting.shift()?.()
      }
    },
    async close() {
      closed = true
      const exits = [...all].map(({ process }) => new Promise<void>((resolve) => process.onExit(() => resolve())))
      for (const { process } of all) process.kill()
      await Promise.all(exits)
    },
  }
}
