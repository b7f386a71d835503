import * as z from 'zod'
import { Queue } from 'bullmq'
import { openRefusal, sealRefusal } from './messages.ts'
import { keys, ownerBefore5, queueName, versionsHere } from './names.ts'
import { duplicate, tidied, type Redis } from './redis.ts'
import { secretsOf, type ClusterSecrets } from './sealing.ts'

/**
 * A worker, or a running contest of a classroom, as others see it in Redis. Anybody who reaches the Redis can write one, so
 * that it is good for messages only.
 */
const clusterMember = z.strictObject({
  name: z.string().regex(/^[\w.-]{1,200}$/),
  /** Names its queue: equal tokens have equal owners. */
  owner: z.string().max(64),
  /** The versions of the rules of its games, and of the protocol. */
  versions: z.record(z.string().max(64), z.int()),
})
export type ClusterMember = z.infer<typeof clusterMember>
export type Versions = ClusterMember['versions']

/** Seconds after which a worker or classroom that does not renew its entry counts as gone. */
const SECONDS = 30
const RENEW_MS = 10_000
/** The maximum number that is read, and the bytes of one. */
const MOST = 10_000
const BYTES_MAX = 4_096
/** Workers that a classroom refuses at a time. */
const REFUSED_MOST = 100

/** Announces a worker or classroom to the others, until `end`. Errors of the connection are ignored; the connection reports them. */
export async function announce(redis: Redis, kind: 'worker' | 'classroom', who: ClusterMember) {
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
export async function whoIsThere(redis: Redis, kind: 'worker' | 'classroom'): Promise<readonly ClusterMember[]> {
  const found = new Set<string>()
  for (let cursor = '0'; ;) {
    const [next, some] = await redis.scan(cursor, 'MATCH', keys.presence(kind, '*'), 'COUNT', 1_000)
    for (const key of some) found.add(key)
    cursor = next
    if (cursor === '0' || found.size >= MOST) break
  }
  const reading = redis.pipeline()
  for (const key of [...found].sort()) reading.getrange(key, 0, BYTES_MAX - 1)
  const read = found.size === 0 ? [] : ((await reading.exec()) ?? [])
  return read.flatMap(([error, text]) => {
    const one = clusterMember.safeParse(error === null && typeof text === 'string' ? parsed(text) : null)
    return one.success ? [one.data] : []
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
export function versionDifference(expected: Versions, found: Versions): string | null {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])].sort()
  const differing = names.filter((name) => expected[name] !== found[name])
  if (differing.length === 0) return null
  const version = (of: number | undefined): string => (of === undefined ? 'none' : String(of))
  return differing.map((name) => `${name} ${version(found[name])} instead of ${version(expected[name])}`).join(', ')
}

/** A worker with a classroom's token and other versions. */
export interface OtherVersion {
  readonly worker: string
  readonly difference: string
}

/**
 * Refuses workers that have the token of this line and other versions, each in the way that its version reads. A worker that
 * somebody has invented is refused like any other: a refusal holds for one name, and says the classroom's versions.
 */
export async function refuseOtherVersions(
  redis: Redis,
  { token, secrets, name }: Pick<Line, 'token' | 'secrets' | 'name'>,
  workers: readonly ClusterMember[],
): Promise<readonly OtherVersion[]> {
  const [own, before5] = [secrets.owner, ownerBefore5(token)]
  const others = workers.flatMap(({ name: worker, owner, versions }) => {
    const difference = owner === own || owner === before5 ? versionDifference(versionsHere, versions) : null
    return difference === null ? [] : [{ worker, owner, difference }]
  })
  const refused = others.slice(0, REFUSED_MOST)
  for (const { worker, owner } of refused) {
    const [key, text] =
      owner === own
        ? [keys.refusal(secrets, worker), sealRefusal(secrets, worker, versionsHere)]
        : // A worker up to protocol 4 believes a classroom that has its owner, which it has published itself.
          [keys.presence('classroom', `${name}-5`), JSON.stringify({ name, owner, versions: versionsHere })]
    await redis.set(key, text, 'EX', SECONDS)
  }
  return refused
}

/** How the versions of the classroom that has refused this worker differ from those here, in words; null: none has. */
export async function refusalOf(redis: Redis, secrets: ClusterSecrets, worker: string): Promise<string | null> {
  const text = await redis.get(keys.refusal(secrets, worker)).catch(() => null)
  const versions = text === null ? null : openRefusal(secrets, worker, text)
  return versions === null ? null : versionDifference(versions, versionsHere)
}

/** The queue of the orders of a classroom, which says so to workers with its token. */
export interface Line {
  readonly token: string
  readonly secrets: ClusterSecrets
  /** The classroom's name for people. */
  readonly name: string
  readonly queue: Queue
  /** `here`: Redis is. */
  close(here: boolean): Promise<void>
}

/** `name`: the classroom's name for people. */
export function openLine(redis: Redis, token: string, name: string): Line {
  // A connection of its own, because a queue reports errors of the connection on it.
  const connection = duplicate(redis)
  const secrets = secretsOf(token)
  const queue = new Queue(queueName(secrets), { connection, streams: { events: { maxLen: 100 } } })
  // The reason why Redis is away has been reported.
  queue.on('error', () => undefined)
  const announced = announce(redis, 'classroom', { name, owner: secrets.owner, versions: versionsHere })
  announced.catch(() => undefined)
  return {
    token,
    secrets,
    name,
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
