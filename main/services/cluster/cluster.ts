import { randomBytes } from 'node:crypto'
import { Queue } from 'bullmq'
import { readAgent, type AgentPackage } from '../../administrator/classroom/agents.ts'
import type { WorkerProcess } from '../../administrator/contests/worker-process.ts'
import type { ContestDescription } from '../../contract/contests.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Sha256 } from '../../contract/ids.ts'
import { sha256 } from '../../histories/canonical.ts'
import { games } from '../../referees/games.ts'
import { HUMAN, NETWORK } from '../../contract/agents.ts'
import type { ContestSetup, MatchJob, WorkerReport } from '../../worker/protocol.ts'
import { checkRun } from './check-run.ts'
import { openResult, sealOrder, type RunResult } from './messages.ts'
import { keys, KEPT_SECONDS, queueName, rulesHere, SETUP_SECONDS } from './names.ts'
import { connectRedis, shownAddress, type Redis } from './redis.ts'
import { createWorkerRecords, type WorkerRecord } from './worker-records.ts'

/** Matches that are in the queue or being played at a time. */
const WINDOW = 256

/** A bad result is asked for again so often; then the match counts as interrupted. */
const REFUSALS_MAX = 20
/** ms between looks for matches that Redis has lost. */
const LOOK_MS = 5_000
/** ms without a result after which the educator is told how workers join. */
const LONELY_MS = 10_000

export interface ClusterOptions {
  readonly url: string
  /** Shared with the workers; null: any worker that reaches the Redis may play. */
  readonly token: string | null
  /** The data folder with the agents. */
  readonly data: string
  readonly description: Pick<ContestDescription, 'entrants'>
  onNotice(text: string): void
}

/** Workers on other machines, as the engine sees them: one worker with many lanes. */
export interface Cluster {
  /** Matches that its one worker plays at a time. */
  readonly lanes: number
  launch(): WorkerProcess
  /** What each worker has done so far. */
  workers(): readonly WorkerRecord[]
  close(): Promise<void>
}

/** Connects to the Redis and checks that the contest can be played on it. Throws ExpectedError. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { url, token, onNotice } = options
  const packages = await packagesOf(options)
  const address = shownAddress(url)
  let lookNow = (): void => undefined
  let closing = false
  const redis = await connectRedis(url, (here) => {
    if (closing) return
    onNotice(
      here
        ? `Redis at ${address} can be reached again; the contest continues.`
        : `Redis at ${address} cannot be reached; the contest waits for it.`,
    )
    if (here) lookNow()
  })
  const reader = await connectRedis(url)
  const queue = new Queue(queueName(token), { connection: redis })
  // Why Redis is away has been told.
  queue.on('error', () => undefined)
  const records = createWorkerRecords()
  await sayOthers()
  let opened: Session | null = null

  /** Tells of workers whose rules are others. */
  async function sayOthers(): Promise<void> {
    const known = Object.entries(await redis.hgetall(keys.workers))
    const others = known.flatMap(([name, rules]) => (rules === rulesHere ? [] : [name]))
    if (others.length === 0) return
    const names = others.slice(0, 10).join(', ')
    onNotice(`These workers have other versions of the rules and take no part: ${names}.`)
  }

  return {
    lanes: WINDOW,
    launch() {
      const session = createSession({ ...options, redis, reader, queue, packages, records, address })
      opened = session
      lookNow = () => session.look()
      return session.worker
    },
    workers: () => records.all(),
    async close() {
      closing = true
      opened?.worker.kill()
      await opened?.ended
      await queue.close()
      redis.disconnect()
      reader.disconnect()
    },
  }
}

/** The packages of the contest's agents. Throws ExpectedError 'usage' if one cannot play on a cluster. */
async function packagesOf({ data, description }: ClusterOptions): Promise<ReadonlyMap<Sha256, AgentPackage>> {
  const packages = new Map<Sha256, AgentPackage>()
  for (const { name, agent } of description.entrants) {
    const stored = agent === HUMAN || agent === NETWORK ? null : await readAgent(data, agent)
    if (stored === null || stored.kind === 'web')
      throw new ExpectedError(
        'usage',
        `Entrant "${name}" plays from another machine, which a contest on a cluster cannot have.`,
      )
    packages.set(agent, stored)
  }
  return packages
}

interface SessionOptions extends ClusterOptions {
  readonly redis: Redis
  /** For blocking reads. */
  readonly reader: Redis
  readonly queue: Queue
  readonly packages: ReadonlyMap<Sha256, AgentPackage>
  readonly records: ReturnType<typeof createWorkerRecords>
  readonly address: string
}

interface Session {
  readonly worker: WorkerProcess
  /** Looks for matches that Redis has lost. */
  look(): void
  readonly ended: Promise<void>
}

/** A run that was ordered and has not come back. */
interface Ordered {
  readonly job: MatchJob
  /** The number of orders for it so far. */
  orders: number
}

