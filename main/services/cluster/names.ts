import { hash } from 'node:crypto'
import { games } from '../../referees/games.ts'

/** The version of what classroom and workers say to each other. */
const PROTOCOL = 4

/** The versions of the games' rules and of the protocol: classroom and workers must agree on them. */
export const versionsHere: Readonly<Record<string, number>> = Object.fromEntries(
  [['protocol', PROTOCOL] as const, ...[...games.values()].map(({ id, version }) => [id, version] as const)].sort(),
)

const rulesHere = hash('sha256', JSON.stringify(versionsHere)).slice(0, 12)

/** Equal for equal tokens; does not give the token away. */
export const ownerOf = (token: string): string => hash('sha256', `queue ${token}`).slice(0, 12)

/**
 * The queue of matches. Workers with other rules, or with another token, have other queues, so that a classroom never
 * waits for a worker that cannot play for it.
 */
export const queueName = (token: string): string => `tartaglia-${rulesHere}-${ownerOf(token)}`

/** Names of the other keys in Redis. A session is one run of a contest by one classroom. */
export const keys = {
  /** The setup that all matches of a session share; it expires soon after its classroom has left. */
  setup: (session: string): string => `tartaglia:setup:${session}`,
  /** Results that wait for the classroom. */
  results: (session: string): string => `tartaglia:results:${session}`,
  agent: (hash: string): string => `tartaglia:agent:${hash}`,
  /** A worker or classroom that is connected; it expires soon after that has left. */
  presence: (kind: 'worker' | 'classroom', name: string): string => `tartaglia:${kind}:${name}`,
}

/** Seconds after which the setup of a classroom that no longer renews it is gone. */
export const SETUP_SECONDS = 60
/** Seconds that results and agents are kept after the last use. */
export const KEPT_SECONDS = 3_600
