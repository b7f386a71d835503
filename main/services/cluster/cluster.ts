import { createHmac } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { readAgent, type AgentPackage } from '../../administrator/classroom/agents.ts'
import type { WorkerProcess } from '../machine/worker-process.ts'
import { HUMAN, NETWORK } from '../../contract/players/agents.ts'
import type { ContestDescription } from '../../contract/contests/contests.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { IsolationTier } from '../../contract/limits.ts'
import type { EntrantId, MatchNumber, Sha256 } from '../../contract/ids.ts'
import { keepToken, keptOrNewToken, keptToken } from './kept-token.ts'
import { connectRedis, shownAddress } from './redis.ts'
import { createSession, type Session } from './session.ts'
import { createWorkerRecords, type WorkerRecord } from './worker-records.ts'

/** Matches that are in the queue or being played at a time. */
const WINDOW = 256
/** How long a contest waits for its first worker, in ms. */
const WAIT_MS = 600_000
const DEFAULT_RECHECK = 0.05

export interface ClusterOptions {
  readonly url: string
  /** Shared with the workers; absent: the one that this user has used last with this Redis, or a new one. */
  readonly token?: string | undefined
  /** How long to wait for the first result, in ms; then the contest ends with a sentence. Default: 10 minutes. */
  readonly waitMs?: number | undefined
  /** The share of matches that is played again before it counts, from 0 to 1. Default: 0.05. */
  readonly recheck?: number | undefined
  /** Workers that must come to the same in a match that is played again. Default: this machine plays it itself. */
  readonly quorum?: number | undefined
  /** The data folder with the agents. */
  readonly data: string
  readonly description: Pick<ContestDescription, 'entrants' | 'seed' | 'isolation' | 'toolchains'>
  /** The weakest isolation to accept; absent: as the contest has it. */
  readonly isolation?: IsolationTier | undefined
  onNotice(text: string): void
  /** No worker has come in time. */
  onFailed(error: ExpectedError): void
}

/** Workers on other machines, as the engine sees them: one worker with many lanes. */
export interface Cluster {
  /** Matches that its one worker plays at a time. */
  readonly lanes: number
  launch(): WorkerProcess
  /** The work of each worker so far. */
  workers(): readonly WorkerRecord[]
  close(): Promise<void>
}

/**
 * Checks, before anything is written, that there is a Redis and that these entrants can play on a cluster. Throws
 * ExpectedError.
 */
export async function checkCluster(
  { url }: Pick<ClusterOptions, 'url'>,
  entrants: readonly { readonly name: EntrantId; readonly network?: true }[],
): Promise<void> {
  const remote = entrants.find(({ network }) => network === true)
  if (remote !== undefined) throw playsElsewhere(remote.name)
  const redis = await connectRedis(url)
  redis.disconnect()
}

const playsElsewhere = (name: EntrantId): ExpectedError =>
  new ExpectedError(
    'usage',
    'cluster-unsupported',
    `Entrant "${name}" plays from another machine, which a contest on a cluster cannot have.`,
  )

/** Connects to the Redis and checks that the contest can be played on it. Throws ExpectedError. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { url, onNotice } = options
  const packages = await packagesOf(options)
  const address = shownAddress(url)
  let session: Session | null = null
  let closing = false
  const redis = await connectRedis(url, (here) => {
    if (closing) return
    onNotice(
      here
        ? `Redis at ${address} can be reached again; the contest continues.`
        : `Redis at ${address} cannot be reached; the contest waits for it.`,
    )
    if (here) session?.look()
  })
  const reader = await connectRedis(url)
  const given = options.token
  const token = given ?? (await keptOrNewToken(address))
  if (given !== undefined) await keepToken(address, given)
  else onNotice(`Workers join with: ${joinCommand(url, token)}`)
  const records = createWorkerRecords()

  return {
    lanes: WINDOW,
    launch() {
      session = createSession({
        ...{ redis, reader, packages, records, onNotice, token },
        /** A token that a worker of this user has brought since. */
        newToken: () => (given === undefined ? keptToken(address) : Promise.resolve(null)),
        joinCommand: (word) => joinCommand(url, word),
        checkers: availableParallelism(),
        recheck: {
          isSampled: sampleOf(options.description.seed, options.recheck ?? DEFAULT_RECHECK),
          quorum: options.quorum ?? null,
        },
        accepts: options.isolation ?? options.description.isolation,
        ...(options.description.toolchains && { toolchains: options.description.toolchains }),
        waitMs: options.waitMs ?? WAIT_MS,
        onFailed: (error) => options.onFailed(error),
      })
      return session.worker
    },
    workers: () => records.all(),
    async close() {
      closing = true
      session?.worker.kill()
      // It may be waiting for a result.
      reader.disconnect()
      await session?.ended
      redis.disconnect()
    },
  }
}

/**
 * The matches that are played again before they count, a function of the contest's seed, which is secret while it runs: no
 * worker knows where it may lie.
 */
export function sampleOf(seed: string, share: number): (match: MatchNumber) => boolean {
  return (match) => {
    const drawn = createHmac('sha256', `tartaglia recheck ${seed}`).update(String(match)).digest().readUInt32BE()
    return drawn < share * 2 ** 32
  }
}

/** How to join, for people; a password of the Redis is not shown. */
function joinCommand(url: string, token: string): string {
  const { username, password } = new URL(url)
  const hidden = username === '' && password === '' ? '' : `${username}:PASSWORD@`
  const shown = shownAddress(url).replace('//', `//${hidden}`)
  return `npx tartaglia worker --redis ${shown} --token ${token}`
}

/** The packages of the contest's agents. Throws ExpectedError 'usage' if one cannot play on a cluster. */
async function packagesOf({ data, description }: ClusterOptions): Promise<ReadonlyMap<Sha256, AgentPackage>> {
  const packages = new Map<Sha256, AgentPackage>()
  for (const { name, agent } of description.entrants) {
    const stored = agent === HUMAN || agent === NETWORK ? null : await readAgent(data, agent)
    if (stored === null || stored.kind === 'web') throw playsElsewhere(name)
    packages.set(agent, stored)
  }
  return packages
}
