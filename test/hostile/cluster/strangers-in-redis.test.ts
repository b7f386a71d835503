import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Redis } from 'ioredis'
import { sha256 } from '../../../main/histories/canonical.ts'
import { keys, queueName } from '../../../main/services/cluster/names.ts'
import { secretsOf } from '../../../main/services/cluster/sealing.ts'
import type { Running } from '../../conformance/cli/process.ts'
import { hasRedis, startRedis, type RedisServer } from '../../conformance/cluster/redis-server.ts'
import { openStage, reportOf, toldIn } from '../../conformance/verbs/stage.ts'

/** Attacks by somebody who reaches the Redis and does not know the token. */
const stage = openStage('strangers')
let redis: RedisServer
let client: Redis
const started: Running[] = []
const tokenOf = (word: string): string => sha256(word).slice(0, 32)

beforeAll(async () => {
  process.env['TARTAGLIA_DATA'] = join(stage.folder, 'home', 'data')
  if (!hasRedis) return
  redis = await startRedis()
  client = new Redis(redis.url)
}, 60_000)
afterAll(async () => {
  for (const { child } of started) child.kill('SIGKILL')
  if (hasRedis) {
    client.disconnect()
    await redis.remove()
  }
  stage.remove()
})

function begin(...args: readonly string[]): Running {
  const running = stage.begin(...args)
  started.push(running)
  return running
}

const workerOf = (word: string): Running =>
  begin(
    ...['worker', '--redis', redis.url, '--token', tokenOf(word), '--cores', '1', '--isolation', 'permission'],
    ...['--cache', join(stage.folder, 'cache')],
  )

const contestOf = (word: string, contest: string): Running =>
  begin(
    ...['contest', 'run', contest, '--redis', redis.url, '--token', tokenOf(word), '--json'],
    ...['--data', join(stage.folder, `${word}-data`), '--export', join(stage.folder, `${word}-out`)],
  )

/** Everything that Redis holds, as text. */
async function contentOfRedis(): Promise<string> {
  const texts: string[] = []
  for (const key of await client.keys('*')) {
    const type = await client.type(key)
    const value = type === 'hash' ? await client.hgetall(key) : type === 'list' ? await client.lrange(key, 0, -1) : null
    texts.push(key, type === 'string' ? (await client.get(key))! : JSON.stringify(value))
  }
  return texts.join('\n')
}

describe.skipIf(!hasRedis)('a stranger who reaches the Redis (needs redis-server)', () => {
  test(
    'reads neither seeds nor code nor the token, and bad records of agents and results cost nothing but time',
    { timeout: 240_000 },
    async () => {
      const contest = stage.contest('read.json')
      const run = contestOf('read', contest)
      const [secrets] = [secretsOf(tokenOf('read'))]
      await expect.poll(() => client.keys('tartaglia:agent:*')).toHaveLength(4)
      await expect.poll(() => client.llen(`bull:${queueName(secrets)}:wait`)).toBeGreaterThan(5)
      const content = await contentOfRedis()
      const codes = readFileSync(join(stage.agents, 'greedy.js'), 'utf8')
      for (const secret of [tokenOf('read'), codes.slice(0, 60), Buffer.from(codes).toString('base64').slice(0, 60)])
        expect(content).not.toContain(secret)

      // One write each: another kind of an agent, other types of values, jobs and results that are nothing.
      const record = JSON.stringify({ kind: 'program', bytes: Buffer.from(codes).toString('base64') })
      for (const key of await client.keys('tartaglia:agent:*')) await client.set(key, record)
      const [session] = (await client.keys('tartaglia:setup:*')).map((key) => key.split(':').at(-1)!)
      const results = keys.results(session!)
      await client.set(results, 'one bad value')
      const worker = workerOf('read')
      await worker.said('Joined')
      await run.said('was removed')
      await client.rpush(results, 'nothing', '7.1.AAAA', JSON.stringify({ body: 'x', mac: '' }))
      const ended = await run.ended
      expect(ended.code, ended.stderr).toBe(0)
      expect(reportOf(ended).matches).toMatchObject({ total: 6, played: 6, void: 0 })
      const lines = toldIn(ended)
      expect(lines.filter((line) => line.includes('was removed'))).toHaveLength(1)
      expect(lines.length, ended.stderr).toBeLessThan(8)
      expect(worker.child.exitCode).toBeNull()

      // The seeds are in the histories, and were not in Redis.
      const out = join(stage.folder, 'read-out')
      const files = readdirSync(out).filter((file) => file.endsWith('.jsonl'))
      const seeds = files.map((file) => /"seed":"([0-9a-f]{64})"/.exec(readFileSync(join(out, file), 'utf8'))![1]!)
      expect(seeds).toHaveLength(6)
      for (const seed of seeds) expect(content).not.toContain(seed)
    },
  )

  test('who damages the queue of a running contest does not stop it', { timeout: 240_000 }, async () => {
    const contest = stage.contest('damaged.json', { format: { type: 'round-robin', seats: 2, repeats: 6 } })
    workerOf('damaged')
    const run = contestOf('damaged', contest)
    await run.said('of 36 matches')
    const queue = `bull:${queueName(secretsOf(tokenOf('damaged')))}`
    await client.set(`${queue}:wait`, 'nothing')
    const ended = await run.ended
    expect(ended.code, ended.stderr).toBe(0)
    expect(reportOf(ended).matches).toEqual({ total: 36, played: 36, void: 0 })
    expect(toldIn(ended).length, ended.stderr).toBeLessThan(8)
  })
})
