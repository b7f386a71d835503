import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentPackage } from '../../administrator/classroom/agents.ts'
import type { WorkerProcess } from '../machine/worker-process.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Sha256 } from '../../contract/ids.ts'
import { sha256 } from '../../histories/canonical.ts'
import type { ContestSetup, MatchJob, WorkerReport } from '../../worker/protocol.ts'
import { createCheckers, type Checkers } from './checkers.ts'
import { openResult, sealOrder, type RunResult } from './messages.ts'
import { keys, KEPT_SECONDS, ownerOf, SETUP_SECONDS, versionsHere } from './names.ts'
import { openLine, versionDifference, whoIsThere, type Line } from './presence.ts'
import { tidied, type Redis } from './redis.ts'
import type { WorkerRecords } from './worker-records.ts'

/** A run is void if two workers that are believed say so, or one so often: there may be no other. */
const VOIDS_OF_ONE = 3
/**
 * The time in ms during which a run is ordered again, with a growing delay, when it comes back without a result from a worker that is not
 * believed: a worker that lies is faster than one that plays.
 */
const TROUBLE_MS = 60_000
const AGAIN_MS = 50
const AGAIN_MS_MAX = 1_000
/** ms between looks for matches that Redis has lost, and for new workers. */
const LOOK_MS = 5_000
/** ms without a worker after which the educator is notified how workers join. */
const LONELY_MS = 10_000
/** Messages about single histories that do not verify. */
const REFUSALS_TOLD = 100
/** Names that are listed in a message. */
const NAMES_TOLD = 10

export interface SessionOptions {
  readonly redis: Redis
  /** For blocking reads. */
  readonly reader: Redis
  readonly packages: ReadonlyMap<Sha256, AgentPackage>
  readonly records: WorkerRecords
  readonly token: string
  /** A token to use instead, as long as no worker has come; null: none. */
  newToken(): Promise<string | null>
  joinCommand(token: string): string
  /** Processes that check histories. */
  readonly checkers: number
  readonly waitMs: number
  onNotice(text: string): void
  /** No worker has come in `waitMs`. */
  onFailed(error: ExpectedError): void
}

/** One playing of a contest on a cluster. */
export interface Session {
  readonly worker: WorkerProcess
  /** Looks for matches that Redis has lost. */
  look(): void
  /** Resolves when nothing of it is left in Redis, if that is there. */
  readonly ended: Promise<void>
}

/** A run that was ordered and has not come back. */
interface Ordered {
  readonly job: MatchJob
  /** The number of orders for it so far. */
  orders: number
  /** Its results that are being checked. */
  checking: number
  /** The workers that have answered which of the orders: a copy of a result does not count again. */
  readonly answers: Set<string>
  /** How often each worker that is believed has reported it as void. */
  readonly voids: Map<string, number>
  /** When it came back without a result first, and how often it has. */
  trouble: { readonly since: number; count: number } | null
}

/** The state of one playing of a contest on a cluster; the functions below change it. */
interface State {
  readonly options: SessionOptions
  /** Names its keys in Redis. */
  readonly id: string
  /** For people. */
  readonly name: string
  /** Hear what the session's worker reports, and its end. */
  readonly listeners: { report: (report: WorkerReport) => void; exit: ((how: string, stderr: string) => void)[] }
  /** The runs that have not come back, by number. */
  readonly ordered: Map<number, Ordered>
  /** The queue that workers with the token read. */
  line: Line
  /** The contest; null: it has not been given. */
  known: { readonly setup: ContestSetup; readonly text: string; readonly checkers: Checkers } | null
  closed: boolean
  /** True when a worker has played. */
  heard: boolean
  /** ms of the monotonic clock. */
  readonly begun: number
  /** Notices that are given once. */
  readonly noticed: Set<string>
  /** The number of notices about histories that do not verify. */
  refusals: number
  readonly closing: PromiseWithResolvers<null>
  readonly ended: PromiseWithResolvers<void>
  timer: NodeJS.Timeout | undefined
}

export function createSession(options: SessionOptions): Session {
  const id = randomBytes(16).toString('hex')
  const name = `${hostname().slice(0, 64)}-${process.pid}-${id.slice(0, 6)}`
  const state: State = {
    options,
    id,
    name,
    listeners: { report: () => undefined, exit: [] },
    ordered: new Map(),
    line: openLine(options.redis, options.token, name),
    known: null,
    closed: false,
    heard: false,
    begun: performance.now(),
    noticed: new Set(),
    refusals: 0,
    closing: Promise.withResolvers(),
    ended: Promise.withResolvers(),
    timer: undefined,
  }
  const lookNow = (): void => void look(state).catch((error: unknown) => fail(state, error))
  state.timer = setInterval(lookNow, Math.min(LOOK_MS, options.waitMs))
  return { look: lookNow, ended: state.ended.promise, worker: workerOf(state) }
}

