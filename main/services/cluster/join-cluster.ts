import { Worker, type Job } from 'bullmq'
import * as z from 'zod'
import { storeAgent } from '../../administrator/classroom/agents.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Sha256 } from '../../contract/ids.ts'
import type { IsolationTier } from '../../contract/limits.ts'
import { sha256 } from '../../histories/canonical.ts'
import type { AgentCode, ContestSetup } from '../../worker/protocol.ts'
import { chooseTier } from '../machine/isolation.ts'
import { loadAgents, type ContestAgents } from '../packages/codes.ts'
import { openOrder, sealResult, type Order } from './messages.ts'
import { keepToken, keptToken } from './kept-token.ts'
import { keys, KEPT_SECONDS, ownerOf, queueName, versionsHere } from './names.ts'
import { createPlaces, type Supply } from './places.ts'
import { announce, versionDifference, whoIsThere } from './presence.ts'
import { connectRedis, duplicate, shownAddress, tidied, type Redis } from './redis.ts'
import { createWorkerIdentity } from './worker-identity.ts'

export interface JoinOptions {
  readonly url: string
  /** Shared with the classroom; absent: the one that this user has used last with this Redis. */
  readonly token?: string | undefined
  /** Matches at a time. */
  readonly cores: number
  /** The folder in which agents are cached by their hashes. */
  readonly cache: string
  /** The weakest isolation to accept; absent: what the contest accepts. */
  readonly isolation?: IsolationTier
  /** Leaves the cluster; running matches are played elsewhere. */
  readonly signal: AbortSignal
  onNotice(text: string): void
  /** Called when the worker has joined, and after each match. */
  onProgress(played: number): void
}

/** ms after which a worker that does not answer counts as dead, and its matches go to others. */
const LOCK_MS = 10_000

/** ms between looks at the classrooms that are there, until one has sent a match. */
const LOOK_MS = 5_000

/** Plays matches of classrooms that use this Redis until the signal aborts. Throws ExpectedError. */
export async function joinCluster(options: JoinOptions): Promise<{ readonly played: number }> {
  const { url, cores, signal, onNotice, onProgress } = options
  const address = shownAddress(url)
  let leaving = false
  const redis = await connectRedis(url, (here) => {
    if (!signal.aborted && !leaving)
      onNotice(
        here ? `Redis at ${address} can be reached again.` : `Redis at ${address} cannot be reached; waiting for it.`,
      )
  })
  const kept = options.token ?? (await keptToken(address))
  if (kept === null) {
    redis.disconnect()
    throw new ExpectedError(
      'usage',
      'option-missing',
      'A worker needs the token of the classroom, which `contest run` prints: give --token.',
    )
  }
  const token = kept
  await keepToken(address, token)
  const identity = createWorkerIdentity()
  const { name } = identity
  const supplies = createSupplies(options, redis)
  const places = createPlaces(cores)
  const failed = Promise.withResolvers<never>()
  let played = 0

  const work = async (job: Job<string>): Promise<void> => {
    const order = openOrder(token, job.data)
    if (order === null) {
      onNotice('A job was dropped: it cannot be read, or comes from a classroom with another token.')
      return
    }
    const supply = await supplies.of(order).catch((error: unknown) => {
      if (error instanceof ExpectedError) failed.reject(error)
      throw error
    })
    // Its classroom has gone.
    if (supply === null) return
    const result = await places.play(supply, order.job)
    const sealed = await sealResult(token, order.session, identity, { ...result, order: order.number })
    const key = keys.results(order.session)
    await redis.multi().rpush(key, sealed).expire(key, KEPT_SECONDS).exec()
    played += 1
    onProgress(played)
  }

  const noticed = new Set<string>()
  const look = async (): Promise<void> => {
    if (played > 0) return
    const classrooms = await whoIsThere(redis, 'classroom')
    const own = classrooms.filter(({ owner }) => owner === ownerOf(token))
    const [difference = null] = own.map(({ versions }) => versionDifference(versions, versionsHere))
    if (difference !== null && own.every(({ versions }) => versionDifference(versions, versionsHere) !== null))
      failed.reject(
        new ExpectedError(
          'usage',
          'rules-version-differs',
          `This worker has other versions of the rules than the classroom: ${difference}. Use the same version of Tartaglia on both.`,
        ),
      )
    for (const other of own.length > 0 ? [] : classrooms.slice(0, 1)) {
      const text = `The contest of ${other.name} waits for workers with another token than this one.`
      if (!noticed.has(text)) onNotice(text)
      noticed.add(text)
    }
  }
  try {
    await Promise.race([look(), failed.promise, aborted(signal)])
  } catch (error) {
    leaving = true
    redis.disconnect()
    throw error
  }
  const connection = duplicate(redis)
  const worker = new Worker<string>(queueName(token), work, {
    connection,
    concurrency: cores,
    lockDuration: LOCK_MS,
    stalledInterval: LOCK_MS / 2,
    maxStalledCount: 1_000,
  })
  worker.on('error', () => undefined)
  const presence = await announce(redis, 'worker', { name, owner: ownerOf(token), versions: versionsHere })
  onProgress(played)
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS)
  try {
    await Promise.race([aborted(signal), failed.promise])
  } finally {
    clearInterval(timer)
    leaving = true
    places.close()
    await tidied(Promise.all([worker.close(true), presence.end(redis.status === 'ready')]))
    await supplies.close()
    // BullMQ leaves the connection open that it was given.
    for (const each of [redis, connection]) each.disconnect()
  }
  return { played }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

