import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { historyVerifier } from '../../../main/services/histories/verify-histories.ts'
import { canonicalText } from '../../../main/histories/canonical.ts'
import { seededChance } from '../../conformance/verbs/chance.ts'
import type { Running } from '../../conformance/cli/process.ts'
import { openStage, reportOf, type Report } from '../../conformance/verbs/stage.ts'
import { repeats } from '../../long.ts'
import { descendantsOf, processesWith } from './processes.ts'

const KILLS = repeats({ short: 24, long: 200 })
/**
 * A contest that is shot at without end hardly gets on, and only a new one has a first match before it. Fewer than the
 * interruptions after which a match is given up: all may hit the same one.
 */
const KILLS_PER_CONTEST = 25
/**
 * How many kills of each kind there must have been, at the least, as a part of all. Which kind can be killed at a moment is decided
 * by the machine, so shooting goes on until these are reached.
 */
const LEAST = {
  main: 0.075 * KILLS,
  worker: 0.15 * KILLS,
  agent: 0.3 * KILLS,
  early: 0.015 * KILLS,
  late: 0.015 * KILLS,
}
/** The most kills of a contest that is played only because a kind was too rare until then. */
const KILLS_OF_EXTRA_CONTEST = 6
type Kind = 'main' | 'worker' | 'agent'

const stage = openStage('kills')
afterAll(() => stage.remove())

const contest = stage.contest('contest.json', {
  format: { type: 'round-robin', seats: 2, repeats: 5 },
  config: { challenge: 'max-csp', challengeConfig: { maxVars: 8, maxConstraints: 60 }, maxTurns: 4 },
})
const matches = 30
const chance = seededChance('kills')

interface Result {
  /** The standings as they were printed. */
  readonly standings: string
  /** The canonical outcome of every match, in schedule order, from verified histories. */
  readonly outcomes: readonly string[]
}

const begin = (data: string): Running =>
  stage.begin('contest', 'run', contest, '--data', data, '--export', join(data, 'export'), '--cores', '2', '--json')

/** The report and exported histories of a finished contest; every scheduled match is there once. */
async function resultOf(report: Report, data: string): Promise<Result> {
  expect(report).toMatchObject({ state: 'finished', matches: { total: matches, played: matches, void: 0 } })
  expect(report.histories.map(({ match }) => match)).toEqual([...Array(matches).keys()])
  const verify = historyVerifier([join(data, 'keys', 'class.pub')])
  const outcomes: string[] = []
  for (const { match, file = '' } of report.histories) {
    const verdict = await verify(file)
    expect(verdict).toMatchObject({ ok: true, match, replayed: true, keyChecked: true, count: matches })
    if (verdict.ok) outcomes.push(canonicalText(verdict.outcome))
  }
  const files = readdirSync(join(data, 'export')).filter((name) => name.endsWith('.jsonl'))
  expect(files).toHaveLength(matches)
  return { standings: JSON.stringify(report.standings), outcomes }
}

/** Matches whose end is on disk. */
function endsOnDisk(data: string): number {
  const folder = join(data, 'contests', 'hostile-contest-1')
  if (!existsSync(folder)) return 0
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'))
  return texts.join('').split('"k":"outcome"').length - 1
}

/** Kills one random process of a kind that lives below `main`, or `main` itself; null: there is none now. */
function killOne(main: number, kind: Kind): string | null {
  if (kind === 'main') {
    if (!processesWith(stage.cli).some(({ pid }) => pid === main)) return null
    process.kill(main, 'SIGKILL')
    return 'main'
  }
  const worker = (command: string): boolean => command.includes(join(stage.folder, 'dist', 'worker.js'))
  const candidates = descendantsOf(main).filter(({ command }) => worker(command) === (kind === 'worker'))
  if (candidates.length === 0) return null
  const { pid, command } = chance.pick(candidates)
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    return null // it has just ended by itself
  }
  return command
}

/** Milliseconds of an uninterrupted run up to its first finished match, and of all of it. */
interface Pace {
  readonly first: number
  readonly whole: number
}

async function uninterrupted(): Promise<{ readonly result: Result; readonly pace: Pace }> {
  const data = join(stage.folder, 'whole')
  const from = performance.now()
  const running = begin(data)
  let first = 0
  while (first === 0 && running.child.exitCode === null) {
    if (endsOnDisk(data) > 0) first = performance.now() - from
    await sleep(10)
  }
  const ended = await running.ended
  const whole = performance.now() - from
  expect(ended.code).toBe(0)
  return { result: await resultOf(reportOf(ended), data), pace: { first, whole } }
}

/** The kills that a contest has survived. */
interface Fire {
  readonly kills: Record<Kind, number>
  readonly notices: Set<string>
  /** How far the killed main processes had come: matches on disk. */
  readonly mainsAt: number[]
}

