import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { limits } from '../../main/contract/limits.ts'
import type { PlayerEvent } from '../../main/contract/players/player.ts'
import { ownGroups } from '../../main/players/isolation/groups/detect.ts'
import type { Groups } from '../../main/players/isolation/groups/group.ts'
import { noGroups } from '../../main/players/isolation/groups/none.ts'
import { findTools } from '../../main/players/isolation/runtime.ts'
import { createProgramHost, type ProgramHost } from '../../main/players/program-player.ts'
import { jsonWire } from '../../main/referees/json-wire.ts'
import { resources } from '../../main/services/machine/resources.ts'
import { withFolder } from './folder.ts'
import { alternately, median, mediansOf, mustBe } from './measure.ts'
import { playSampleContest } from './play-sample-contest.ts'
import { rowOf, type Bench, type Row } from './row.ts'

const ROUNDS = 30
const START_MS = 60_000
const CONTESTS = 4
const LOADS = [2, 8, 30]
const SHARES = [0.5, 0.75, 0.9]

/** Honest answers: how many, their limit, the part of it that they compute, and the processes that want the cores meanwhile. */
interface Honest {
  readonly count: number
  readonly limitMs: number
  readonly share: number
  readonly load: number
}

/** Limits: the smallest that docs/security/isolation.md calls exact, and 100 ms. */
const honest: readonly Honest[] = [
  { count: 150, limitMs: 50, share: 0.8, load: 30 },
  ...LOADS.flatMap((load) => SHARES.map((share) => ({ count: 100, limitMs: 100, share, load }))),
]

/** Answers a question after computing for a number of ms. */
const AGENT = `
const { createInterface } = require('node:readline')
createInterface(process.stdin).on('line', (line) => {
  const { question, computeMs } = JSON.parse(line)
  const from = process.cpuUsage()
  for (let spent = 0; spent < computeMs * 1000; ) { const { user, system } = process.cpuUsage(from); spent = user + system }
  console.log(JSON.stringify({ question, done: true }))
})`

/**
 * The cost of a box with and without control groups: starting it, one question, ending it; and the sample contest. And how often an honest agent
 * that computes for a part of its limit is blamed while others want the cores.
 */
export const isolationBench: Bench = {
  name: 'isolation',
  measure: () =>
    withFolder(async (folder) => {
      await chmod(folder, 0o755)
      await writeFile(join(folder, 'agent.cjs'), AGENT)
      const groups = await ownGroups()
      const without = noGroups('it is measured without', (await findTools()).sh)
      const rows = [await costOfBox(folder, groups, without), ...(await contestWithGroups(folder, groups))]
      for (const each of honest) rows.push(await blamed(folder, groups, each))
      return rows
    }),
}

async function costOfBox(folder: string, groups: Groups, without: Groups): Promise<Row> {
  const hosts = [groups, without].map(hostIn) as [ProgramHost, ProgramHost]
  const match = (host: ProgramHost) => async (): Promise<number> => {
    const start = performance.now()
    const agent = await seat(host, folder)
    await agent.ask(0)
    agent.close()
    return performance.now() - start
  }
  const taken = await alternately(ROUNDS, match(hosts[0]), match(hosts[1]))
  await Promise.all(hosts.map((host) => host.close()))
  return rowOf(
    { name: `a box for a match, control groups ${groups.version ?? 'none'}`, value: median(taken.first), unit: 'ms' },
    { name: 'the same without control groups', value: median(taken.second), unit: 'ms' },
  )
}

/** Runs a command where no control groups are mounted. */
const WITHOUT_GROUPS = [
  'unshare',
  '--mount',
  'sh',
  '-c',
  'for type in cgroup cgroup2; do umount --lazy --all --types $type; done; exec "$@"',
  'sh',
]

/** The sample contest with and without control groups, in turn. Only root can hide them. */
async function contestWithGroups(folder: string, { version }: Groups): Promise<readonly Row[]> {
  if (version === null || process.getuid?.() !== 0) return []
  const play = (prefix: readonly string[], wanted: string) => async (): Promise<number> => {
    const { rate, contest } = await playSampleContest(folder, availableParallelism(), prefix)
    const [segment = ''] = (await readdir(contest)).filter((name) => name.endsWith('.jsonl'))
    mustBe((await readFile(join(contest, segment), 'utf8')).includes(`"groups":"${wanted}"`))
    return rate
  }
  const { first, second } = await mediansOf(CONTESTS, play([], version), play(WITHOUT_GROUPS, 'none'))
  return [
    rowOf(
      { name: `sample contest, control groups ${version}`, value: first, unit: 'matches/s' },
      { name: 'the same without control groups', value: second, unit: 'matches/s' },
    ),
  ]
}

/** How many of the answers that an honest agent owes are counted as late. */
async function blamed(folder: string, groups: Groups, { count, limitMs, share, load }: Honest): Promise<Row> {
  const busy = Array.from({ length: load }, (): ChildProcess =>
    spawn(resources.node, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  )
  const host = hostIn(groups)
  try {
    const agent = await seat(host, folder, limitMs)
    // Its start does not count as a part of an answer.
    await agent.ask(0)
    let late = 0
    for (let n = 0; n < count; n++) {
      if ((await agent.ask(limitMs * share)).type === 'answer') continue
      late += 1
      // It is still computing the last answer, which must not count against the next one.
      await agent.ask(0)
    }
    agent.close()
    const name = `blamed of ${count} honest answers at ${share * 100} % of ${limitMs} ms, ${load} busy processes`
    const cores = { name: 'cores', value: availableParallelism(), unit: '' }
    return rowOf({ name, value: late, unit: '' }, cores, { of: 'value', below: 1 })
  } finally {
    for (const each of busy) each.kill('SIGKILL')
    await host.close()
  }
}

const hostIn = (groups: Groups): ProgramHost =>
  createProgramHost({ tier: 'bubblewrap', nodeBinary: resources.node, groups })

/** limitMs: of a question that computes. */
async function seat(host: ProgramHost, folder: string, limitMs = START_MS) {
  let heard: (event: PlayerEvent) => void = () => undefined
  let questions = 0
  const player = host.seat({
    program: { folder, command: ['node', 'agent.cjs'], process: 'match' },
    seed: 'bench',
    wire: jsonWire(),
    limits: limits.parse({ startMs: START_MS }),
    emit: (event) => heard(event),
  })
  await player.ready()
  return {
    close: () => player.close(),
    ask(computeMs: number): Promise<PlayerEvent> {
      const { promise, resolve } = Promise.withResolvers<PlayerEvent>()
      const question = ++questions
      // A late answer to an earlier question says nothing about this one.
      heard = (event) => {
        if ('to' in event && event.to === question) resolve(event)
      }
      player.ask(question, { computeMs }, computeMs === 0 ? START_MS : limitMs)
      return promise
    },
  }
}
