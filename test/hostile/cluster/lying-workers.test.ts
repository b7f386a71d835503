import { Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { games } from '../../../main/referees/games.ts'
import { openOrder, sealResult, type Order, type RunResult } from '../../../main/services/cluster/messages.ts'
import { keys, queueName } from '../../../main/services/cluster/names.ts'
import { createWorkerIdentity } from '../../../main/services/cluster/worker-identity.ts'
import { conductMatch } from '../../../main/worker/conduct-match.ts'
import type { ContestSetup } from '../../../main/worker/protocol.ts'
import type { Ended, Running } from '../../conformance/cli/process.ts'
import { hasRedis, startRedis, type RedisServer } from '../../conformance/cluster/redis-server.ts'
import { openStage, reportOf } from '../../conformance/verbs/stage.ts'

const stage = openStage('lying-workers')
const contest = stage.contest('contest.json', { format: { type: 'round-robin', seats: 2 } })
let redis: RedisServer
let local: ReturnType<typeof reportOf>
const started: Running[] = []

beforeAll(async () => {
  process.env['TARTAGLIA_DATA'] = join(stage.folder, 'home', 'data')
  if (!hasRedis) return
  redis = await startRedis()
  local = reportOf(await stage.run('contest', 'run', contest, '--data', join(stage.folder, 'local'), '--json'))
}, 60_000)
afterAll(async () => {
  for (const { child } of started) child.kill('SIGKILL')
  if (hasRedis) await redis.remove()
  stage.remove()
})

/** The valid history of a run that was void. */
async function voidRun(client: Redis, order: Order): Promise<string> {
  const setup = JSON.parse((await client.get(keys.setup(order.session)))!) as ContestSetup
  let lines = ''
  await conductMatch({
    ...{ setup, job: { ...order.job, voided: 'The machine was too slow.' }, game: games.get(setup.game)! },
    seatPlayer: () => {
      throw new Error('a void run has no players')
    },
    report(report) {
      if (report.type === 'lines') lines += report.text
    },
  })
  return lines
}

type Lie = (client: Redis, order: Order) => Promise<Pick<RunResult, 'lines' | 'reason'>>

const lies: readonly (readonly [string, Lie, RegExp])[] = [
  ['calls every match void', async (client, order) => ({ lines: await voidRun(client, order) }), /\b([1-9]\d*) void\b/],
  ['sends something other than a history', () => Promise.resolve({ lines: 'nonsense\n' }), /\b([1-9]\d*) not verified/],
  ['gives every match back', () => Promise.resolve({ lines: null, reason: 'No.' }), /\b([1-9]\d*) interrupted/],
]

/**
 * A contest played by an honest worker, and by one with the right token that lies and sends everything twice; it has some of
 * the matches first.
 */
async function playedWith(token: string, lie: Lie): Promise<Ended & { readonly lies: number }> {
  const client = new Redis(redis.url, { maxRetriesPerRequest: null })
  const connection = client.duplicate()
  const identity = createWorkerIdentity('liar')
  let lied = 0
  const liar = new Worker<string>(
    queueName(token),
    async ({ data }) => {
      const order = openOrder(token, data)!
      const told = await lie(client, order)
      const answer = { ...told, run: order.job.run, order: order.number }
      const sealed = await sealResult(token, order.session, identity, answer)
      await client.rpush(keys.results(order.session), sealed, sealed)
      if (++lied === 3) honest = startHonest()
    },
    { connection },
  )
  liar.on('error', () => undefined)
  let honest: Running | null = null
  const startHonest = (): Running => {
    const worker = stage.begin(
      ...['worker', '--redis', redis.url, '--token', token, '--cores', '1', '--cache', join(stage.folder, 'cache')],
    )
    started.push(worker)
    return worker
  }
  const run = await stage.run(
    ...['contest', 'run', contest, '--redis', redis.url, '--token', token],
    ...['--data', join(stage.folder, token), '--export', join(stage.folder, `${token}-out`)],
  )
  await liar.close(true)
  for (const each of [client, connection]) each.disconnect()
  ;(honest as Running | null)?.child.kill('SIGKILL')
  return { ...run, lies: lied }
}

describe.skipIf(!hasRedis)('a worker that lies (needs redis-server)', () => {
  test.each(lies)('and %s costs nothing but time', { timeout: 240_000 }, async (what, lie, residual) => {
    const token = what.replaceAll(/\W/g, '-')
    const run = await playedWith(token, lie)
    expect(run.code, run.stderr).toBe(0)
    expect(run.stdout).toContain(`${local.matches.total} matches of ${local.matches.total} played.`)
    const told = residual.exec(run.stdout.split('\n').find((line) => line.startsWith('Worker liar-')) ?? '')?.[1]
    // Results sent twice are counted once; lies about matches that others have played meanwhile are not counted at all.
    expect(Number(told), run.stdout).toBeGreaterThan(0)
    expect(Number(told)).toBeLessThanOrEqual(run.lies)
    const out = join(stage.folder, `${token}-out`)
    const points = new Map<string, number>()
    for (const file of readdirSync(out).filter((name) => name.endsWith('.jsonl'))) {
      const text = readFileSync(join(out, file), 'utf8')
      expect(text).not.toContain('"k":"void"')
      points.set(file, text.length)
    }
    expect(points.size).toBe(local.matches.total)
  })
})