/** The next kind to be killed: a kind of process, or main processes before their first match or in the midst of it. */
function scarce({ kills, mainsAt }: Fire): readonly (keyof typeof LEAST)[] {
  const early = mainsAt.filter((ends) => ends === 0).length
  const killed = { ...kills, early, late: mainsAt.length - early }
  return (Object.keys(LEAST) as (keyof typeof LEAST)[]).filter((kind) => killed[kind] < LEAST[kind])
}

/** The messages about an undisturbed contest, and about torn ends of files. */
const harmless = /^\d+ of \d+ matches(,|$)|its last complete record|never confirmed/

/** When a run is to lose its main process: after a number of other kills and a number of further milliseconds at most. */
interface Plan {
  readonly before: number
  readonly wait: number
}

function planOf({ first, whole }: Pace): Plan {
  return chance.pick<Plan>([
    { before: 0, wait: first },
    { before: 0, wait: whole * 1.2 },
    { before: chance.below(6) + 1, wait: first },
    { before: chance.below(12) + 1, wait: first },
    { before: Infinity, wait: 0 },
  ])
}

/** Before its first match. */
const early = ({ first }: Pace): Plan => ({ before: 0, wait: first * 0.4 })

/**
 * Runs a contest to its end, again and again where its main process was killed, and shoots at it meanwhile. `begins`: the plan
 * of its first run. null: the contest had ended, with all its files, when a shot met the process before its report; the same command would begin
 * another one.
 */
async function underFire(data: string, pace: Pace, fire: Fire, begins: Plan, budget: number): Promise<Report | null> {
  let left = budget
  for (let plan = begins; ; plan = planOf(pace)) {
    const running = begin(data)
    const pid = running.child.pid!
    const isOver = (): boolean => running.child.exitCode !== null || running.child.signalCode !== null
    let shots = 0
    let barren = 0
    let seen = endsOnDisk(data)
    while (!isOver() && left > 0) {
      const mainIsDue = shots === plan.before
      const wait = mainIsDue ? plan.wait : pace.first * 0.5
      await Promise.race([sleep(wait * chance.share()), running.ended])
      const now = endsOnDisk(data)
      if (now > seen) barren = 0
      seen = now
      // An engine that never gets a match through rightly gives up: it is let breathe.
      if (isOver() || barren >= 6) continue
      const kind: Kind = mainIsDue ? 'main' : chance.pick(['worker', 'agent', 'agent'])
      const killed = killOne(pid, kind)
      if (killed === null) continue
      fire.kills[kind]++
      left--
      shots++
      barren++
      if (kind === 'main') fire.mainsAt.push(now)
      if (kind === 'main') break
    }
    const ended = await running.ended
    for (const line of ended.stderr.split('\n')) if (line !== '') fire.notices.add(line)
    if (ended.code === 0) return reportOf(ended)
    // Only a killed main process ends without its report.
    expect({ code: ended.code, stderr: running.child.signalCode === 'SIGKILL' ? '' : ended.stderr }).toEqual({
      code: null,
      stderr: '',
    })
    if (hasEnded(data)) return null
  }
}

/** True if the class says that its contest is over. */
function hasEnded(data: string): boolean {
  const file = join(data, 'class.json')
  if (!existsSync(file)) return false
  const { contests } = JSON.parse(readFileSync(file, 'utf8')) as { readonly contests: readonly { state: string }[] }
  return contests.some(({ state }) => state === 'ended')
}

test.skipIf(process.platform !== 'linux')(
  `after ${KILLS} kills everything is as if nothing had happened (needs /proc)`,
  { timeout: 900_000 },
  async () => {
    const { result, pace } = await uninterrupted()
    const fire: Fire = { kills: { main: 0, worker: 0, agent: 0 }, notices: new Set(), mainsAt: [] }
    const count = (): number => fire.kills.main + fire.kills.worker + fire.kills.agent
    for (let contests = 0; count() < KILLS || scarce(fire).length > 0; contests++) {
      const data = join(stage.folder, `data-${contests}`)
      const report = await underFire(
        data,
        pace,
        fire,
        contests % 2 === 0 ? early(pace) : planOf(pace),
        Math.min(KILLS_PER_CONTEST, Math.max(KILLS - count(), KILLS_OF_EXTRA_CONTEST)),
      )
      if (report === null) continue
      // No match was void: nobody is blamed for a kill, and nothing but torn ends of files is told.
      expect([...fire.notices].filter((line) => !harmless.test(line))).toEqual([])
      expect(await resultOf(report, data)).toEqual(result)
      // Workers, boxes and agents name the stage's own copy of the program in their command lines.
      while (processesWith(stage.folder).length > 0) await sleep(20)
    }
    expect(count()).toBeGreaterThanOrEqual(KILLS)
    expect(scarce(fire)).toEqual([])
  },
)
