import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { playContestFile } from '../../main/services/contests/command/contest-command.ts'
import { newToken } from '../../main/services/cluster/kept-token.ts'
import { start } from '../conformance/cli/process.ts'
import { hasRedis, startRedis } from '../conformance/cluster/redis-server.ts'
import { withFolder } from './folder.ts'
import { rowOf, type Bench } from './row.ts'

const CLI = join(import.meta.dirname, '..', '..', 'dist', 'cli.js')
const AGENTS = join(import.meta.dirname, '..', '..', 'dist', 'agents', 'specker')
/** Short matches: their own part in the time is small. */
const REPEATS = 25
/** Clock ticks a second in /proc. */
const TICKS = 100

/** The resources of a contest per match. */
interface Used {
  readonly perSecond: number
  /** ms of processor time: of this process, and of the processes that it has started and that have ended. */
  readonly mainMs: number
  readonly childrenMs: number
}

async function play(
  contest: string,
  data: string,
  cluster?: { readonly url: string; readonly token: string },
): Promise<Used> {
  const [began, cpu, children] = [performance.now(), process.cpuUsage(), childrenTicks()]
  const { matches } = await playContestFile({
    ...{ contest, data, cores: 1, signal: new AbortController().signal },
    ...{ onNotice: () => undefined, onProgress: () => undefined },
    ...(cluster === undefined ? {} : { cluster }),
  })
  const { user, system } = process.cpuUsage(cpu)
  return {
    perSecond: (matches.played * 1_000) / (performance.now() - began),
    mainMs: (user + system) / 1_000 / matches.played,
    childrenMs: ((childrenTicks() - children) * 1_000) / TICKS / matches.played,
  }
}

/** Processor time of ended children, in ticks. */
function childrenTicks(): number {
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)!.split(' ')
  return Number(fields[13]) + Number(fields[14])
}

/** The same contest on this machine and through a Redis, with one worker of one core each. */
export const cluster: Bench = {
  name: 'cluster',
  measure: () =>
    withFolder(async (folder) => {
      if (!hasRedis || process.platform !== 'linux') {
        console.error('Not measured: the cluster needs redis-server and /proc.')
        return []
      }
      const contest = join(folder, 'contest.json')
      writeFileSync(contest, JSON.stringify(shortContest))
      const token = newToken()
      const local = await play(contest, join(folder, 'local'))
      const server = await startRedis()
      const worker = start(process.execPath, [
        ...[CLI, 'worker', '--redis', server.url, '--token', token, '--cores', '1'],
        ...['--cache', join(folder, 'cache')],
      ])
      await worker.said('Joined')
      const client = new Redis(server.url)
      const before = await numbersOf(client)
      const far = await play(contest, join(folder, 'far'), { url: server.url, token })
      const after = await numbersOf(client)
      client.disconnect()
      worker.child.kill('SIGKILL')
      await server.remove()
      const each = (name: string): number => (after(name) - before(name)) / MATCHES
      const second = { name: 'on this machine', value: local.perSecond, unit: 'matches/s' }
      const main = { name: 'main process of a local contest, a match', value: local.mainMs, unit: 'ms' }
      return [
        rowOf({ name: 'cluster, one worker of one core', value: far.perSecond, unit: 'matches/s' }, second),
        rowOf(
          { name: 'cluster, overhead a match', value: 1_000 / far.perSecond - 1_000 / local.perSecond, unit: 'ms' },
          {
            ...{ name: 'a match on this machine', value: 1_000 / local.perSecond, unit: 'ms' },
          },
        ),
        rowOf({ name: 'cluster, main process of the classroom, a match', value: far.mainMs, unit: 'ms' }, main),
        rowOf({ name: 'cluster, checking a history', value: far.childrenMs, unit: 'ms' }, main),
        rowOf(
          {
            name: 'cluster, Redis, a match',
            value: 1_000 * (each('used_cpu_user') + each('used_cpu_sys')),
            unit: 'ms',
          },
          main,
        ),
        rowOf(
          { name: 'cluster, bytes into Redis, a match', value: each('total_net_input_bytes'), unit: 'bytes' },
          { name: 'bytes out of it', value: each('total_net_output_bytes'), unit: 'bytes' },
        ),
        rowOf(
          { name: 'cluster, Redis memory at its peak', value: after('used_memory_peak') / 1e6, unit: 'MB' },
          { name: 'before the contest', value: before('used_memory') / 1e6, unit: 'MB' },
        ),
      ]
    }),
}

const shortContest = {
  title: 'Bench',
  game: 'specker',
  config: { challenge: 'max-csp', challengeConfig: { maxVars: 6, maxConstraints: 20 }, maxTurns: 2 },
  format: { type: 'round-robin', seats: 2, repeats: REPEATS },
  seed: 'bench',
  sample: 0,
  limits: { startMs: 120_000, moveMs: 120_000 },
  entrants: ['baby', 'greedy', 'sampler', 'gambler'].map((name) => ({ name, agent: join(AGENTS, `${name}.js`) })),
}
const MATCHES = 6 * REPEATS

async function numbersOf(client: Redis): Promise<(name: string) => number> {
  const info = await client.info()
  return (name) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1] ?? NaN)
}
