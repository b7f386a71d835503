import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Queue } from 'bullmq'
import type { AgentPackage } from '../../administrator/classroom/agents.ts'
import type { WorkerProcess } from '../machine/worker-process.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Sha256 } from '../../contract/ids.ts'
import { sha256 } from '../../histories/canonical.ts'
import type { ContestSetup, MatchJob, WorkerReport } from '../../worker/protocol.ts'
import { createCheckers, type Checkers } from './checkers.ts'
import { openResult, sealOrder, type RunResult } from './messages.ts'
import { keys, KEPT_SECONDS, ownerOf, queueName, SETUP_SECONDS, versionsHere } from './names.ts'
import { announce, versionDifference, whoIsThere } from './presence.ts'
import { duplicate, tidied, type Redis } from './redis.ts'
import type { WorkerRecords } from './worker-records.ts'

/** A run is void if two workers that are believed say so, or one so often: there may be no other. */
const VOIDS_OF_ONE = 3
/**
 * For so many ms a run is ordered again, with a growing delay, when it comes back without a result from a worker that is not
 * believed: a worker that lies is faster than one that plays.
 */
const TROUBLE_MS = 60_000
const AGAIN_MS = 50
const AGAIN_MS_MAX = 1_000
/** ms between looks for matches that Redis has lost, and for new workers. */
const LOOK_MS = 5_000
/** ms without a worker after which the educator is told how workers join. */
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
  /** Who has answered which of the orders: a copy of a result does not count again. */
  readonly answers: Set<string>
  /** How often each worker that is believed has reported it as void. */
  readonly voids: Map<string, number>
  /** When it came back without a result first, and how often it has. */
  trouble: { readonly since: number; count: number } | null
}

