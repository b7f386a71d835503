import { DelayedError, Worker, type Job } from 'bullmq'
import { checkOpenFiles } from '../../administrator/classroom/open-files.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Sha256 } from '../../contract/ids.ts'
import { unsharedTier, type IsolationTier } from '../../contract/limits.ts'
import type { AgentCode } from '../../worker/protocol.ts'
import { chooseTier } from '../machine/isolation.ts'
import { requireToolchains } from '../machine/toolchains.ts'
import { createAgentSupply } from './agent-supply.ts'
import {
  openOrder,
  openSetup,
  placeOfJob,
  sealResult,
  type Order,
  type SharedSetup,
  createWorkerIdentity,
} from './messages.ts'
import { keepToken, keptToken } from './kept-token.ts'
import { keys, ownerBefore5, queueName, versionsHere } from './names.ts'
import { createPlaces, type Supply } from './places.ts'
import { announce, refusalOf, versionDifference, whoIsThere } from './presence.ts'
import { connectRedis, duplicate, pushResult, shownAddress, tidied, type Redis } from './redis.ts'
import { secretsOf, type ClusterSecrets } from './sealing.ts'

export interface JoinOptions {
  readonly url: string
  /** Shared with the classroom; absent: the one that this user has used last with this Redis. */
  readonly token?: string | undefined
  /** Matches at a time. */
  readonly cores: number
  /** The folder in which agents are cached by their hashes. */
  readonly cache: string
  /** The weakest isolation to accept, whatever a contest says. Default: bubblewrap. */
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
/** ms for which an order that others are to play is left to them. */
const ASIDE_MS = 200
/** Different notices: everybody who reaches the Redis can bring about one at every look. */
const NOTICES_MAX = 20

/** A worker of a cluster. */
interface Joined {
  readonly options: JoinOptions
  readonly secrets: ClusterSecrets
  /** As workers up to protocol 4 have it. */
  readonly ownerBefore5: string
  readonly redis: Redis
  readonly identity: ReturnType<typeof createWorkerIdentity>
  readonly supplies: Supplies
  readonly places: ReturnType<typeof createPlaces>
  /** Rejects with the reason why this worker cannot play. */
  readonly failed: PromiseWithResolvers<never>
  readonly noticed: Set<string>
  played: number
}

/** Plays matches of classrooms that use this Redis until the signal aborts. Throws ExpectedError. */
export async function joinCluster(options: JoinOptions): Promise<{ readonly played: number }> {
  const { url, signal, onNotice } = options
  checkOpenFiles()
  const address = shownAddress(url)
  let leaving = false
  const redis = await connectRedis(url, (here) => {
    if (!signal.aborted && !leaving)
      onNotice(
        here ? `Redis at ${address} can be reached again.` : `Redis at ${address} cannot be reached; waiting for it.`,
      )
  })
  const token = options.token ?? (await keptToken(address))
  if (token === null) {
    redis.disconnect()
    throw new ExpectedError(
      'usage',
      'option-missing',
      'A worker needs the token of the classroom, which `contest run` prints: give --token.',
    )
  }
  await keepToken(address, token)
  const secrets = secretsOf(token)
  const joined: Joined = {
    options,
    secrets,
    ownerBefore5: ownerBefore5(token),
    redis,
    identity: createWorkerIdentity(),
    supplies: createSupplies(options, secrets, redis),
    places: createPlaces(options.cores),
    failed: Promise.withResolvers(),
    noticed: new Set(),
    played: 0,
  }
  try {
    await Promise.race([look(joined), joined.failed.promise, aborted(signal)])
    await work(joined, () => (leaving = true))
  } finally {
    leaving = true
    redis.disconnect()
  }
  return { played: joined.played }
}

/** Takes orders until the signal aborts. `onLeaving`: called before connections are closed. */
async function work(joined: Joined, onLeaving: () => void): Promise<void> {
  const { options, secrets, redis, identity, supplies, places, failed } = joined
  const { cores, signal, onProgress } = options
  const connection = duplicate(redis)
  const worker = new Worker<unknown>(queueName(secrets), (job, lock) => playOrder(joined, job, lock), {
    connection,
    concurrency: cores,
    lockDuration: LOCK_MS,
    stalledInterval: LOCK_MS / 2,
    maxStalledCount: 1_000,
  })
  worker.on('error', () => undefined)
  const { name } = identity
  const presence = await announce(redis, 'worker', { name, owner: secrets.owner, versions: versionsHere })
  onProgress(joined.played)
  const timer = setInterval(() => void look(joined).catch(() => undefined), LOOK_MS)
  try {
    await Promise.race([aborted(signal), failed.promise])
  } finally {
    clearInterval(timer)
    onLeaving()
    places.close()
    await tidied(Promise.all([worker.close(true), presence.end(redis.status === 'ready')]))
    await supplies.close()
    // BullMQ leaves the connection open that it was given.
    connection.disconnect()
  }
}

function notice({ noticed, options }: Joined, text: string): void {
  if (noticed.has(text) || noticed.size >= NOTICES_MAX) return
  noticed.add(text)
  options.onNotice(text)
}

/** Plays the order of a job and sends its result. A job that rejects is tried again, here or elsewhere. */
async function playOrder(joined: Joined, job: Job<unknown>, lock: string | undefined): Promise<void> {
  const { secrets, supplies, redis, identity, places, failed } = joined
  const place = placeOfJob(job.id ?? '')
  const shared = place === null ? null : await supplies.shared(place.session)
  // Its classroom has gone.
  if (place !== null && shared === null) return
  const order =
    place === null || shared === null
      ? null
      : openOrder(secrets, shared.setup.contest, place, typeof job.data === 'string' ? job.data : '')
  if (order === null || shared === null) {
    notice(joined, 'A job was dropped: it cannot be read, or comes from a classroom with another token.')
    return
  }
  if (order.not.includes(identity.name)) {
    await job.moveToDelayed(Date.now() + ASIDE_MS, lock)
    throw new DelayedError()
  }
  const supply = await supplies.of(order, shared).catch((error: unknown) => {
    if (error instanceof UnfitMachine) failed.reject(error.reason)
    throw error
  })
  const { session, number } = order
  const result = await places.play(supply, order.job)
  const to = { session, contest: shared.setup.contest }
  await pushResult(redis, keys.results(session), await sealResult(secrets, to, identity, { ...result, order: number }))
  joined.played += 1
  joined.options.onProgress(joined.played)
}

/** Says why no match comes. Only a classroom with the token can make this worker leave, and only if it has other versions. */
async function look(joined: Joined): Promise<void> {
  const { secrets, redis, identity, failed } = joined
  if (joined.played > 0) return
  const refusal = await refusalOf(redis, secrets, identity.name)
  if (refusal !== null)
    failed.reject(
      new ExpectedError(
        'usage',
        'rules-version-differs',
        `This worker has other versions of the rules than the classroom: ${refusal}. Use the same version of Tartaglia on both.`,
      ),
    )
  const classrooms = await whoIsThere(redis, 'classroom')
  for (const { name, versions } of classrooms.filter(({ owner }) => owner === joined.ownerBefore5)) {
    const difference = versionDifference(versions, versionsHere)
    if (difference !== null)
      notice(
        joined,
        `The classroom ${name} has another version of Tartaglia: this worker has ${difference}, and gets no matches from it. Use the same version on both.`,
      )
  }
  const isExpected = classrooms.some(({ owner }) => owner === secrets.owner || owner === joined.ownerBefore5)
  for (const other of isExpected ? [] : classrooms.slice(0, 1))
    notice(joined, `The contest of ${other.name} waits for workers with another token than this one.`)
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** This machine cannot play a contest as its user wants it: the worker leaves, and others play. */
class UnfitMachine extends Error {
  readonly reason: ExpectedError
  constructor(reason: ExpectedError) {
    super(reason.message)
    this.reason = reason
  }
}

/** The isolation that a worker and a contest accept. */
interface IsolationTerms {
  /** The weakest tier that the user of a worker accepts. */
  readonly worker: IsolationTier
  /** The weakest tier that the educator accepts. */
  readonly contest: IsolationTier
}

/**
 * The tier in which a worker plays a contest. Nothing that a classroom says makes it weaker than the user of the worker
 * accepts. Throws ExpectedError 'host' if this machine has no such tier, 'usage' if the two sides do not agree.
 */
export async function tierOfWorker(
  { worker, contest }: IsolationTerms,
  programs: boolean,
  choose: typeof chooseTier = chooseTier,
): Promise<IsolationTier> {
  const refuse = (why: string): ExpectedError => new ExpectedError('usage', 'isolation-refused', why)
  if (contest === 'shared') {
    if (worker === 'shared') return choose('shared', programs)
    throw refuse(
      'The agents of this contest share a folder, which this worker does not accept: start it with --isolation shared.',
    )
  }
  const tier = await choose(worker === 'shared' ? 'bubblewrap' : worker, programs)
  if (tier === 'shared' || strength.indexOf(tier) <= strength.indexOf(contest)) return tier
  throw refuse(`The contest does not accept the isolation of this worker (${tier}), only "${contest}" and stronger.`)
}

/** The tiers in which agents share nothing, strongest first. */
const strength = unsharedTier.options

/** The setups and agents of which this worker has had orders. */
interface Supplies {
  /** The facts that all matches of a session share; null: its classroom has gone. */
  shared(session: string): Promise<SharedSetup | null>
  /** Rejects with UnfitMachine if no match of this contest can be played here. */
  of(order: Order, shared: SharedSetup): Promise<Supply>
  close(): Promise<void>
}

function createSupplies(
  { cache, isolation = 'bubblewrap', onNotice }: JoinOptions,
  secrets: ClusterSecrets,
  redis: Redis,
): Supplies {
  const agents = createAgentSupply({ cache, secrets, redis, onNotice })
  const tiers = new Map<string, Promise<IsolationTier>>()
  let latest: { readonly session: string; readonly text: string; readonly shared: SharedSetup } | null = null
  return {
    async shared(session) {
      // Also if the setup is known: a classroom that has gone does not want the match any more.
      const text = await redis.get(keys.setup(session)).catch(() => null)
      if (text === null) return null
      if (latest?.session === session && latest.text === text) return latest.shared
      const shared = openSetup(secrets, session, text)
      if (shared !== null) latest = { session, text, shared }
      return shared
    },
    async of({ session, job }, { setup, kinds, accepts, toolchains }) {
      const codes = new Map<Sha256, AgentCode>()
      for (const { agent } of job.entrants) {
        const kind = kinds[agent]
        if (kind === undefined) throw new Error(`the setup names no agent ${agent}`)
        codes.set(agent, await agents.code(agent, kind))
      }
      const programs = [...codes.values()].some((code) => typeof code !== 'string')
      const contest = setup.isolation === 'shared' ? 'shared' : accepts
      const key = JSON.stringify([contest, programs, toolchains])
      const fit = async (): Promise<IsolationTier> => {
        const tier = await tierOfWorker({ worker: isolation, contest }, programs)
        if (programs) await requireToolchains(toolchains, tier)
        return tier
      }
      const found = tiers.get(key) ?? fit()
      tiers.set(key, found)
      const tier = await found.catch((error: unknown) => {
        throw error instanceof ExpectedError ? new UnfitMachine(error) : error
      })
      return { id: `${session} ${tier}`, setup: { ...setup, isolation: tier, lanes: 1 }, codes }
    },
    close: () => agents.close(),
  }
}
