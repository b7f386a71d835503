import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Redis } from 'ioredis'
import { sha256 } from '../../../main/histories/canonical.ts'
import { sealRefusal } from '../../../main/services/cluster/messages.ts'
import { keys, ownerBefore5, versionsHere } from '../../../main/services/cluster/names.ts'
import { secretsOf } from '../../../main/services/cluster/sealing.ts'
import { cli, startIn, type Ended, type Running } from '../cli/process.ts'
import { zip } from '../service/zip.ts'
import { expectRefusal, openStage, reportOf } from '../verbs/stage.ts'
import { hasRedis, startRedis, type RedisServer } from './redis-server.ts'
import { refusedCommand, saying } from '../../refusal.ts'

const stage = openStage('cluster')
const repeated = (repeats: number): object => ({ format: { type: 'round-robin', seats: 2, repeats }, sample: 0.1 })
const contest = stage.contest('contest.json', repeated(12))
const small = stage.contest('small.json')
let redis: RedisServer
const started: Running[] = []

beforeAll(async () => {
  // The file with the tokens of this user.
  process.env['TARTAGLIA_DATA'] = join(stage.folder, 'home', 'data')
  if (hasRedis) redis = await startRedis()
}, 30_000)
afterAll(async () => {
  for (const { child } of started) child.kill('SIGKILL')
  if (hasRedis) await redis.remove()
  stage.remove()
})

/** A token as the program makes it, the same for the same word. */
const tokenOf = (word: string): string => sha256(word).slice(0, 32)

async function startWorker(word: string, cache: string, url = redis.url): Promise<Running> {
  const worker = stage.begin(
    ...['worker', '--redis', url, '--token', tokenOf(word), '--cores', '1', '--isolation', 'permission'],
    ...['--cache', join(stage.folder, cache)],
  )
  started.push(worker)
  await worker.said('Joined')
  return worker
}

const shipped = (agent: string): object => ({ name: agent, agent: join(stage.agents, `${agent}.js`) })
/** Two agents of this class, and two entries of another school: one that was imported, and one from the school's file. */
const jointEntrants = [
  ...['baby', 'gambler'].map(shipped),
  { name: 'anna', school: 'Padova' },
  { name: 'bert', entries: 'padova.entries' },
]

/** Has another school enter two agents with both data folders. Returns the file of the school's public key. */
async function enterFromPadova(...hosts: readonly string[]): Promise<string> {
  const [data, entries] = [join(stage.folder, 'padova-data'), join(stage.folder, 'padova.entries')]
  const entrants = [
    { ...shipped('greedy'), name: 'anna' },
    { ...shipped('sampler'), name: 'bert' },
  ]
  const own = stage.contest('padova.json', { format: { type: 'single' }, entrants })
  const done = async (...args: readonly string[]): Promise<void> => {
    const { code, stderr } = await stage.run(...args)
    expect(code, stderr).toBe(0)
  }
  await done('contest', 'run', own, '--data', data)
  await done('entries', 'export', entries, 'anna', 'bert', '--school', 'Liceo Padova', '--data', data)
  for (const host of hosts) await done('entries', 'import', entries, '--data', host, '--trust', 'Padova')
  return join(data, 'keys', 'class.pub')
}

/** A program in Python that passes at every move. */
const passer = `import json, sys
punter = 0
for line in sys.stdin:
    message = json.loads(line)
    if message.get("question") is None:
        continue
    if message["type"] == "setup":
        punter = message["punter"]
        answer = {"ready": punter}
    else:
        answer = {"stopped": True} if message["type"] == "stop" else {"pass": {"punter": punter}}
    print(json.dumps({**answer, "question": message["question"]}), flush=True)
`

interface Proven {
  readonly entries: readonly { readonly name: string; readonly signer: { readonly name: string | null } }[]
}
const provenBy = (name: string, key: string): unknown =>
  expect.objectContaining({ name, signer: expect.objectContaining({ name: `the key in ${key}` }) as unknown })

/** The lines of each history of a folder. */
const historiesIn = (folder: string): readonly (readonly Record<string, unknown>[])[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) =>
      readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as { readonly b: Record<string, unknown> }).b),
    )

/** Outcome, final state and seed of every match by its number. */
const endings = (folder: string): ReadonlyMap<number, string> =>
  new Map(
    historiesIn(folder).map((bodies) => {
      const header = bodies.find(({ k }) => k === 'header')!
      const { outcome, state, seed } = bodies.find(({ k }) => k === 'outcome')!
      return [header.match as number, JSON.stringify([outcome, state, seed])] as const
    }),
  )

/** The machines that played the matches of a folder. */
const hostsIn = (folder: string): readonly { readonly toolchains?: Readonly<Record<string, string>> }[] =>
  historiesIn(folder).map((bodies) => bodies.find(({ k }) => k === 'header')!['host'] as object)