const storedPackage = z.strictObject({ kind: z.enum(['script', 'program', 'web']), bytes: z.base64() })

/** The setups and agents of which this worker has had orders. */
function createSupplies({ cache, isolation }: JoinOptions, redis: Redis) {
  const agents = new Map<Sha256, Promise<ContestAgents>>()
  const tiers = new Map<string, Promise<IsolationTier>>()
  let latest: { readonly wanted: Sha256; readonly setup: ContestSetup } | null = null

  const load = async (agent: Sha256): Promise<ContestAgents> => {
    const entrants = [{ name: agent.slice(0, 12), agent }]
    // The cache is not trusted either: `loadAgents` checks the hash.
    const cached = await loadAgents(cache, { entrants }, []).catch(() => null)
    if (cached !== null) return cached
    const read = storedPackage.safeParse(JSON.parse((await redis.get(keys.agent(agent))) ?? 'null'))
    if (!read.success) throw new Error(`the agent ${agent} is not in Redis`)
    const { kind, bytes } = read.data
    const stored = await storeAgent(cache, { kind, bytes: Buffer.from(bytes, 'base64') })
    if (stored.agent !== agent) throw new Error(`what Redis has as the agent ${agent} has another hash`)
    return loadAgents(cache, { entrants }, [])
  }

  const agentOf = (agent: Sha256): Promise<ContestAgents> => {
    const known = agents.get(agent) ?? load(agent)
    agents.set(agent, known)
    known.catch(() => agents.delete(agent))
    return known
  }

  return {
    /** null: the classroom of the order has gone. Throws ExpectedError 'host' if this machine cannot hold the agents. */
    async of({ session, setup: wanted, job }: Order): Promise<Supply | null> {
      // Also if the setup is known: a classroom that has gone does not want the match any more.
      const text = await redis.get(keys.setup(session))
      if (text === null) return null
      if (latest?.wanted !== wanted) {
        if (sha256(text) !== wanted) return null
        latest = { wanted, setup: JSON.parse(text) as ContestSetup }
      }
      const { setup } = latest
      const codes = new Map<Sha256, AgentCode>()
      for (const { agent } of job.entrants) codes.set(agent, (await agentOf(agent)).codes.get(agent)!)
      const programs = [...codes.values()].some((code) => typeof code !== 'string')
      const weakest = isolation ?? setup.isolation
      const key = `${weakest} ${programs}`
      const tier = tiers.get(key) ?? chooseTier(weakest, programs)
      tiers.set(key, tier)
      const own = { ...setup, isolation: await tier, lanes: 1 }
      return { id: `${wanted} ${own.isolation}`, setup: own, codes }
    },
    async close(): Promise<void> {
      for (const each of agents.values()) await each.then(({ remove }) => remove()).catch(() => undefined)
    },
  }
}