function createSession(options: SessionOptions): Session {
  const { redis, reader, queue, token, packages, records, onNotice } = options
  const session = randomBytes(16).toString('hex')
  const listeners: { report: (report: WorkerReport) => void; exit: ((how: string, stderr: string) => void)[] } = {
    report: () => undefined,
    exit: [],
  }
  const ordered = new Map<number, Ordered>()
  let setup: ContestSetup | null = null
  let setupText = ''
  let closed = false
  let heard = performance.now()
  let lonely = false
  const ended: PromiseWithResolvers<void> = Promise.withResolvers()

  const fail = (error: unknown): void => {
    if (closed) return
    onNotice(`The cluster: ${error instanceof Error ? error.message : String(error)}`)
  }

  /** Puts what workers need into Redis, or renews it. */
  const provide = async (): Promise<void> => {
    await redis.set(keys.setup(session), setupText, 'EX', SETUP_SECONDS)
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

  const order = async (one: Ordered): Promise<void> => {
    one.orders += 1
    const { run, match, attempt } = one.job
    const text = sealOrder(token, { session, setup: sha256(setupText), job: one.job })
    // The same name again is the same job, so that an order that is sent twice is played once.
    const jobId = `${session}.${match}.${attempt}.${run}.${one.orders}`
    await queue.add('match', text, { jobId, removeOnComplete: true, removeOnFail: true, attempts: 1_000 })
  }

  const look = async (): Promise<void> => {
    await provide()
    for (const one of [...ordered.values()]) {
      const { run, match, attempt } = one.job
      const state = await queue.getJobState(`${session}.${match}.${attempt}.${run}.${one.orders}`)
      if (state !== 'unknown' && state !== 'failed') continue
      // A result may have come in meanwhile, or wait to be read.
      if (!ordered.has(run) || (await redis.llen(keys.results(session))) > 0) continue
      await order(one)
    }
    if (!lonely && ordered.size > 0 && performance.now() - heard > LONELY_MS && (await queue.getActiveCount()) === 0) {
      lonely = true
      const word = token === null ? 'WORD' : 'TOKEN'
      onNotice(
        `No worker has taken a match yet. Workers join with: tartaglia worker --redis ${options.address} --token ${word}`,
      )
    }
  }

  const take = async (text: string): Promise<void> => {
    const result = await openResult(token, session, text)
    if (result === null) onNotice('A result was dropped: it cannot be read, or comes from a worker with another token.')
    const one = result === null ? undefined : ordered.get(result.run)
    if (result === null || one === undefined || setup === null) return
    heard = performance.now()
    accept(one, result, setup)
  }

  const accept = (one: Ordered, result: RunResult, known: ContestSetup): void => {
    const { run, match } = one.job
    const { worker, lines, reason = 'it was interrupted', seat } = result
    const deliver = (...reports: readonly WorkerReport[]): void => {
      ordered.delete(run)
      for (const report of reports) listeners.report(report)
    }
    const interrupted = { type: 'interrupted', run, reason, ...(seat === undefined ? {} : { seat }) } as const
    if (lines === null) return deliver(interrupted)
    const checked = checkRun(lines, known, one.job, games.get(known.game)!)
    if (checked.type === 'bad') {
      records.refused(worker)
      onNotice(
        `The history of match ${match} from worker ${worker} does not verify: ${checked.message}. The match is played again.`,
      )
      if (one.orders < REFUSALS_MAX) return void order(one).catch(fail)
      return deliver({ type: 'interrupted', run, reason: `Its histories do not verify: ${checked.message}.` })
    }
    const text = { type: 'lines', run, text: lines } as const
    if (checked.type === 'void') return deliver(text, { type: 'void', run, head: checked.head, reason: checked.reason })
    records.played(worker, checked.finished, one.job.fresh)
    deliver(text, { type: 'finished', ...checked.finished })
  }

  const listen = async (): Promise<void> => {
    while (!closed) {
      const next = await reader.blpop(keys.results(session), 2).catch(fail)
      if (next !== null && next !== undefined) await take(next[1])
    }
    ended.resolve()
  }

  const timer = setInterval(() => void look().catch(fail), LOOK_MS)

  const begin = async (given: ContestSetup): Promise<void> => {
    setup = given
    setupText = JSON.stringify(given)
    await provide()
    void listen()
    listeners.report({ type: 'ready' })
  }

  const end = async (): Promise<void> => {
    clearInterval(timer)
    if (setup === null) ended.resolve()
    // Workers then skip what is left in the queue.
    await redis.del(keys.setup(session)).catch(() => undefined)
    for (const listener of listeners.exit) listener('signal SIGKILL', '')
  }

  return {
    look: () => void look().catch(fail),
    ended: ended.promise,
    worker: {
      pid: undefined,
      send(command) {
        if (command.type === 'contest') void begin(command.setup).catch(fail)
        else if (command.type === 'play') {
          const one = { job: command.job, orders: 0 }
          ordered.set(command.job.run, one)
          void order(one).catch(fail)
        }
      },
      onReport: (listener) => (listeners.report = listener),
      onExit: (listener) => void listeners.exit.push(listener),
      kill() {
        if (closed) return
        closed = true
        void end()
      },
    },
  }
}
