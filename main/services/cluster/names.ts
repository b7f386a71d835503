import { hash } from 'node:crypto'
import { games } from '../../referees/games.ts'

/** The version of what classroom and workers say to each other. */
const PROTOCOL = 2

/** The games with the versions of their rules, and the protocol: classroom and workers must agree on them. */
export const rulesHere = hash(
  'sha256',
  [`protocol ${PROTOCOL}`, ...[...games.values()].map(({ id, version }) => `${id} ${version}`).sort()].join('\n'),
).slice(0, 12)

/**
 * The queue of matches. Workers with other rules, or with another token, have other queues, so that a classroom never
 * waits for a worker that cannot play for it. `token` null: a classroom that gives none.
 */
export function queueName(token: string | null): string {
  const owner = token === null ? 'open' : hash('sha256', `queue ${token}`).slice(0, 12)
  return `tartaglia-${rulesHere}-${owner}`
}

/** Names of the other keys in Redis. A session is one run of a contest by one classroom. */
export const keys = {
  /** What all matches of a session have in common; it is gone soon after its classroom. */
  setup: (session: string): string => `tartaglia:setup:${session}`,
  /** Results that wait for the classroom. */
  results: (session: string): string => `tartaglia:results:${session}`,
  agent: (hash: string): string => `tartaglia:agent:${hash}`,
  /** By the names of workers: their rules, and when they were last there. */
  workers: 'tartaglia:workers',
}

/** Seconds after which the setup of a classroom that no longer renews it is gone. */
export const SETUP_SECONDS = 60
/** Seconds that results and agents are kept. */
export const KEPT_SECONDS = 86_400
