import type * as z from 'zod'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ErrorCode } from '../../contract/error-codes.ts'
import { afterTurn, nextInQueue } from '../../contract/people/attempts.ts'
import { MachineError, machineErrorOf } from '../../histories/machine-error.ts'
import { endGroup } from '../../players/isolation/box-process.ts'
import { onJobGroup } from '../../players/isolation/boxed-job.ts'
import { sweepGroups } from '../../players/isolation/groups/detect.ts'
import { commandsOf, type Commands, type GroupReport } from '../../worker/protocol.ts'
import { launchWorker, type WorkerProcess } from './worker-process.ts'
import { watchReader } from './reader.ts'
import { resources } from './resources.ts'

// Texts of strangers are read in a process of its own. A hostile one can take seconds to parse; the main process must not stand
// still meanwhile, because it passes on the bytes of network agents, whose time runs.

/** A reading of a stranger's text: a function of its input alone, which can be copied to another process, like its result. */
export interface ReadingJob<I, O> {
  /** Names the job between the processes. */
  readonly name: string
  /** The text in messages, as in "a challenge". */
  readonly what: string
  /** It may run programs, such as a build: no text waits for it, and it has more time. */
  readonly long?: true
  /** The form of its result, which is checked: another process has made it. */
  readonly result: z.ZodType<O>
  /**
   * Throws ExpectedError if the text is wrong. `onProgress`: to be called after each part of long work; the limit of computing time holds
   * between two calls, that of the whole time for all of it.
   */
  readonly read: (input: I, onProgress: () => void) => O | Promise<O>
}

export const readingJob = <I, O>(job: ReadingJob<I, O>): ReadingJob<I, O> => job

/** To the reading process. */
export interface ReadingOrder {
  readonly type: 'job'
  readonly job: string
  readonly input: unknown
}

/** The orders of a message to the reading process: one, or those that were given in one turn. */
export const ordersOf = (message: ReadingOrder | Commands<ReadingOrder>): readonly ReadingOrder[] => commandsOf(message)

/** From the reading process: a job has begun, is being done, then its result. */
export type ReadingReport =
  | { readonly type: 'begun' }
  | { readonly type: 'progress' }
  | { readonly type: 'result'; readonly value: unknown }
  | {
      readonly type: 'refused'
      readonly kind: ExpectedError['kind']
      readonly code: ErrorCode
      readonly message: string
      readonly details: string | null
    }
  /** A problem of the machine. */
  | { readonly type: 'machine'; readonly message: string; readonly path: string; readonly code: ErrorCode }
  /** A bug of ours. */
  | { readonly type: 'failed'; readonly message: string }

/** Also tells which process groups the main process has to end with the reading process. */
export type ReaderMessage = ReadingReport | GroupReport

/** Reports the process groups of builds and bundlers that this process starts. Returns how to end those that are alive. */
export function reportGroups(report: (message: ReaderMessage) => void): () => void {
  const groups = new Set<number>()
  onJobGroup((group, alive) => {
    if (alive) groups.add(group)
    else groups.delete(group)
    report({ type: 'group', group, alive })
  })
  return () => groups.forEach(endGroup)
}

