import { PATIENCE } from '../contract/limits.ts'

/** What a process and all below it have done since they were given something to do. In ms, over all threads. */
export interface Effort {
  /** On a core. */
  readonly runMs: number
  /** Ready to run, while others had the cores. */
  readonly waitMs: number
}

/** Whose fault it is that a limit has passed; or that it has not yet, for so many ms more. */
export type Verdict = { readonly kind: 'timeout' | 'stall' | 'host' } | { readonly moreMs: number }

/** An agent that was on a core for less than this share of its own time was not at work. */
const stallShare = 0.01
/** Waiting for less than this share of a limit is what every program of a shared machine lives with. */
const delayShare = 0.1
const shortestMs = 5

/**
 * Judges a limit that has passed on the wall clock. What an agent waited for a core is not its own time: it gets that much
 * more, unless it has computed for the whole limit already, whatever it waited for (its own threads get into each other's
 * way, too). Who has to wait for `PATIENCE` times the limit is not to be judged on this machine now: `host`. `effort` null:
 * the system does not say, and the wall clock alone decides.
 */
export function judge(limitMs: number, tookMs: number, effort: Effort | null): Verdict {
  if (effort === null) return { kind: 'timeout' }
  const { runMs, waitMs } = effort
  const delayMs = Math.min(waitMs, tookMs)
  const ownMs = tookMs - delayMs
  const dueMs = limitMs - ownMs
  if (runMs >= limitMs || dueMs <= 0 || delayMs < limitMs * delayShare) {
    return { kind: runMs < ownMs * stallShare ? 'stall' : 'timeout' }
  }
  const leftMs = limitMs * PATIENCE - tookMs
  return leftMs <= 0 ? { kind: 'host' } : { moreMs: Math.max(shortestMs, Math.min(dueMs, leftMs)) }
}

/** How a limit came to its end. */
export interface Overtime {
  readonly kind: 'timeout' | 'stall' | 'host'
  readonly tookMs: number
}

/**
 * Starts a limit's clock. `late` is called once, when the limit is over by `judge`, and what has arrived by then has been
 * read: a slow turn of ours costs nobody a move. Returns what stops it.
 */
export function startLimit(limitMs: number, effort: () => Effort | null, late: (over: Overtime) => void): () => void {
  const startedAt = performance.now()
  let timer: NodeJS.Timeout
  let stopped = false
  const check = (): void => {
    if (stopped) return
    const tookMs = performance.now() - startedAt
    const verdict = judge(limitMs, tookMs, effort())
    if ('moreMs' in verdict) alarm(verdict.moreMs)
    else late({ kind: verdict.kind, tookMs })
  }
  const alarm = (ms: number): void => {
    timer = setTimeout(() => setImmediate(check), ms)
  }
  alarm(limitMs)
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}

/** In words: what an agent that `what` (as in "gave no answer") is told. */
export function overtimeText({ kind }: Overtime, limitMs: number, what: string): string {
  if (kind === 'stall') return `The agent used no computing time and ${what} within ${limitMs} ms.`
  if (kind === 'timeout') return `The agent ${what} within ${limitMs} ms.`
  return `This machine was too busy: the agent ${what} within ${limitMs} ms, and had to wait for a processor.`
}
