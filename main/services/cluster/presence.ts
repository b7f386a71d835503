import * as z from 'zod'
import { Queue } from 'bullmq'
import { keys, ownerOf, queueName, versionsHere } from './names.ts'
import { duplicate, tidied, type Redis } from './redis.ts'

/** A worker, or a running contest of a classroom, as others see it in Redis. */
const presence = z.strictObject({
  name: z.string().min(1).max(200),
  /** Names its queue: equal tokens have equal owners. */
  owner: z.string().max(64),
  /** The versions of the rules of its games, and of the protocol. */
  versions: z.record(z.string().max(64), z.int()),
})
export type Presence = z.infer<typeof presence>

/** Seconds after which a worker or classroom that does not renew its entry counts as gone. */
const SECONDS = 30
const RENEW_MS = 10_000
/** The maximum number that is read. */
const MOST = 10_000

/** Announces a worker or classroom to the others, until `end`. Errors of the connection are ignored; the connection reports them. */
export async function announce(redis: Redis, kind: 'worker' | 'classroom', who: Presence) {
  const key = keys.presence(kind, who.name)
  const renew = (): Promise<unknown> => redis.set(key, JSON.stringify(who), 'EX', SECONDS)
  await renew()
  const timer = setInterval(() => void renew().catch(() => undefined), RENEW_MS)
  return {
    /** `here` false: Redis is away, so that the entry expires. */
    async end(here: boolean): Promise<void> {
      clearInterval(timer)
      if (here) await redis.del(key).catch(() => undefined)
    },
  }
}

/** The workers or classrooms that are there now, in the order of names. */
export async function whoIsThere(redis: Redis, kind: 'worker' | 'classroom'): Promise<readonly Presence[]> {
  const found = new Set<string>()
  for (let cursor = '0'; ;) {
    const [next, some] = await redis.scan(cursor, 'MATCH', keys.presence(kind, '*'), 'COUNT', 1_000)
    for (const key of some) found.add(key)
    cursor = next
    if (cursor === '0' || found.size >= MOST) break
  }
  const names = [...found].sort()
  const texts = names.length === 0 ? [] : await redis.mget(names)
  return texts.flatMap((text) => {
    const read = presence.safeParse(parsed(text ?? 'null'))
    return read.success ? [read.data] : []
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** How versions differ from those that are expected, in words; null: they do not. */
export function versionDifference(expected: Presence['versions'], found: Presence['versions']): string | null {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])].sort()
  const differing = names.filter((name) => expected[name] !== found[name])
  if (differing.length === 0) return null
  const version = (of: number | undefined): string => (of === undefined ? 'none' : String(of))
  return differing.map((name) => `${name} ${version(found[name])} instead of ${version(expected[name])}`).join(', ')
}

/** The queue of the orders of a classroom, which says so to workers with its token. */
export interface Line {
  readonly token: string
  readonly queue: Queue
  /** `here`: Redis is. */
  close(here: boolean): Promise<void>
}

/** `name`: the classroom's name for people. */
export function openLine(redis: Redis, token: string, name: string): Line {
  // A connection of its own, because a queue reports errors of the connection on it.
  const connection = duplicate(redis)
  const queue = new Queue(queueName(token), { connection, streams: { events: { maxLen: 100 } } })
  // The reason why Redis is away has been reported.
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
