import type * as z from 'zod'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ErrorCode } from '../../contract/error-codes.ts'
import { launchWorker, type WorkerProcess } from './worker-process.ts'
import { watchReader, type ReaderLimits } from './reader.ts'
import { resources } from './resources.ts'

// Texts of strangers are read in a process of its own. A hostile one can take seconds to parse; the main process must not stand
// still meanwhile, because it passes on the bytes of network agents, whose time runs.

/** A reading of a stranger's text: a function of its input alone, which can be copied to another process, like its result. */
export interface ReadingJob<I, O> {
  /** Names the job between the processes. */
  readonly name: string
  /** The text in messages, as in "a challenge". */
  readonly what: string
  /** The form of its result, which is checked: another process has made it. */
  readonly result: z.ZodType<O>
  /** Throws ExpectedError if the text is wrong. */
  readonly read: (input: I) => O | Promise<O>
}

export const readingJob = <I, O>(job: ReadingJob<I, O>): ReadingJob<I, O> => job

/** To the reading process. */
export interface ReadingOrder {
  readonly type: 'job'
  readonly job: string
  readonly input: unknown
}

/** From the reading process: a job has begun, then its result. */
export type ReadingReport =
  | { readonly type: 'begun' }
  | { readonly type: 'result'; readonly value: unknown }
  | {
      readonly type: 'refused'
      readonly kind: ExpectedError['kind']
      readonly code: ErrorCode
      readonly message: string
    }
  /** A bug of ours. */
  | { readonly type: 'failed'; readonly message: string }

/** The words of `watchReader` for a limit that was passed. */
const overLimit = /^it (?:took|computed)/
const limits: ReaderLimits = { memoryMb: 1_024, silentSeconds: 20 }
/** No text takes so long, whatever the system says about computing time. ms. */
const LONGEST_MS = 120_000
/** Processes at a time: a text that takes long does not hold up all others. */
const PROCESSES_MAX = 2
/** A process without work is kept so long. ms. */
const IDLE_MS = 300_000

interface Waiting {
  readonly order: ReadingOrder
  /** It was with a process that ended, perhaps for what it had read before. */
  retried: boolean
  readonly what: string
  readonly result: PromiseWithResolvers<unknown>
}

interface Reader {
  readonly process: WorkerProcess<ReadingReport, ReadingOrder>
  /** The job that it is at; null: none. */
  job: Waiting | null
  /** The number of jobs that it was given. */
  jobs: number
  /** Ends the process when the job takes too long, or nothing has come for long. */
  timer: NodeJS.Timeout | undefined
  /** Why it was ended by us. */
  why: string | null
}

/** The reading processes of this program. */
interface Pool {
  readonly readers: Set<Reader>
  readonly queue: Waiting[]
  /** The number of those who want texts read in other processes; none: texts are read here. */
  users: number
}

const pool: Pool = { readers: new Set(), queue: [], users: 0 }

/**
 * From now on texts are read in processes of their own, until the returned function is called. They start when they are needed. The
 * command line, which has nobody to hold up, reads by itself.
 */
export function readElsewhere(): () => void {
  pool.users += 1
  let open = true
  return () => {
    if (!open) return
    open = false
    pool.users -= 1
    if (pool.users > 0) return
    for (const reader of pool.readers) end(reader, 'the program was closed')
    for (const { what, result } of pool.queue.splice(0))
      result.reject(new ExpectedError('stopped', 'stopped', `Reading ${what} was stopped: the program was closed.`))
  }
}

/**
 * The result of a job. Rejects with ExpectedError: its own, or 'reading-limit' if it took more memory or time than a text may, which
 * says which.
 */
export async function readText<I, O>(job: ReadingJob<I, O>, input: I): Promise<O> {
  if (pool.users === 0) return job.read(input)
  const result = Promise.withResolvers<unknown>()
  pool.queue.push({ order: { type: 'job', job: job.name, input }, retried: false, what: job.what, result })
  assign()
  return job.result.parse(await result.promise)
}

function assign(): void {
  while (pool.queue.length > 0) {
    const free = [...pool.readers].find(({ job, why }) => job === null && why === null)
    if (free === undefined && pool.readers.size >= PROCESSES_MAX) return
    const reader = free ?? start()
    const next = pool.queue.shift()!
    reader.job = next
    reader.jobs += 1
    after(reader, LONGEST_MS, `it took more than ${LONGEST_MS / 1_000} s`)
    reader.process.send(next.order)
  }
}

function start(): Reader {
  const process = watchReader(launchWorker<ReadingReport, ReadingOrder>(resources.node, resources.reader), limits)
  const reader: Reader = { process, job: null, jobs: 0, timer: undefined, why: null }
  pool.readers.add(reader)
  process.onReport((report) => {
    if (report.type !== 'begun') take(reader, report)
  })
  process.onExit((how, stderr) => exited(reader, how, stderr))
  return reader
}

function after(reader: Reader, ms: number, why: string): void {
  clearTimeout(reader.timer)
  reader.timer = setTimeout(() => end(reader, why), ms).unref()
}

function end(reader: Reader, why: string): void {
  reader.why ??= why
  reader.process.kill()
}

function take(reader: Reader, report: Exclude<ReadingReport, { type: 'begun' }>): void {
  const { job } = reader
  reader.job = null
  after(reader, IDLE_MS, 'it had nothing to read')
  if (report.type === 'result') job?.result.resolve(report.value)
  else if (report.type === 'refused') job?.result.reject(new ExpectedError(report.kind, report.code, report.message))
  else job?.result.reject(new Error(`Reading ${job.what} failed: ${report.message}`))
  assign()
}

function exited(reader: Reader, how: string, stderr: string): void {
  clearTimeout(reader.timer)
  pool.readers.delete(reader)
  const { job } = reader
  if (job !== null && pool.users > 0 && reader.jobs > 1 && !job.retried) {
    // The memory of the texts before it may have been what was too much.
    job.retried = true
    pool.queue.unshift(job)
  } else if (job !== null) job.result.reject(failureOf(reader, job, how, stderr))
  assign()
}

/** The error of a job whose process has ended. Only a limit is the fault of its text. */
function failureOf({ why }: Reader, { what }: Waiting, how: string, stderr: string): ExpectedError {
  const limit = why ?? (/heap out of memory/.test(stderr) ? 'it took more memory than there is for it' : null)
  const message = `Reading ${what} was stopped: ${limit ?? how}.`
  if (pool.users === 0) return new ExpectedError('stopped', 'stopped', message)
  return limit !== null || overLimit.test(how)
    ? new ExpectedError('usage', 'reading-limit', message)
    : new ExpectedError('host', 'system-error', message)
}
