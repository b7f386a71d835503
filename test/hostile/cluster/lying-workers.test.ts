import { Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '../../../main/histories/canonical.ts'
import { games } from '../../../main/referees/games.ts'
import {
  openOrder,
  openSetup,
  placeOfJob,
  sealResult,
  type Order,
  type RunResult,
  createWorkerIdentity,
} from '../../../main/services/cluster/messages.ts'
import { keys, queueName } from '../../../main/services/cluster/names.ts'
import { secretsOf } from '../../../main/services/cluster/sealing.ts'
import { conductMatch } from '../../../main/worker/conduct-match.ts'
import type { ContestSetup } from '../../../main/worker/protocol.ts'
import type { Ended, Running } from '../../conformance/cli/process.ts'
import { hasRedis, startRedis, type RedisServer } from '../../conformance/cluster/redis-server.ts'
import { openStage, reportOf as reportIn, type Report } from '../../conformance/verbs/stage.ts'

const stage = openStage('lying-workers')
const contest = stage.contest('contest.json', { format: { type: 'round-robin', seats: 2 } })
let redis: RedisServer

/** The report with the residuals of its workers. */
type Told = Report & { readonly workers: readonly (Record<Residual, number> & { readonly worker: string })[] }
const reportOf = (ended: Ended): Told => reportIn(ended) as Told

let local: Told
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

/** The valid history of a run in which something happened that did not: it was void, or no player answered. */
async function inventedRun(setup: ContestSetup, { job }: Order, what: 'void' | 'silence'): Promise<string> {
  let lines = ''
  await conductMatch({
    ...{ setup, game: games.get(setup.game)! },
    job: what === 'void' ? { ...job, voided: 'The machine was too slow.' } : job,
    seatPlayer: (_seat, _seedOf, emit) => ({
      ready: () => Promise.resolve(),
      ask: (to) =>
        emit({ type: 'fault', to, fault: { kind: 'timeout', text: 'The agent did not answer.' }, gone: false }),
      ...{ tell: () => undefined, withdraw: () => undefined, close: () => undefined },
    }),
    report(report) {
      if (report.type === 'lines') lines += report.text
    },
  })
  return lines
}

type Lie = (setup: ContestSetup, order: Order) => Promise<Pick<RunResult, 'lines' | 'reason'>>

type Residual = 'voided' | 'different' | 'refused' | 'interrupted' | 'confirmed'

const lies: readonly (readonly [string, Lie, Residual])[] = [
  ['calls every match void', async (setup, order) => ({ lines: await inventedRun(setup, order, 'void') }), 'voided'],
  [
    'says that nobody answered',
    async (setup, order) => ({ lines: await inventedRun(setup, order, 'silence') }),
    'different',
  ],
  ['sends something other than a history', () => Promise.resolve({ lines: 'nonsense\n' }), 'refused'],
  ['gives every match back', () => Promise.resolve({ lines: null, reason: 'No.' }), 'interrupted'],
]

interface Liar {
  /** Its names. Default: one. */
  readonly names?: readonly string[]
  /** The number of honest workers. Default: one. */
  readonly honest?: number
  /** It leaves when it has lied so often. Default: never. */
  readonly leavesAfter?: number
  /** Options of the contest. */
  readonly options?: readonly string[]
}

/** The number of matches that a liar has before anybody else. */
const LIES_FIRST = 3

/**
 * A contest played by honest workers, and by one with the right token that lies and sends everything twice; it has some of
 * the matches first.
 */
async function playedWith(
  what: string,
  lie: Lie,
  { names = ['liar'], honest = 1, leavesAfter = Infinity, options = [] }: Liar = {},
): Promise<Ended & { readonly lies: number }> {
  const token = sha256(what).slice(0, 32)
  const secrets = secretsOf(token)
  const client = new Redis(redis.url, { maxRetriesPerRequest: null })
  const connection = client.duplicate()
  const identities = names.map((name) => createWorkerIdentity(name))
  let lied = 0
  const liar = new Worker<string>(
    queueName(secrets),
    async ({ id, data }) => {
      const place = placeOfJob(id!)!
      const { session } = place
      const { setup } = openSetup(secrets, session, (await client.get(keys.setup(session)))!)!
      const order = openOrder(secrets, setup.contest, place, data)!
      const told = await lie(setup, order)
      const answer = { ...told, run: order.job.run, order: order.number }
      for (const identity of identities) {
        const sealed = await sealResult(secrets, { session, contest: setup.contest }, identity, answer)
        await client.rpush(keys.results(session), sealed, sealed)
      }
      if (++lied === LIES_FIRST) for (let at = 0; at < honest; at++) workers.push(startHonest())
      // Not awaited: it would wait for this very order.
      if (lied === leavesAfter) void liar.pause(true)
    },
    { connection },
  )
  liar.on('error', () => undefined)
  const workers: Running[] = []
  const startHonest = (): Running => {
    const worker = stage.begin(
      ...['worker', '--redis', redis.url, '--token', token, '--cores', '1', '--cache', join(stage.folder, 'cache')],
      ...['--isolation', 'permission'],
    )
    started.push(worker)
    return worker
  }
  const run = await stage.run(
    ...['contest', 'run', contest, '--redis', redis.url, '--token', token, ...options],
    ...['--data', folderOf(what), '--export', join(folderOf(what), 'out'), '--json'],
  )
  await liar.close(true)
  for (const each of [client, connection]) each.disconnect()
  for (const { child } of workers) child.kill('SIGKILL')
  return { ...run, lies: lied }
}

const folderOf = (what: string): string => join(stage.folder, what.replaceAll(/\W/g, '-'))

describe.skipIf(!hasRedis)('a worker that lies (needs redis-server)', () => {
  test.each(lies)('and %s costs nothing but time', { timeout: 240_000 }, async (what, lie, residual) => {
    const run = await playedWith(what, lie)
    expect(run.code, run.stderr).toBe(0)
    const report = reportOf(run)
    expect(report.matches).toEqual(local.matches)
    expect(report.standings).toEqual(local.standings)
    const record = report.workers.find(({ worker }) => worker.startsWith('liar-'))
    // Results sent twice are counted once; lies about matches that others have played meanwhile are not counted at all.
    expect(record?.[residual], run.stdout).toBeGreaterThan(0)
    expect(record?.[residual]).toBeLessThanOrEqual(run.lies)
    const out = join(folderOf(what), 'out')
    const files = readdirSync(out).filter((name) => name.endsWith('.jsonl'))
    for (const file of files) expect(readFileSync(join(out, file), 'utf8')).not.toContain('"k":"void"')
    expect(files).toHaveLength(local.matches.total)
  })

  test('and is many under many names does not make a lie true', { timeout: 240_000 }, async () => {
    const [, silence] = lies[1]!
    const run = await playedWith('many names', silence, { names: ['liar', 'friend', 'third'] })
    expect(run.code, run.stderr).toBe(0)
    expect(reportOf(run).standings).toEqual(local.standings)
  })

  test('is outvoted by a quorum of two honest ones, which the classroom believes', { timeout: 240_000 }, async () => {
    const [, silence] = lies[1]!
    const options = ['--quorum', '2', '--recheck', '100']
    const run = await playedWith('quorum', silence, { honest: 2, leavesAfter: LIES_FIRST, options })
    expect(run.code, run.stderr).toBe(0)
    const { standings, workers } = reportOf(run)
    expect(standings).toEqual(local.standings)
    const [liars, honest] = [true, false].map((lies) =>
      workers.filter(({ worker }) => worker.startsWith('liar-') === lies),
    )
    expect(liars).toMatchObject([{ confirmed: 0 }])
    expect(liars![0]!.different).toBeGreaterThan(0)
    expect(honest).toMatchObject([{ different: 0 }, { different: 0 }])
    // Each match has one vote that was confirmed, and two if a quorum confirmed it rather than the classroom.
    const confirmed = honest!.reduce((sum, each) => sum + each.confirmed, 0)
    expect(confirmed, run.stdout).toBeGreaterThan(local.matches.total)
  })
})
