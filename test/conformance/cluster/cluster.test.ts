import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Running } from '../cli/process.ts'
import { expectRefusal, openStage, reportOf } from '../verbs/stage.ts'
import { hasRedis, startRedis, type RedisServer } from './redis-server.ts'

const stage = openStage('cluster')
const contest = stage.contest('contest.json', { format: { type: 'round-robin', seats: 2, repeats: 12 }, sample: 0.1 })
let redis: RedisServer
const started: Running[] = []

beforeAll(async () => {
  if (hasRedis) redis = await startRedis()
}, 30_000)
afterAll(async () => {
  for (const { child } of started) child.kill('SIGKILL')
  if (hasRedis) await redis.remove()
  stage.remove()
})

async function startWorker(token: string, cache: string): Promise<Running> {
  const worker = stage.begin(
    ...['worker', '--redis', redis.url, '--token', token, '--cores', '1'],
    ...['--cache', join(stage.folder, cache)],
  )
  started.push(worker)
  await worker.said('Joined')
  return worker
}

/** Outcome, final state and seed of every match by its number. */
function endings(folder: string): ReadonlyMap<number, string> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'))
  return new Map(
    files.map((file) => {
      const bodies = readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as { readonly b: Record<string, unknown> }).b)
      const header = bodies.find(({ k }) => k === 'header')!
      const { outcome, state, seed } = bodies.find(({ k }) => k === 'outcome')!
      return [header.match as number, JSON.stringify([outcome, state, seed])] as const
    }),
  )
}

describe.skipIf(!hasRedis)('a contest on a cluster (needs redis-server)', () => {
  test(
    'comes to what this machine comes to, although a worker is killed in the middle',
    { timeout: 240_000 },
    async () => {
      const [local, cluster] = [join(stage.folder, 'local'), join(stage.folder, 'cluster')]
      const alone = await stage.run(
        ...['contest', 'run', contest, '--data', `${local}-data`, '--export', local, '--json'],
      )
      expect(alone.code, alone.stderr).toBe(0)
      const [doomed] = [await startWorker('one', 'cache-1'), await startWorker('one', 'cache-2')]
      const run = stage.begin(
        ...['contest', 'run', contest, '--redis', redis.url, '--token', 'one'],
        ...['--data', `${cluster}-data`, '--export', cluster, '--json'],
      )
      started.push(run)
      await run.said('of 72 matches')
      doomed.child.kill('SIGKILL')
      const ended = await run.ended
      expect(ended.code, ended.stderr).toBe(0)
      const [one, other] = [reportOf(alone), reportOf(ended)]
      expect(other.matches).toEqual({ total: 72, played: 72, void: 0 })
      expect(other.standings).toEqual(one.standings)
      expect([...endings(cluster)].sort()).toEqual([...endings(local)].sort())
      const files = readdirSync(cluster).flatMap((file) => (file.endsWith('.jsonl') ? join(cluster, file) : []))
      const verdict = await stage.run('history', 'verify', ...files, '--key', join(cluster, 'class.pub'), '--json')
      expect(verdict.code, verdict.stderr).toBe(0)
    },
  )

  test('waits for a Redis that goes away with all it holds, and goes on by itself', { timeout: 240_000 }, async () => {
    const worker = await startWorker('two', 'cache-3')
    const run = stage.begin(
      ...['contest', 'run', contest, '--redis', redis.url, '--token', 'two'],
      ...['--data', join(stage.folder, 'away-data'), '--json'],
    )
    started.push(run)
    await run.said('of 72 matches')
    await redis.kill()
    await run.said('cannot be reached')
    await redis.restart()
    await run.said('can be reached again')
    const ended = await run.ended
    expect(ended.code, ended.stderr).toBe(0)
    expect(reportOf(ended).matches).toEqual({ total: 72, played: 72, void: 0 })
    worker.child.kill('SIGINT')
    expect((await worker.ended).code).toBe(0)
  })

  test('takes workers with its own token only, and any worker where it has none', { timeout: 240_000 }, async () => {
    await startWorker('three', 'cache-4')
    const other = stage.begin(
      ...['contest', 'run', contest, '--redis', redis.url, '--token', 'four'],
      ...['--data', join(stage.folder, 'four-data'), '--json'],
    )
    started.push(other)
    await other.said('No worker has taken a match yet')
    other.child.kill('SIGINT')
    expect(reportOf(await other.ended).matches.played).toBe(0)
    const open = await stage.run(
      'contest',
      'run',
      contest,
      '--redis',
      redis.url,
      '--data',
      join(stage.folder, 'open'),
      '--json',
    )
    expect(reportOf(open).matches.played).toBe(72)
  })
})

test('without a Redis both say so in one sentence', async () => {
  const nobody = 'redis://127.0.0.1:1'
  const worker = await stage.run('worker', '--redis', nobody, '--token', 'x', '--json')
  expectRefusal(worker, 3, 'There is no Redis at redis://127.0.0.1:1')
  const run = await stage.run(
    'contest',
    'run',
    contest,
    '--redis',
    nobody,
    '--data',
    join(stage.folder, 'nobody'),
    '--json',
  )
  expectRefusal(run, 3, 'There is no Redis at redis://127.0.0.1:1')
})

test('an address that is none is refused', async () => {
  expectRefusal(await stage.run('worker', '--redis', 'localhost', '--token', 'x', '--json'), 2, '"localhost" is not')
})
