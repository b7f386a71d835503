import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentPackage } from '../../administrator/classroom/agents.ts'
import type { WorkerProcess } from '../machine/worker-process.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Sha256 } from '../../contract/ids.ts'
import type { IsolationTier } from '../../contract/limits.ts'
import type { OfferedToolchain } from '../../contract/players/toolchains.ts'
import { games } from '../../referees/games.ts'
import type { AgentCode, ContestSetup, WorkerReport } from '../../worker/protocol.ts'
import { createCheckers } from './checkers.ts'
import { judgeResult, newOrdered, playHere, type Judge, type Ordered, type RecheckRules } from './judging.ts'
import { jobName, openResult, sealAgent, sealOrder, sealSetup, type OrderPlace, type SharedKind } from './messages.ts'
import { keys, KEPT_SECONDS, machineName, SETUP_SECONDS } from './names.ts'
import { createPlaces } from './places.ts'
import { openLine, refuseOtherVersions, whoIsThere, type Line, type ClusterMember } from './presence.ts'
import { healed, healQueue, tidied, type Redis } from './redis.ts'
import type { WorkerRecords } from './worker-records.ts'

/** ms between looks for matches that Redis has lost, and for new workers. */
const LOOK_MS = 5_000
/** ms for which a run waits for another worker to confirm it; then this machine plays it. */
const CONFIRM_MS = 10_000
/** ms between attempts to read results when Redis refuses that. */
const REREAD_MS = [100, 2_000] as const
/** Different notices, beside those about histories: everybody who reaches the Redis can bring them about. */
const NOTICES_MAX = 100
/** ms without a worker after which the educator is notified how workers join. */
const LONELY_MS = 10_000
/** Messages about single histories that do not verify. */
const REFUSALS_TOLD = 100
/** Names that are listed in a message. */
const NAMES_TOLD = 10
/** ms after which a worker tries a job again that it could not begin. */
const RETRY_MS = 1_000

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
  /** Processes that check histories, and as many that play matches which this machine has to see itself. */
  readonly checkers: number
  readonly recheck: RecheckRules
  /** The weakest isolation that the educator has accepted. */
  readonly accepts: IsolationTier
  /** The toolchains that the contest offers to programs. */
  readonly toolchains?: readonly OfferedToolchain[]
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
  /** The agents of the contest. */
  readonly codes: Map<Sha256, AgentCode>
  /** The contest; null: it has not been given. */
  known: Judge | null
  /** Its setup for the workers of a line. */
  provided: { readonly line: Line; readonly text: string } | null
  closed: boolean
  /** True when something has failed since the last look: the queue may be damaged. */
  isTroubled: boolean
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
  const name = `${machineName()}-${process.pid}-${id.slice(0, 6)}`
  const state: State = {
    options,
    id,
    name,
    listeners: { report: () => undefined, exit: [] },
    ordered: new Map(),
    line: openLine(options.redis, options.token, name),
    codes: new Map(),
    known: null,
    provided: null,
    closed: false,
    isTroubled: false,
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
      else if (command.type === 'agent') state.codes.set(command.agent, command.code)
      else if (command.type === 'play') {
        const one = newOrdered(command.job)
        ordered.set(command.job.run, one)
        // A run that is void already is recorded here.
        void (command.job.voided === undefined ? order(state, one) : judged(state, one, playHere)).catch(failed)
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

function fail(state: State, error: unknown): void {
  if (state.closed) return
  state.isTroubled = true
  noticeOnce(state, `The cluster: ${error instanceof Error ? error.message : String(error)}`)
}

function noticeOnce({ noticed, options }: State, text: string): void {
  if (noticed.has(text) || noticed.size >= NOTICES_MAX) return
  noticed.add(text)
  options.onNotice(text)
}

/** Puts what workers need into Redis, or renews it. */
async function provide(state: State, { setup }: Judge): Promise<void> {
  const { id, line, options } = state
  const { redis, packages, accepts, toolchains } = options
  const kinds: Record<Sha256, SharedKind> = {}
  for (const [agent, { kind }] of packages) if (kind !== 'web') kinds[agent] = kind
  if (state.provided?.line !== line)
    state.provided = {
      line,
      text: sealSetup(line.secrets, id, { setup, kinds, accepts, ...(toolchains && { toolchains }) }),
    }
  await redis.set(keys.setup(id), state.provided.text, 'EX', SETUP_SECONDS)
  for (const [agent, { kind, bytes }] of packages) {
    if (kind === 'web') continue
    const key = keys.agent(line.secrets, kind, agent)
    const present = await redis.expire(key, KEPT_SECONDS)
    if (present === 0) await redis.set(key, sealAgent(line.secrets, agent, kind, bytes), 'EX', KEPT_SECONDS)
  }
}

const placeOf = (session: string, { job: { run, match, attempt }, orders }: Ordered): OrderPlace => {
  return { session, match, attempt, run, number: orders }
}

/** Orders a run. `isNext`: it is played before those that wait. */
async function order({ id, line, known }: State, one: Ordered, isNext = false): Promise<void> {
  one.orders += 1
  const place = placeOf(id, one)
  const not = one.votes.map(({ worker }) => worker)
  const text = sealOrder(line.secrets, known!.setup.contest, { ...place, job: one.job, not })
  await line.queue.add('match', text, {
    ...{ jobId: jobName(place), removeOnComplete: true, removeOnFail: true, attempts: 1_000, lifo: isNext },
    backoff: { type: 'fixed', delay: RETRY_MS },
  })
}

async function look(state: State): Promise<void> {
  const { id, ordered, known, options } = state
  if (known === null || state.closed) return
  if (state.isTroubled) await healQueue(options.redis, (name) => state.line.queue.toKey(name))
  state.isTroubled = false
  await provide(state, known)
  const workers = await whoIsThere(options.redis, 'worker')
  for (const { worker, difference } of await refuseOtherVersions(options.redis, state.line, workers))
    noticeOnce(state, `Worker ${worker} has other versions of the rules and takes no part: ${difference}.`)
  if (!state.heard) await wait(state, workers)
  for (const one of [...ordered.values()]) {
    if (one.judging > 0) continue
    const found = await state.line.queue.getJobState(jobName(placeOf(id, one)))
    const isLost = found === 'unknown' || found === 'failed'
    // A result may have come in meanwhile.
    if (ordered.get(one.job.run) !== one || one.judging > 0) continue
    // No other worker has taken it to confirm it.
    if (one.votes.length > 0 && found !== 'active' && performance.now() - one.votedAt > CONFIRM_MS)
      void judged(state, one, playHere).catch((error: unknown) => fail(state, error))
    // Or it waits to be read.
    else if (isLost && (await waitingResults(state)) === 0) await order(state, one)
  }
}

/** The number of results that wait to be read. */
async function waitingResults({ id, options: { redis } }: State): Promise<number> {
  const key = keys.results(id)
  return redis.llen(key).catch(async (error: unknown) => {
    if (await healed(redis, key, error)) return 0
    throw error
  })
}

/** Reports why no worker plays, takes a token that a worker has brought, and gives up in the end. */
async function wait(state: State, workers: readonly ClusterMember[]): Promise<void> {
  const { options, ordered } = state
  const { redis } = options
  const token = await options.newToken()
  if (token !== null && token !== state.line.token) {
    const before = state.line
    state.line = openLine(redis, token, state.name)
    await before.close(true)
    if (state.known !== null) await provide(state, state.known)
    for (const one of ordered.values()) await order(state, one)
  }
  const { owner } = state.line.secrets
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

async function take(state: State, judge: Judge, text: string): Promise<void> {
  const place = { session: state.id, contest: judge.setup.contest }
  const result = await openResult(state.line.secrets, place, text)
  if (result === null) {
    noticeOnce(
      state,
      'A result was dropped: it cannot be read, comes from a worker with another token, or is not signed by the worker that it names.',
    )
    return
  }
  const one = state.ordered.get(result.run)
  if (one === undefined) return
  state.heard = true
  const answer = `${result.order} ${result.worker}`
  if (result.order > one.orders || one.answers.has(answer)) return
  one.answers.add(answer)
  // Not awaited, so that several histories are checked at a time.
  void judged(state, one, (known) => judgeResult(known, one, result)).catch((error: unknown) => fail(state, error))
}

/** Judges a run, which is not ordered meanwhile because it seems lost. */
async function judged(
  { known }: State,
  one: Ordered,
  work: (judge: Judge, one: Ordered) => Promise<void>,
): Promise<void> {
  one.judging += 1
  try {
    await work(known!, one)
  } finally {
    one.judging -= 1
  }
}

/** Takes results from Redis until the session is closed. */
async function listen(state: State, judge: Judge): Promise<void> {
  const { checkers, places } = judge
  const { redis, reader } = state.options
  const key = keys.results(state.id)
  let pause: number = REREAD_MS[0]
  const refused = async (error: unknown): Promise<void> => {
    if (state.closed) return
    if (await healed(redis, key, error).catch(() => false))
      noticeOnce(state, 'Somebody has put something else in the place of results in Redis; it was removed.')
    else fail(state, error)
    await Promise.race([sleep(pause), state.closing.promise])
    pause = Math.min(REREAD_MS[1], 2 * pause)
  }
  while (!state.closed) {
    await checkers.room()
    // A read is never answered when the connection is given up while Redis is away.
    const next = await Promise.race([reader.blpop(key, 2).catch(refused), state.closing.promise])
    if (next === null || next === undefined) continue
    pause = REREAD_MS[0]
    await take(state, judge, next[1])
  }
  places.close()
  await Promise.all([checkers.close(), clear(state)])
  state.ended.resolve()
}

async function begin(state: State, setup: ContestSetup): Promise<void> {
  const { options, ordered, codes, listeners } = state
  const { packages, records, recheck: rules, checkers } = options
  const isScripts = [...packages.values()].every(({ kind }) => kind === 'script')
  const isTimed = games.get(setup.game)?.matches.timed(setup.config) !== false
  const judge: Judge = {
    ...{ setup, codes, rules, records, suspects: new Set() },
    repeatable: isScripts && !isTimed && setup.clock === 'frozen' && setup.isolation !== 'shared',
    checkers: createCheckers(setup, checkers),
    places: createPlaces(checkers),
    isOpen: (one) => !state.closed && ordered.get(one.job.run) === one,
    order: (one, isNext) => order(state, one, isNext),
    deliver(one, reports) {
      if (ordered.get(one.job.run) !== one || state.closed) return
      ordered.delete(one.job.run)
      for (const report of reports) listeners.report(report)
    },
    onBad({ job: { match } }, worker, why) {
      if (state.refusals++ < REFUSALS_TOLD)
        options.onNotice(
          `The history of match ${match} from worker ${worker} does not verify: ${why}. The match is played again.`,
        )
    },
  }
  state.known = judge
  void listen(state, judge)
  // Looks try it again.
  await provide(state, judge).catch((error: unknown) => fail(state, error))
  listeners.report({ type: 'ready' })
  await look(state)
}

/** Removes what only this session needs; workers skip orders of it that they already have. */
async function clear(state: State): Promise<void> {
  const { id, options, ordered } = state
  const { redis } = options
  const isHere = redis.status === 'ready'
  const remove = async (): Promise<void> => {
    await redis.del(keys.setup(id), keys.results(id))
    for (const one of ordered.values()) await state.line.queue.remove(jobName(placeOf(id, one)))
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
  } else {
    known.places.close()
    void known.checkers.close()
  }
}