export function createSession(options: SessionOptions): Session {
  const { redis, reader, packages, records, onNotice } = options
  const session = randomBytes(16).toString('hex')
  const name = `${hostname().slice(0, 64)}-${process.pid}-${session.slice(0, 6)}`
  const listeners: { report: (report: WorkerReport) => void; exit: ((how: string, stderr: string) => void)[] } = {
    report: () => undefined,
    exit: [],
  }
  const ordered = new Map<number, Ordered>()
  let line = openLine(options.token)
  let known: { readonly setup: ContestSetup; readonly text: string; readonly checkers: Checkers } | null = null
  let closed = false
  /** Whether a worker has played. */
  let heard = false
  const begun = performance.now()
  const told = new Set<string>()
  let refusalsTold = 0
  const closing: PromiseWithResolvers<null> = Promise.withResolvers()
  const ended: PromiseWithResolvers<void> = Promise.withResolvers()

  function openLine(token: string) {
    // A connection of its own, because a queue reports errors of the connection on it.
    const connection = duplicate(redis)
    const queue = new Queue(queueName(token), { connection, streams: { events: { maxLen: 100 } } })
    // Why Redis is away has been told.
    queue.on('error', () => undefined)
    const announced = announce(redis, 'classroom', { name, owner: ownerOf(token), versions: versionsHere })
    announced.catch(() => undefined)
    return {
      token,
      queue,
      async close(here: boolean): Promise<void> {
        const leave = async (): Promise<void> => {
          await (await announced).end(here)
          if (here) await queue.close()
        }
        await tidied(leave())
        connection.disconnect()
      },
    }
  }

  const fail = (error: unknown): void => {
    if (closed) return
    onNotice(`The cluster: ${error instanceof Error ? error.message : String(error)}`)
  }
  const tellOnce = (text: string): void => {
    if (told.has(text)) return
    told.add(text)
    onNotice(text)
  }

  /** Puts what workers need into Redis, or renews it. */
  const provide = async (text: string): Promise<void> => {
    await redis.set(keys.setup(session), text, 'EX', SETUP_SECONDS)
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
  const jobId = ({ job: { run, match, attempt }, orders }: Ordered): string =>
    `${session}.${match}.${attempt}.${run}.${orders}`

  const order = async (one: Ordered): Promise<void> => {
    one.orders += 1
    const text = sealOrder(line.token, { session, setup: sha256(known!.text), number: one.orders, job: one.job })
    await line.queue.add('match', text, {
      ...{ jobId: jobId(one), removeOnComplete: true, removeOnFail: true, attempts: 1_000 },
    })
  }

  const look = async (): Promise<void> => {
    if (known === null || closed) return
    await provide(known.text)
    if (!heard) await wait()
    for (const one of [...ordered.values()]) {
      if (one.checking > 0) continue
      const state = await line.queue.getJobState(jobId(one))
      if (state !== 'unknown' && state !== 'failed') continue
      // A result may have come in meanwhile, or wait to be read.
      if (ordered.get(one.job.run) !== one || (await redis.llen(keys.results(session))) > 0) continue
      await order(one)
    }
  }

  /** Tells why no worker plays, takes a token that a worker has brought, and gives up in the end. */
  const wait = async (): Promise<void> => {
    const token = await options.newToken()
    if (token !== null && token !== line.token) {
      const before = line
      line = openLine(token)
      await before.close(true)
      for (const one of ordered.values()) await order(one)
    }
    const workers = await whoIsThere(redis, 'worker')
    const owner = ownerOf(line.token)
    for (const worker of workers.filter((each) => each.owner === owner).slice(0, NAMES_TOLD)) {
      const difference = versionDifference(versionsHere, worker.versions)
      if (difference !== null)
        tellOnce(`Worker ${worker.name} has other versions of the rules and takes no part: ${difference}.`)
    }
    const isAlone = ordered.size > 0 && (await line.queue.getActiveCount()) === 0
    const waited = performance.now() - begun
    if (!isAlone || waited < Math.min(LONELY_MS, options.waitMs)) return
    const others = workers.filter((each) => each.owner !== owner).map((each) => each.name)
    const strangers =
      others.length === 0
        ? ''
        : ` These have joined with another token: ${others.slice(0, NAMES_TOLD).join(', ')}${others.length > NAMES_TOLD ? ' and others' : ''}.`
    const join = `Start one with "${options.joinCommand(line.token)}".`
    if (waited < options.waitMs) {
      tellOnce(`No worker has taken a match yet.${strangers} ${join}`)
      return
    }
    const seconds = Math.round(options.waitMs / 1_000)
    options.onFailed(
      new ExpectedError(
        'host',
        'no-cluster-worker',
        `No worker has taken a match in ${seconds} s.${strangers} ${join}`,
      ),
    )
  }

  const take = async (text: string): Promise<void> => {
    const result = await openResult(line.token, session, text)
    if (result === null) {
      tellOnce(
        'A result was dropped: it cannot be read, comes from a worker with another token, or is not signed by the worker that it names.',
      )
      return
    }
    const one = ordered.get(result.run)
    if (one === undefined || known === null) return
    heard = true
    const answer = `${result.order} ${result.worker}`
    if (result.order > one.orders || one.answers.has(answer)) return
    one.answers.add(answer)
    one.checking += 1
    // Not awaited, so that several histories are checked at a time.
    void accept(one, result, known.checkers)
      .catch(fail)
      .finally(() => (one.checking -= 1))
  }

  const accept = async (one: Ordered, result: RunResult, checkers: Checkers): Promise<void> => {
    const { run } = one.job
    /** The first result counts. */
    const deliver = (reports: readonly WorkerReport[]): void => {
      if (!ordered.delete(run) || closed) return
      for (const report of reports) listeners.report(report)
    }
    const { reports, isSure } = await judge(one, result, checkers)
    if (isSure) deliver(reports)
    else await again(one, () => deliver(reports))
  }

  /** What a result comes to, and whether that is so however often the match is played. */
  const judge = async (
    one: Ordered,
    { worker, lines, reason = 'it was interrupted', seat }: RunResult,
    checkers: Checkers,
  ): Promise<{ readonly reports: readonly WorkerReport[]; readonly isSure: boolean }> => {
    const { run, match, voided, fresh } = one.job
    const isBelieved = records.isBelieved(worker)
    const interrupted = { type: 'interrupted', run, reason } as const
    if (lines === null) {
      records.interrupted(worker)
      return { reports: [{ ...interrupted, ...(seat === undefined ? {} : { seat }) }], isSure: isBelieved }
    }
    const checked = await checkers.check(one.job, lines)
    // Another result was first.
    if (closed || ordered.get(run) !== one) return { reports: [], isSure: false }
    if (checked.type === 'bad') {
      records.refused(worker)
      const why = `does not verify: ${checked.message}`
      if (refusalsTold++ < REFUSALS_TOLD)
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
  const again = async (one: Ordered, giveUp: () => void): Promise<void> => {
    one.trouble ??= { since: performance.now(), count: 0 }
    if (performance.now() - one.trouble.since > TROUBLE_MS) {
      giveUp()
      return
    }
    await sleep(Math.min(AGAIN_MS_MAX, AGAIN_MS * 2 ** one.trouble.count++))
    if (!closed && ordered.get(one.job.run) === one) await order(one)
  }

  const listen = async (checkers: Checkers): Promise<void> => {
    while (!closed) {
      await checkers.room()
      // A read is never answered when the connection is given up while Redis is away.
      const next = await Promise.race([reader.blpop(keys.results(session), 2).catch(fail), closing.promise])
      if (next !== null && next !== undefined) await take(next[1])
    }
    await Promise.all([checkers.close(), clear()])
    ended.resolve()
  }

  const timer = setInterval(() => void look().catch(fail), Math.min(LOOK_MS, options.waitMs))

  const begin = async (setup: ContestSetup): Promise<void> => {
    const text = JSON.stringify(setup)
    known = { setup, text, checkers: createCheckers(setup, options.checkers) }
    await provide(text)
    void listen(known.checkers)
    listeners.report({ type: 'ready' })
    await look()
  }

  /** Removes what only this session needs; workers skip orders of it that they already have. */
  const clear = async (): Promise<void> => {
    const isHere = redis.status === 'ready'
    const remove = async (): Promise<void> => {
      await redis.del(keys.setup(session), keys.results(session))
      for (const one of ordered.values()) await line.queue.remove(jobId(one))
    }
    if (isHere) await tidied(remove())
    await line.close(isHere)
  }

  const end = async (): Promise<void> => {
    clearInterval(timer)
    for (const listener of listeners.exit) listener('signal SIGKILL', '')
    if (known === null) {
      await clear()
      ended.resolve()
    } else void known.checkers.close()
  }

  return {
    look: () => void look().catch(fail),
    ended: ended.promise,
    worker: {
      pid: undefined,
      send(command) {
        if (command.type === 'contest') void begin(command.setup).catch(fail)
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
          void order(one).catch(fail)
        }
      },
      onReport: (listener) => (listeners.report = listener),
      onExit: (listener) => void listeners.exit.push(listener),
      kill() {
        if (closed) return
        closed = true
        closing.resolve(null)
        void end()
      },
    },
  }
}
