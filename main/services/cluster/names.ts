import { hash } from 'node:crypto'
import { hostname } from 'node:os'
import type { Sha256 } from '../../contract/ids.ts'
import { games } from '../../referees/games.ts'
import type { ClusterSecrets } from './sealing.ts'

/** The version of what classroom and workers say to each other. */
const PROTOCOL = 6

/** The versions of the games' rules and of the protocol: classroom and workers must agree on them. */
export const versionsHere: Readonly<Record<string, number>> = Object.fromEntries(
  [['protocol', PROTOCOL] as const, ...[...games.values()].map(({ id, version }) => [id, version] as const)].sort(),
)

const rulesHere = hash('sha256', JSON.stringify(versionsHere)).slice(0, 12)

/**
 * The owner of a token as workers up to protocol 4 publish it, an unsalted hash. It is only compared, never written, but as the
 * answer to a worker that has published it.
 */
export const ownerBefore5 = (token: string): string => hash('sha256', `queue ${token}`).slice(0, 12)

/**
 * The queue of matches. Workers with other rules, or with another token, have other queues, so that a classroom never
 * waits for a worker that cannot play for it.
 */
export const queueName = ({ owner }: Pick<ClusterSecrets, 'owner'>): string => `tartaglia-${rulesHere}-${owner}`

/** Names of the other keys in Redis. A session is one run of a contest by one classroom. */
export const keys = {
  /** The setup that all matches of a session share; it expires soon after its classroom has left. */
  setup: (session: string): string => `tartaglia:setup:${session}`,
  /** Results that wait for the classroom. */
  results: (session: string): string => `tartaglia:results:${session}`,
  /** An agent's package. */
  agent: (secrets: ClusterSecrets, kind: string, agent: Sha256): string =>
    `tartaglia:agent:${secrets.nameOf('agent', kind, agent)}`,
  /** Tells a worker that it has other versions than its classroom. */
  refusal: (secrets: ClusterSecrets, worker: string): string =>
    `tartaglia:refusal:${secrets.nameOf('refusal', worker)}`,
  /** A worker or classroom that is connected; it expires soon after that has left. */
  presence: (kind: 'worker' | 'classroom', name: string): string => `tartaglia:${kind}:${name}`,
}

/** This machine's name, as it may stand in names of workers and classrooms. */
export const machineName = (): string =>
  hostname()
    .replace(/[^\w.-]/g, '-')
    .slice(0, 64)

/** Seconds after which the setup of a classroom that no longer renews it is gone. */
export const SETUP_SECONDS = 60
/** Seconds that results and agents are kept after the last use. */
export const KEPT_SECONDS = 3_600