/** The cluster as the engine sees it: one worker. */
function workerOf(state: State): WorkerProcess {
  const { listeners, ordered } = state
  const failed = (error: unknown): void => fail(state, error)
  return {
    pid: undefined,
    send(command) {
      if (command.type === 'contest') void begin(state, command.setup).catch(failed)
      else if (command.type === 'play') {
        const one: Ordered = {
          job: command.job,
          orders: 0,
          checking: 0,
          answers: new Set<string>(),
          voids: new Map<string, number>(),
          trouble: null,
        }
        ordered.set(command.job.run, one)
        void order(state, one).catch(failed)
      }
    },
    onReport: (listener) => (listeners.report = listener),
    onExit: (listener) => void listeners.exit.push(listener),
    kill() {
      if (state.closed) return
      state.closed = true
      state.closing.resolve(null)
      void end(state)
    },
  }
}

function fail({ closed, options }: State, error: unknown): void {
  if (closed) return
  options.onNotice(`The cluster: ${error instanceof Error ? error.message : String(error)}`)
}

function noticeOnce({ noticed, options }: State, text: string): void {
  if (noticed.has(text)) return
  noticed.add(text)
  options.onNotice(text)
}

/** Puts what workers need into Redis, or renews it. */
async function provide({ id, options: { redis, packages } }: State, text: string): Promise<void> {
  await redis.set(keys.setup(id), text, 'EX', SETUP_SECONDS)
  for (const [agent, { kind, bytes }] of packages) {
    const present = await redis.expire(keys.agent(agent), KEPT_SECONDS)
    if (present === 0)
      await redis.set(
        keys.agent(agent),
        JSON.stringify({ kind, bytes: Buffer.from(bytes).toString('base64') }),
        'EX',
        KEPT_SECONDS,
      )
  }
}

// The same name again is the same job, so that an order that is sent twice is played once.
function jobId(session: string, { job: { run, match, attempt }, orders }: Ordered): string {
  return `${session}.${match}.${attempt}.${run}.${orders}`
}

async function order({ id, line, known }: State, one: Ordered): Promise<void> {
  one.orders += 1
  const text = sealOrder(line.token, { session: id, setup: sha256(known!.text), number: one.orders, job: one.job })
  await line.queue.add('match', text, {
    ...{ jobId: jobId(id, one), removeOnComplete: true, removeOnFail: true, attempts: 1_000 },
  })
}

async function look(state: State): Promise<void> {
  const { id, ordered, known, options } = state
  if (known === null || state.closed) return
  await provide(state, known.text)
  if (!state.heard) await wait(state)
  for (const one of [...ordered.values()]) {
    if (one.checking > 0) continue
    const found = await state.line.queue.getJobState(jobId(id, one))
    if (found !== 'unknown' && found !== 'failed') continue
    // A result may have come in meanwhile, or wait to be read.
    if (ordered.get(one.job.run) !== one || (await options.redis.llen(keys.results(id))) > 0) continue
    await order(state, one)
  }
}

/** Reports why no worker plays, takes a token that a worker has brought, and gives up in the end. */
async function wait(state: State): Promise<void> {
  const { options, ordered } = state
  const { redis } = options
  const token = await options.newToken()
  if (token !== null && token !== state.line.token) {
    const before = state.line
    state.line = openLine(redis, token, state.name)
    await before.close(true)
    for (const one of ordered.values()) await order(state, one)
  }
  const workers = await whoIsThere(redis, 'worker')
  const owner = ownerOf(state.line.token)
  for (const worker of workers.filter((each) => each.owner === owner).slice(0, NAMES_TOLD)) {
    const difference = versionDifference(versionsHere, worker.versions)
    if (difference !== null)
      noticeOnce(state, `Worker ${worker.name} has other versions of the rules and takes no part: ${difference}.`)
  }
  const isAlone = ordered.size > 0 && (await state.line.queue.getActiveCount()) === 0
  const waited = performance.now() - state.begun
  if (!isAlone || waited < Math.min(LONELY_MS, options.waitMs)) return
  const others = workers.filter((each) => each.owner !== owner).map((each) => each.name)
  const strangers =
    others.length === 0
      ? ''
      : ` These have joined with another token: ${others.slice(0, NAMES_TOLD).join(', ')}${others.length > NAMES_TOLD ? ' and others' : ''}.`
  const join = `Start one with "${options.joinCommand(state.line.token)}".`
  if (waited < options.waitMs) {
    noticeOnce(state, `No worker has taken a match yet.${strangers} ${join}`)
    return
  }
  const seconds = Math.round(options.waitMs / 1_000)
  options.onFailed(
    new ExpectedError('host', 'no-cluster-worker', `No worker has taken a match in ${seconds} s.${strangers} ${join}`),
  )
}

async function take(state: State, text: string): Promise<void> {
  const { known } = state
  const result = await openResult(state.line.token, state.id, text)
  if (result === null) {
    noticeOnce(
      state,
      'A result was dropped: it cannot be read, comes from a worker with another token, or is not signed by the worker that it names.',
    )
    return
  }
  const one = state.ordered.get(result.run)
  if (one === undefined || known === null) return
  state.heard = true
  const answer = `${result.order} ${result.worker}`
  if (result.order > one.orders || one.answers.has(answer)) return
  one.answers.add(answer)
  one.checking += 1
  // Not awaited, so that several histories are checked at a time.
  void accept(state, one, result, known.checkers)
    .catch((error: unknown) => fail(state, error))
    .finally(() => (one.checking -= 1))
}

