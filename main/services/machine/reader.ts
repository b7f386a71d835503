import { effortsOf, memoryBytes } from '../../players/proc.ts'
import type { WorkerProcess } from './worker-process.ts'
import { startWorker } from './workers.ts'

/** The limits of a process that reads a file. */
export interface ReaderLimits {
  /** Resident memory in MB. */
  readonly memoryMb: number
  /** Processor time in seconds between two reports of the worker. */
  readonly silentSeconds: number
}

const usualLimits: ReaderLimits = { memoryMb: 2_048, silentSeconds: 60 }
const sampleMs = 250

/**
 * Starts a worker that reads files of strangers. It is ended if it exceeds a limit; `how` of `onExit` then says which one,
 * as in "it took more than 2048 MB of memory". The limits hold on Linux; elsewhere V8's own limit of its heap does.
 */
export function startReader<R>(limits: ReaderLimits = usualLimits): WorkerProcess<R> {
  return watchReader(startWorker<R>(), limits)
}

/** Ends a process when it exceeds a limit; see `startReader`. */
export function watchReader<R, C extends object>(
  worker: WorkerProcess<R, C>,
  { memoryMb, silentSeconds }: ReaderLimits,
): WorkerProcess<R, C> {
  const { pid } = worker
  let why: string | null = null
  /** Processor time at the last report, in ms; null: not known yet. */
  let computedMs: number | null = null

  const whyTooMuch = (watched: number): string | null => {
    if (memoryBytes([watched]) > memoryMb * 1_048_576) return `it took more than ${memoryMb} MB of memory`
    const nowMs = [...effortsOf([watched]).values()].reduce((sum, { runMs }) => sum + runMs, 0)
    const fromMs = (computedMs ??= nowMs)
    return nowMs - fromMs > silentSeconds * 1_000
      ? `it computed for more than ${silentSeconds} s without making progress`
      : null
  }
  const timer = setInterval(() => {
    why ??= pid === undefined ? null : whyTooMuch(pid)
    if (why !== null) worker.kill()
  }, sampleMs)
  timer.unref()
  worker.onReport(() => (computedMs = null))
  worker.onExit(() => clearInterval(timer))
  return { ...worker, onExit: (listener) => worker.onExit((how, stderr) => listener(why ?? how, stderr)) }
}
