import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'

import { ExpectedError } from '../../contract/expected-error.ts'
import { KEPT_SECONDS } from './names.ts'
import { sentence } from '../../contract/sentence.ts'

export type { Redis }

/** The longest wait between attempts to reach a Redis that has gone away, in ms. */
const RETRY_MS_MAX = 2_000

/** The address without a password, for messages. */
export function shownAddress(url: string): string {
  try {
    const { protocol, host } = new URL(url)
    return `${protocol}//${host}`
  } catch {
    return url
  }
}

/**
 * Connects to a Redis. Later it reconnects by itself, and commands wait until it has. `onState`: called when it goes
 * away and when it is back. Throws ExpectedError 'usage' if the address is malformed, 'host' if there is no Redis.
 */
export async function connectRedis(url: string, onState: (here: boolean) => void = () => undefined): Promise<Redis> {
  if (!/^rediss?:\/\//.test(url))
    throw new ExpectedError(
      'usage',
      'address-invalid',
      `"${url}" is not the address of a Redis; expected redis://HOST or redis://HOST:PORT.`,
    )
  let connected = false
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: null,
    enableReadyCheck: true,
    retryStrategy: (attempt) => (connected ? Math.min(RETRY_MS_MAX, 50 * attempt) : null),
  })
  let reason = ''
  redis.on('error', (error: Error & { code?: string }) => {
    reason = error.message || (error.code ?? 'unknown error')
  })
  try {
    await redis.connect()
  } catch (error) {
    redis.disconnect()
    const text = reason === '' && error instanceof Error ? error.message : reason
    throw new ExpectedError('host', 'redis-unavailable', sentence(`There is no Redis at ${shownAddress(url)}: ${text}`))
  }
  connected = true
  let here = true
  const change = (now: boolean): void => {
    if (here === now) return
    here = now
    onState(now)
  }
  redis.on('close', () => change(false)).on('ready', () => change(true))
  return redis
}

/** True for an error of a command on a key that holds another type of value than it should: somebody else has written it. */
const isOfWrongType = (error: unknown): boolean => error instanceof Error && error.message.startsWith('WRONGTYPE')

/** Deletes a key that holds another type of value than it should; others are kept. Returns true if it was deleted. */
export async function healed(redis: Pick<Redis, 'del'>, key: string, error: unknown): Promise<boolean> {
  if (!isOfWrongType(error)) return false
  await redis.del(key)
  return true
}

/** The types of the keys of a BullMQ queue that hold more than one job. */
const typesOfQueue = {
  ...{ wait: 'list', active: 'list', paused: 'list', meta: 'hash', events: 'stream', stalled: 'set', id: 'string' },
  ...{ prioritized: 'zset', delayed: 'zset', completed: 'zset', failed: 'zset', marker: 'zset' },
} as const

/** Deletes the keys of a queue that hold another type of value than they should: its jobs are ordered again. */
export async function healQueue(redis: Redis, keyOf: (name: string) => string): Promise<void> {
  for (const [name, type] of Object.entries(typesOfQueue)) {
    const found = await redis.type(keyOf(name))
    if (found !== type && found !== 'none') await redis.del(keyOf(name))
  }
}

/** Appends a result to a list, which expires an hour after its last use. A key that is not a list is replaced. */
export async function pushResult(redis: Redis, key: string, result: string): Promise<void> {
  for (const isLast of [false, true]) {
    const [pushed] = (await redis.multi().rpush(key, result).expire(key, KEPT_SECONDS).exec()) ?? []
    const error = pushed === undefined ? new Error('the result was not taken') : pushed[0]
    if (error === null) return
    if (isLast || !(await healed(redis, key, error))) throw error
  }
}

/** ms that tidying up may take: a Redis that is away does not answer, and nobody waits for it. */
const TIDY_MS = 2_000

/** Waits for what tidies up in Redis, but not for ever; what fails is ignored, because it expires there. */
export async function tidied(work: Promise<unknown>): Promise<void> {
  const late = new AbortController()
  const waited = sleep(TIDY_MS, undefined, { signal: late.signal }).catch(() => undefined)
  await Promise.race([work.catch(() => undefined), waited])
  late.abort()
}

/** Another connection to the same Redis, which reconnects like the first. */
export function duplicate(redis: Redis): Redis {
  // The first connection reports that Redis is away.
  return redis.duplicate().on('error', () => undefined)
}