async function accept(state: State, one: Ordered, result: RunResult, checkers: Checkers): Promise<void> {
  const { run } = one.job
  /** The first result counts. */
  const deliver = (reports: readonly WorkerReport[]): void => {
    if (!state.ordered.delete(run) || state.closed) return
    for (const report of reports) state.listeners.report(report)
  }
  const { reports, isSure } = await judge(state, one, result, checkers)
  if (isSure) deliver(reports)
  else await again(state, one, () => deliver(reports))
}

/** The reports that follow from a result. `isSure`: they would be the same however often the match is played. */
async function judge(
  state: State,
  one: Ordered,
  { worker, lines, reason = 'it was interrupted', seat }: RunResult,
  checkers: Checkers,
): Promise<{ readonly reports: readonly WorkerReport[]; readonly isSure: boolean }> {
  const { records, onNotice } = state.options
  const { run, match, voided, fresh } = one.job
  const isBelieved = records.isBelieved(worker)
  const interrupted = { type: 'interrupted', run, reason } as const
  if (lines === null) {
    records.interrupted(worker)
    return { reports: [{ ...interrupted, ...(seat === undefined ? {} : { seat }) }], isSure: isBelieved }
  }
  const checked = await checkers.check(one.job, lines)
  // Another result was first.
  if (state.closed || state.ordered.get(run) !== one) return { reports: [], isSure: false }
  if (checked.type === 'bad') {
    records.refused(worker)
    const why = `does not verify: ${checked.message}`
    if (state.refusals++ < REFUSALS_TOLD)
      onNotice(`The history of match ${match} from worker ${worker} ${why}. The match is played again.`)
    return { reports: [{ ...interrupted, reason: `Its history ${why}.` }], isSure: false }
  }
  const text = { type: 'lines', run, text: lines } as const
  if (checked.type === 'finished') {
    records.played(worker, checked.finished, fresh)
    return { reports: [text, { type: 'finished', ...checked.finished }], isSure: true }
  }
  const reports = [text, { type: 'void', run, head: checked.head, reason: checked.reason } as const]
  // A void that was ordered records what has happened before.
  if (voided !== undefined) return { reports, isSure: true }
  records.voided(worker)
  if (isBelieved) one.voids.set(worker, (one.voids.get(worker) ?? 0) + 1)
  const isSure = one.voids.size > 1 || [...one.voids.values()].some((times) => times >= VOIDS_OF_ONE)
  return { reports, isSure }
}

/** Orders a run again later; if that has been tried for long, gives up. */
async function again(state: State, one: Ordered, giveUp: () => void): Promise<void> {
  one.trouble ??= { since: performance.now(), count: 0 }
  if (performance.now() - one.trouble.since > TROUBLE_MS) {
    giveUp()
    return
  }
  await sleep(Math.min(AGAIN_MS_MAX, AGAIN_MS * 2 ** one.trouble.count++))
  if (!state.closed && state.ordered.get(one.job.run) === one) await order(state, one)
}

/** Takes results from Redis until the session is closed. */
async function listen(state: State, checkers: Checkers): Promise<void> {
  const failed = (error: unknown): void => fail(state, error)
  while (!state.closed) {
    await checkers.room()
    // A read is never answered when the connection is given up while Redis is away.
    const next = await Promise.race([
      state.options.reader.blpop(keys.results(state.id), 2).catch(failed),
      state.closing.promise,
    ])
    if (next !== null && next !== undefined) await take(state, next[1])
  }
  await Promise.all([checkers.close(), clear(state)])
  state.ended.resolve()
}

async function begin(state: State, setup: ContestSetup): Promise<void> {
  const text = JSON.stringify(setup)
  const checkers = createCheckers(setup, state.options.checkers)
  state.known = { setup, text, checkers }
  await provide(state, text)
  void listen(state, checkers)
  state.listeners.report({ type: 'ready' })
  await look(state)
}

/** Removes what only this session needs; workers skip orders of it that they already have. */
async function clear(state: State): Promise<void> {
  const { id, options, ordered } = state
  const { redis } = options
  const isHere = redis.status === 'ready'
  const remove = async (): Promise<void> => {
    await redis.del(keys.setup(id), keys.results(id))
    for (const one of ordered.values()) await state.line.queue.remove(jobId(id, one))
  }
  if (isHere) await tidied(remove())
  await state.line.close(isHere)
}

async function end(state: State): Promise<void> {
  const { known, listeners, ended } = state
  clearInterval(state.timer)
  for (const listener of listeners.exit) listener('signal SIGKILL', '')
  if (known === null) {
    await clear(state)
    ended.resolve()
  } else void known.checkers.close()
}