/** The report of a job that threw this. The errors of failed system calls become MachineErrors: a full disk is not a bug of ours. */
export function reportOfError(error: unknown): ReadingReport {
  if (error instanceof ExpectedError) {
    const { kind, code, message, details } = error
    return { type: 'refused', kind, code, message, details }
  }
  const machine = machineErrorOf(error, 'a file')
  if (machine !== null) {
    const { message, path, code } = machine
    return { type: 'machine', message, path, code }
  }
  return { type: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

/** The words of `watchReader` for a limit that was passed. */
const overLimit = /^it (?:took|computed)/
const overTime = /^it (?:computed|took more than \d+ s)/
/** MB of memory of a process. */
const MEMORY_MB = 1_024
const limits = { memoryMb: MEMORY_MB, silentSeconds: 20 }

/** Texts are read soon; packages may have to be built. */
type Kind = 'text' | 'long'

/** Times in ms. */
export interface PoolOptions {
  readonly launch: () => WorkerProcess<ReadingReport, ReadingOrder>
  /** Jobs of a kind at a time, each in a process. */
  readonly atATime: number
  /** Jobs of a kind at a time while one has waited for `waitMs`: those that take long do not hold up the others. */
  readonly crowded: number
  /**
   * Long jobs at a time, instead of `atATime`, and one more while one has waited for `waitMs`: the cores that they may take from contests.
   * Absent or null: as other jobs.
   */
  readonly long?: () => number | null
  readonly waitMs: number
  /** No job takes so long, whatever the system says about computing time. */
  readonly longestMs: Readonly<Record<Kind, number>>
  /** A process without work is kept so long. */
  readonly idleMs: number
}

const launchReader: PoolOptions['launch'] = () => {
  // The heap's limit is also for systems on which nobody can see a process's memory.
  const flags = [`--max-old-space-size=${MEMORY_MB}`]
  const reader = launchWorker<ReadingReport, ReadingOrder>(resources.node, resources.reader, flags)
  // If it was killed, nobody else ends the builds that it has left.
  reader.onExit(() => void sweepGroups())
  return watchReader(reader, limits)
}
const usual: PoolOptions = {
  launch: launchReader,
  atATime: 2,
  crowded: 4,
  waitMs: 2_000,
  // A build may take ten minutes, beside the reading and the storing of its package.
  longestMs: { text: 120_000, long: 780_000 },
  idleMs: 300_000,
  long: () => own.long?.() ?? null,
}

interface Waiting {
  /** Rises with the time of asking. */
  readonly id: number
  /** For whom it is read; '': for nobody in particular. */
  readonly team: string
  readonly kind: Kind
  readonly order: ReadingOrder
  /** In ms of `performance.now()`. */
  readonly since: number
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

/** Reading processes and the jobs that wait for them. */
export interface ReadingPool {
  readonly options: PoolOptions
  readonly readers: Set<Reader>
  readonly queues: Readonly<Record<Kind, Waiting[]>>
  /** The teams that had a turn, in the order of their last ones: nobody holds up the others by asking for much at once. */
  readonly turns: Record<Kind, readonly string[]>
  /** The number of jobs so far. */
  asked: number
  /** Looks again when the first job has waited for long. */
  waiting: NodeJS.Timeout | undefined
  /** A closed pool still reads, for procedures that are not over; its processes end when they have nothing to read. */
  open: boolean
}

export const createReadingPool = (options: PoolOptions): ReadingPool => ({
  options,
  readers: new Set(),
  queues: { text: [], long: [] },
  turns: { text: [], long: [] },
  asked: 0,
  waiting: undefined,
  open: true,
})

/** The reading processes of this program. */
const own: { readonly pool: ReadingPool; long: (() => number) | null; users: number; elsewhere: boolean } = {
  pool: createReadingPool(usual),
  /** The number of packages that are read and built at a time, a setting of the class that was opened last. */
  long: null,
  /** The number of those who want texts read in other processes. */
  users: 0,
  /** True from the first of them on. */
  elsewhere: false,
}

/**
 * From now on texts are read in processes of their own. They start when they are needed, and are ended when the returned function is
 * called. The command line, which has nobody to hold up, reads by itself. `long`: see `PoolOptions`.
 */
export function readElsewhere(long: () => number): () => void {
  own.long = long
  own.users += 1
  own.elsewhere = true
  own.pool.open = true
  let open = true
  return () => {
    if (!open) return
    open = false
    own.users -= 1
    if (own.users === 0) closePool(own.pool)
  }
}

/**
 * The result of a job. `team`: for whom it is read; teams take turns. Rejects with ExpectedError: its own, or 'reading-limit' if it took
 * more memory or time than a text may, which says which. `signal`: see `readIn`.
 */
export async function readText<I, O>(job: ReadingJob<I, O>, input: I, team = '', signal?: AbortSignal): Promise<O> {
  if (own.elsewhere) return readIn(own.pool, job, input, signal, team)
  const result = await job.read(input, () => undefined)
  if (signal?.aborted === true) throw stopped(job.what)
  return result
}

/** Like `readText`, in these processes. `signal`: stops it; it then rejects with ExpectedError 'stopped'. */
export async function readIn<I, O>(
  pool: ReadingPool,
  job: ReadingJob<I, O>,
  input: I,
  signal?: AbortSignal,
  team = '',
): Promise<O> {
  const result = Promise.withResolvers<unknown>()
  const order: ReadingOrder = { type: 'job', job: job.name, input }
  const kind = job.long === true ? 'long' : 'text'
  const id = ++pool.asked
  const since = performance.now()
  const waiting = { id, team, kind, order, since, retried: false, what: job.what, result } as const
  const onStop = (): void => stop(pool, waiting)
  if (signal?.aborted === true) throw stopped(job.what)
  pool.queues[kind].push({ ...waiting })
  signal?.addEventListener('abort', onStop)
  assign(pool)
  try {
    return job.result.parse(await result.promise)
  } finally {
    signal?.removeEventListener('abort', onStop)
  }
}

const stopped = (what: string): ExpectedError => new ExpectedError('stopped', 'stopped', `Reading ${what} was stopped.`)

/** Stops a job, whose process ends if it has begun. */
function stop(pool: ReadingPool, { kind, what, result }: Pick<Waiting, 'kind' | 'what' | 'result'>): void {
  const queue = pool.queues[kind]
  const at = queue.findIndex((each) => each.result === result)
  if (at !== -1) queue.splice(at, 1)
  result.reject(stopped(what))
  for (const reader of pool.readers) if (reader.job?.result === result) end(reader, STOPPED)
}

/** Why the process of a stopped job was ended. */
const STOPPED = 'somebody stopped it'

/** Stops what is being read. */
export function closePool(pool: ReadingPool): void {
  pool.open = false
  for (const { what, result } of [...pool.queues.text.splice(0), ...pool.queues.long.splice(0)])
    result.reject(new ExpectedError('stopped', 'stopped', `Reading ${what} was stopped: the program was closed.`))
  for (const reader of pool.readers) end(reader, 'the program was closed')
}

/** Jobs of a kind at a time, and while one has waited for long. */
function roomFor({ long, atATime, crowded }: PoolOptions, kind: Kind): Pick<PoolOptions, 'atATime' | 'crowded'> {
  const most = kind === 'long' ? (long?.() ?? null) : null
  return most === null ? { atATime, crowded } : { atATime: most, crowded: most + 1 }
}

/** The number of processes that are kept without work. */
const keptIn = ({ options }: ReadingPool): number => Math.max(options.atATime, roomFor(options, 'long').atATime)

function assign(pool: ReadingPool): void {
  const { queues, turns, readers, options } = pool
  for (const [kind, queue] of Object.entries(queues) as [Kind, Waiting[]][]) {
    const { atATime, crowded } = roomFor(options, kind)
    for (;;) {
      const next = nextInQueue(queue, turns[kind])
      if (next === null) break
      const busy = [...readers].filter(({ job }) => job?.kind === kind).length
      const waitedMs = performance.now() - Math.min(...queue.map(({ since }) => since))
      if (busy >= crowded) break
      if (busy >= atATime && waitedMs < options.waitMs) {
        pool.waiting ??= setTimeout(() => look(pool), Math.max(1, options.waitMs - waitedMs))
        break
      }
      queue.splice(queue.indexOf(next), 1)
      turns[kind] = afterTurn(turns[kind], next.team)
      give(pool, next)
    }
  }
}

/** A job has waited for long. */
function look(pool: ReadingPool): void {
  pool.waiting = undefined
  assign(pool)
}

function give(pool: ReadingPool, job: Waiting): void {
  const reader = [...pool.readers].find((each) => each.job === null && each.why === null) ?? start(pool)
  reader.job = job
  reader.jobs += 1
  limit(pool, reader, job, reader.jobs === 1 ? STARTING_MS : 0)
  reader.process.send(job.order)
}

/** The time in ms in which a process starts, on a machine that is busy. */
const STARTING_MS = 30_000

/** From now on the job has its time. `more`: ms besides. */
function limit(pool: ReadingPool, reader: Reader, { kind }: Waiting, more = 0): void {
  const longestMs = pool.options.longestMs[kind]
  after(reader, longestMs + more, `it took more than ${longestMs / 1_000} s`)
}

function start(pool: ReadingPool): Reader {
  const process = pool.options.launch()
  const reader: Reader = { process, job: null, jobs: 0, timer: undefined, why: null }
  pool.readers.add(reader)
  process.onReport((report) => {
    if (report.type === 'progress') return
    if (report.type !== 'begun') take(pool, reader, report)
    // The start of its process is not a part of its time.
    else if (reader.job !== null) limit(pool, reader, reader.job)
  })
  process.onExit((how, stderr) => exited(pool, reader, how, stderr))
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

function take(pool: ReadingPool, reader: Reader, report: Exclude<ReadingReport, { type: 'begun' | 'progress' }>): void {
  const { job } = reader
  reader.job = null
  after(reader, pool.options.idleMs, 'it had nothing to read')
  if (report.type === 'result') job?.result.resolve(report.value)
  else if (report.type === 'refused')
    job?.result.reject(new ExpectedError(report.kind, report.code, report.message, report.details))
  else if (report.type === 'machine') job?.result.reject(new MachineError(report.message, report.path, report.code))
  else job?.result.reject(new Error(`Reading ${job.what} failed: ${report.message}`))
  assign(pool)
  const isSurplus = !pool.open || pool.readers.size > keptIn(pool)
  if (isSurplus && !isBusy(reader)) end(reader, 'it had nothing to read')
}

const isBusy = ({ job }: Reader): boolean => job !== null

function exited(pool: ReadingPool, reader: Reader, how: string, stderr: string): void {
  clearTimeout(reader.timer)
  pool.readers.delete(reader)
  const { job, why } = reader
  if (job !== null && pool.open && reader.jobs > 1 && !job.retried && why !== STOPPED && !overTime.test(why ?? how)) {
    // The memory of the texts before it may have been what was too much.
    job.retried = true
    pool.queues[job.kind].unshift(job)
  } else if (job !== null) job.result.reject(failureOf(pool, reader, job, how, stderr))
  assign(pool)
}

/** The error of a job whose process has ended. Only a limit is the fault of its text. */
function failureOf(pool: ReadingPool, { why }: Reader, { what }: Waiting, how: string, stderr: string): ExpectedError {
  const limit = why ?? (/heap out of memory/.test(stderr) ? 'it took more memory than there is for it' : null)
  const message = `Reading ${what} was stopped: ${limit ?? how}.`
  if (!pool.open) return new ExpectedError('stopped', 'stopped', message)
  return limit !== null || overLimit.test(how)
    ? new ExpectedError('usage', 'reading-limit', message)
    : new ExpectedError('host', 'system-error', message)
}