describe.skipIf(!hasRedis)('a contest on a cluster (needs redis-server)', () => {
  test(
    'comes to what this machine comes to, with entries of another school, although a worker is killed in the middle',
    { timeout: 480_000 },
    async () => {
      const [local, cluster] = [join(stage.folder, 'local'), join(stage.folder, 'cluster')]
      const school = await enterFromPadova(`${local}-data`, `${cluster}-data`)
      const joint = stage.contest('joint.json', { ...repeated(6), entrants: jointEntrants })
      const alone = await stage.run('contest', 'run', joint, '--data', `${local}-data`, '--export', local, '--json')
      expect(alone.code, alone.stderr).toBe(0)
      const [doomed] = [await startWorker('one', 'cache-1'), await startWorker('one', 'cache-2')]
      const run = stage.begin(
        ...['contest', 'run', joint, '--redis', redis.url, '--token', tokenOf('one')],
        ...['--data', `${cluster}-data`, '--export', cluster, '--json'],
      )
      started.push(run)
      await run.said('of 36 matches')
      doomed.child.kill('SIGKILL')
      const ended = await run.ended
      expect(ended.code, ended.stderr).toBe(0)
      const [one, other] = [reportOf(alone), reportOf(ended)]
      expect(other.matches).toEqual({ total: 36, played: 36, void: 0 })
      expect(other.standings).toEqual(one.standings)
      expect([...endings(cluster)].sort()).toEqual([...endings(local)].sort())
      const files = readdirSync(cluster).flatMap((file) => (file.endsWith('.jsonl') ? join(cluster, file) : []))
      const verdict = await stage.run(
        ...['history', 'verify', ...files, '--key', join(cluster, 'class.pub'), '--key', school, '--json'],
      )
      expect(verdict.code, verdict.stderr).toBe(0)
      // Each of the two has played 18 matches, and each of these proves whose entry it is.
      const proofs = (JSON.parse(verdict.stdout) as { readonly files: readonly Proven[] }).files.flatMap(
        ({ entries }) => entries,
      )
      expect(Map.groupBy(proofs, ({ name }) => name)).toEqual(
        new Map(['anna', 'bert'].map((name) => [name, Array.from({ length: 18 }, () => provenBy(name, school))])),
      )
    },
  )

  test('waits for a Redis that goes away with all it holds, and goes on by itself', { timeout: 240_000 }, async () => {
    const worker = await startWorker('two', 'cache-3')
    const run = stage.begin(
      ...['contest', 'run', contest, '--redis', redis.url, '--token', tokenOf('two')],
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

  test('Ctrl-C ends both while Redis is away; the contest goes on later', { timeout: 240_000 }, async () => {
    const worker = await startWorker('nine', 'cache-9')
    const data = join(stage.folder, 'left-data')
    const command = [
      'contest',
      'run',
      contest,
      '--redis',
      redis.url,
      '--token',
      tokenOf('nine'),
      '--data',
      data,
      '--json',
    ]
    const run = stage.begin(...command)
    started.push(run)
    await run.said('of 72 matches')
    await redis.kill()
    try {
      for (const { said } of [run, worker]) await said('cannot be reached')
      for (const { child } of [run, worker]) child.kill('SIGINT')
      expect((await worker.ended).code).toBe(0)
      expect((await run.ended).code).toBe(130)
    } finally {
      // The other tests need it, too.
      await redis.restart()
    }
    await startWorker('nine', 'cache-9')
    const again = stage.begin(...command)
    started.push(again)
    // A classroom that is killed goes on from its histories, too.
    await again.said('of 72 matches')
    again.child.kill('SIGKILL')
    await again.ended
    const ended = await stage.run(...command)
    expect(ended.code, ended.stderr).toBe(0)
    expect(reportOf(ended)).toMatchObject({ resumed: true, matches: { total: 72, played: 72, void: 0 } })
  })

  test('takes workers with its own token only, and does not wait for ever for one', { timeout: 240_000 }, async () => {
    await startWorker('three', 'cache-4')
    const ended = await stage.run(
      ...['contest', 'run', small, '--redis', redis.url, '--token', tokenOf('four'), '--wait', '2'],
      ...['--data', join(stage.folder, 'four-data'), '--json'],
    )
    expectRefusal(ended, 3, /2 s.*-\d+-/, refusedCommand('no-cluster-worker'), `--token ${tokenOf('four')}`)
  })

  test(
    'needs the token to be named once: that of a worker of the same user is used',
    { timeout: 240_000 },
    async () => {
      await startWorker('five', 'cache-5')
      const run = await runWithoutToken('five-data')
      expect(run.code, run.stderr).toBe(0)
      expect(run.stderr).toContain(
        `Workers join with: npx tartaglia worker --redis ${redis.url} --token ${tokenOf('five')}`,
      )
      expect(reportOf(run).matches.played).toBe(6)
    },
  )

  test(
    'a contest that waits with a new token takes that of a worker of the same user',
    { timeout: 240_000 },
    async () => {
      // Nobody has played with this address of the Redis.
      const url = redis.url.replace('127.0.0.1', 'localhost')
      const run = stage.begin(
        ...['contest', 'run', small, '--redis', url, '--data', join(stage.folder, 'six-data'), '--json'],
      )
      started.push(run)
      expect(await run.said('Workers join with')).toMatch(/--token [0-9a-f]{32}$/m)
      await startWorker('six', 'cache-6', url)
      const ended = await run.ended
      expect(ended.code, ended.stderr).toBe(0)
      expect(reportOf(ended).matches.played).toBe(6)
    },
  )

  test(
    'a worker with other rules is refused in a sentence, and by nobody but its classroom',
    { timeout: 120_000 },
    async () => {
      const client = new Redis(redis.url)
      const secrets = secretsOf(tokenOf('seven'))
      const others = { ...versionsHere, specker: 0 }
      const before5 = { name: 'old', owner: ownerBefore5(tokenOf('seven')), versions: { ...versionsHere, protocol: 4 } }
      // Anybody can write these: a classroom with this token and other rules, and one of the version before.
      for (const each of [{ name: 'false', owner: secrets.owner, versions: others }, before5])
        await client.set(keys.presence('classroom', each.name), JSON.stringify(each), 'EX', 60)
      const worker = await startWorker('seven', 'cache-7')
      await worker.said(`this worker has protocol ${versionsHere['protocol']} instead of 4`)
      expect(worker.child.exitCode).toBeNull()
      const here = (await client.keys(keys.presence('worker', '*'))).map((key) => key.split(':').at(-1)!)
      for (const name of here)
        await client.set(keys.refusal(secrets, name), sealRefusal(secrets, name, others), 'EX', 60)
      const { code, stderr } = await worker.ended
      expect(stderr).toEqual(saying('specker', `${versionsHere['specker']} instead of 0`))
      expect(code).toBe(2)
      client.disconnect()
    },
  )

  test(
    'a worker of the version before is named, and gets the answer that makes it leave in a sentence',
    { timeout: 120_000 },
    async () => {
      const client = new Redis(redis.url)
      const owner = ownerBefore5(tokenOf('ten'))
      const old = { name: 'old-1', owner, versions: { ...versionsHere, protocol: 4 } }
      await client.set(keys.presence('worker', old.name), JSON.stringify(old), 'EX', 60)
      const run = await stage.run(
        ...['contest', 'run', small, '--redis', redis.url, '--token', tokenOf('ten'), '--wait', '1'],
        ...['--data', join(stage.folder, 'ten-data'), '--json'],
      )
      expect(run.stderr).toEqual(saying('old-1', `protocol 4 instead of ${versionsHere['protocol']}`))
      expect(run.code).toBe(3)
      const classrooms = await client.keys(keys.presence('classroom', '*'))
      const told = (await client.mget(classrooms)).map((text) => JSON.parse(text ?? '{}') as object)
      expect(told).toContainEqual(expect.objectContaining({ owner, versions: versionsHere }))
      client.disconnect()
    },
  )

  test.skipIf(!existsSync('/usr/bin/bwrap') || !existsSync('/usr/bin/python3'))(
    'workers with different compilers are told apart: histories name theirs, and one that is too old leaves and names it (needs bubblewrap, Python)',
    { timeout: 240_000 },
    async () => {
      const agent = join(stage.folder, 'passer.zip')
      const command = ['python3', 'agent.py']
      const manifest = { name: 'passer', game: 'punter', kind: 'program', command, toolchains: ['gcc'] }
      writeFileSync(agent, zip({ 'agent.json': JSON.stringify(manifest), 'agent.py': passer }))
      const offering = (oldest: string): string =>
        stage.contest(`offering-${oldest}.json`, {
          ...{ game: 'punter', config: { map: 'sample' }, format: { type: 'single' }, isolation: 'bubblewrap' },
          toolchains: [
            { name: 'python', version: '3' },
            { name: 'gcc', version: oldest },
          ],
          entrants: ['one', 'two'].map((name) => ({ name, agent })),
        })
      const folders = mkdtempSync('/var/tmp/tartaglia-compilers-')
      chmodSync(folders, 0o755)
      /** The variables of a machine with a compiler of this version. */
      const machineWith = (version: string): Readonly<Record<string, string>> => {
        const folder = join(folders, version)
        mkdirSync(join(folder, 'bin'), { recursive: true })
        writeFileSync(join(folder, 'bin', 'g++'), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 })
        return { TARTAGLIA_TOOLCHAINS: stage.write(`toolchains-${version}.json`, { gcc: { folder } }) }
      }
      const workerWith = async (version: string): Promise<Running> => {
        const worker = startIn(
          ...([stage.folder, machineWith(version), cli, 'worker', '--redis', redis.url] as const),
          ...['--token', tokenOf('twelve'), '--cores', '1', '--cache', join(stage.folder, `cache-${version}`)],
        )
        started.push(worker)
        await worker.said('Joined')
        return worker
      }
      // The classroom plays matches again, so that it has a compiler, too.
      const begin = (oldest: string): Running => {
        const run = startIn(
          ...([stage.folder, machineWith('99.0.0'), cli, 'contest', 'run', offering(oldest)] as const),
          ...['--redis', redis.url, '--token', tokenOf('twelve'), '--json'],
          ...['--data', join(stage.folder, `twelve-${oldest}`), '--export', join(stage.folder, `export-${oldest}`)],
        )
        started.push(run)
        return run
      }
      const compilers = async (run: Running, oldest: string): Promise<readonly unknown[]> => {
        const ended = await run.ended
        expect(ended.code, ended.stderr).toBe(0)
        expect(reportOf(ended).matches.played).toBe(1)
        return hostsIn(join(stage.folder, `export-${oldest}`)).map(({ toolchains }) => toolchains?.['gcc'])
      }
      try {
        const old = await workerWith('77.4.0')
        expect(await compilers(begin('77'), '77')).toEqual(['77.4.0'])
        const run = begin('88')
        const left = await old.ended
        expect(left.stderr).toEqual(saying('GCC 88', '77.4.0'))
        expect(left.code).toBe(3)
        await workerWith('88.2.0')
        expect(await compilers(run, '88')).toEqual(['88.2.0'])
      } finally {
        rmSync(folders, { recursive: true })
      }
    },
  )

  test(
    'leaves nothing behind in Redis but what expires, and the names of its queue',
    { timeout: 240_000 },
    async () => {
      const client = new Redis(redis.url)
      // Workers of other tests may have answered when their contest was over; what they left expires.
      const before = await client.keys('tartaglia:results:*')
      await startWorker('eight', 'cache-8')
      const run = await stage.run(
        ...['contest', 'run', small, '--redis', redis.url, '--token', tokenOf('eight')],
        ...['--data', join(stage.folder, 'eight-data'), '--json'],
      )
      expect(run.code, run.stderr).toBe(0)
      const left = await client.keys(`*${secretsOf(tokenOf('eight')).owner}*`)
      expect(left.map((key) => key.split(':').at(-1)).sort()).toEqual(
        expect.not.arrayContaining(['wait', 'active', 'failed']),
      )
      expect(left.length).toBeLessThan(8)
      for (const key of await client.keys('tartaglia:*')) expect(await client.ttl(key), key).toBeGreaterThan(0)
      expect((await client.keys('tartaglia:results:*')).filter((key) => !before.includes(key))).toEqual([])
      client.disconnect()
    },
  )

  function runWithoutToken(data: string): Promise<Ended> {
    return stage.run(...['contest', 'run', small, '--redis', redis.url, '--data', join(stage.folder, data), '--json'])
  }
})

test('without a Redis both say so in one sentence', async () => {
  const nobody = 'redis://127.0.0.1:1'
  const worker = await stage.run('worker', '--redis', nobody, '--token', tokenOf('x'), '--json')
  expectRefusal(worker, 3, 'There is no Redis at redis://127.0.0.1:1')
  const data = join(stage.folder, 'nobody')
  const on = ['--redis', nobody, '--data', data, '--json']
  expectRefusal(await stage.run('contest', 'run', contest, ...on), 3, 'There is no Redis at redis://127.0.0.1:1')
  const remote = stage.contest('remote.json', {
    entrants: [shipped('baby'), { name: 'anna', network: true }],
  })
  expectRefusal(
    await stage.run('contest', 'run', remote, ...on, '--arena', '0'),
    2,
    'Entrant "anna" plays from another machine',
  )
  // Nothing has begun.
  expect(existsSync(data)).toBe(false)
})

test('a worker needs a token, which the classroom prints', async () => {
  const worker = await stage.run('worker', '--redis', 'redis://127.0.0.1:2', '--json')
  expectRefusal(worker, 3, refusedCommand('redis-unavailable'))
  for (const verb of [['worker'], ['contest', 'run', small]])
    for (const weak of ['', 'abc', 'correct-horse', '0'.repeat(32)])
      expectRefusal(
        await stage.run(...verb, '--redis', 'redis://127.0.0.1:2', '--token', weak, '--json'),
        2,
        refusedCommand('token-weak'),
      )
})

test('an invalid address is refused', async () => {
  expectRefusal(
    await stage.run('worker', '--redis', 'localhost', '--token', tokenOf('x'), '--json'),
    2,
    '"localhost" is not',
  )
})
