import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createContext, Script } from 'node:vm'
import { haggleConfig } from '../../main/services/games/haggle/scenarios.ts'
import { playSessions } from '../../main/services/games/haggle/sessions.ts'
import { resources } from '../../main/services/machine/resources.ts'
import type { IsolationTier } from '../../main/contract/limits.ts'
import { availableTiers } from '../../main/players/isolation/detect.ts'
import { config, type Config } from '../../main/referees/haggle/config.ts'
import { moverOf, offered, rules } from '../../main/referees/haggle/rules.ts'
import { firstRoundRows } from './first-round.ts'
import { alternately, median, rate } from './measure.ts'
import { rowOf, type Bench, type Row } from './row.ts'

const ROUNDS = 2
const SESSIONS = 2_000
/** Sessions before the clock starts: processes come up, and V8 gets to know what it runs. A first round has 17 million. */
const WARM_UP = 1_000
/** Turns of the sessions in which single turns are timed, and how many such a core plays before the clock starts and then. */
const LONG = 2_000
const LONG_WARM_UP = 16
const LONG_SESSIONS = 8

/** The first round of 2018: every ordered pair of 186 entries on 500 seeds. */
const PAIRS = 186 * 185
const SEEDS = 500

const takes = `module.exports = class {
  constructor(me, counts) { this.all = counts }
  offer(o) { return o ? undefined : this.all }
}`
const insists = `module.exports = class {
  constructor(me, counts) { this.all = counts }
  offer() { return this.all }
}`

/** Sessions of Haggling in isolated processes, held against the same ones in this process with a fresh context a seat. */
export const haggle: Bench = {
  name: 'haggle',
  async measure() {
    const { tier, cores } = await place()
    return [
      ...(await rowsOf('two trivial agents', takes, tier, cores, { of: 'ratio', atLeast: 1.2 })),
      await rowOfTurns(tier),
    ]
  },
}

/** The same with shipped agents, and the first minute of the real first round of 2018. */
export const haggleAgents: Bench = {
  name: 'haggle-agents',
  async measure() {
    const { tier, cores } = await place()
    return [
      ...(await rowsOf('a light agent (baby)', shipped('baby'), tier, cores)),
      ...(await rowsOf('a heavy agent (tartaglia)', shipped('tartaglia'), tier, cores)),
      ...(await firstRoundRows(tier, await rate(SESSIONS, () => bare(shipped('baby'), SESSIONS)))),
    ]
  },
}

/** The strongest tier of this machine, and its cores. */
async function place(): Promise<{ readonly tier: IsolationTier; readonly cores: number }> {
  const files = { nodeBinary: resources.node, hostFile: resources.agentHost }
  const tier = (await availableTiers(files)).find(({ available }) => available)?.tier
  if (tier === undefined) throw new Error('no script can be run on this machine')
  return { tier, cores: availableParallelism() }
}

const shipped = (name: string): string => readFileSync(join(resources.agents, 'haggle', `${name}.js`), 'utf8')

/** Sessions of an agent with itself: how many a second, and what that makes of the first round. */
async function rowsOf(
  name: string,
  source: string,
  tier: IsolationTier,
  cores: number,
  target?: Row['target'],
): Promise<readonly Row[]> {
  const { first, second } = await alternately(
    ROUNDS,
    () => isolated(source, tier, SESSIONS),
    () => rate(SESSIONS, () => bare(source, SESSIONS)),
  )
  const [held, free] = [median(first), median(second)]
  const hours = (perSecond: number): number => (PAIRS * SEEDS) / perSecond / 3_600
  return [
    rowOf(
      { name: `haggling: ${name}, tier ${tier}, ${cores} cores`, value: held, unit: 'sessions/s' },
      { name: 'the same in this process, a fresh context a seat', value: free, unit: 'sessions/s' },
      target,
    ),
    rowOf(
      { name: `first round of 2018 (${PAIRS} pairs, ${SEEDS} seeds) at that rate`, value: hours(held), unit: 'hours' },
      { name: 'the same in this process, one core', value: hours(free), unit: 'hours' },
    ),
  ]
}

/** A session of many turns on each core, alone: from one turn to the next. Its agents take no time to speak of. */
async function rowOfTurns(tier: IsolationTier): Promise<Row> {
  const settings = { maxRounds: LONG / 2 }
  const { first, second } = await alternately(
    ROUNDS,
    () => turnsOf(tier, settings),
    () => rate(LONG, () => bare(insists, 1, settings)),
  )
  const microseconds = (perSecond: readonly number[]): number => 1_000_000 / median(perSecond)
  return rowOf(
    { name: `haggling: a turn beyond the agent's own time, tier ${tier}`, value: microseconds(first), unit: 'µs' },
    { name: 'a turn in this process', value: microseconds(second), unit: 'µs' },
    { of: 'value', below: 50 },
  )
}

/** Turns a second of each session: two lengths of one, so that what comes before its first turn falls out. Both after as many turns. */
async function turnsOf(tier: IsolationTier, { maxRounds }: { readonly maxRounds: number }): Promise<number> {
  const cores = availableParallelism()
  const msFor = async (rounds: number): Promise<number> => {
    const settings = { maxRounds: rounds }
    const warmUp = (LONG_WARM_UP * cores * maxRounds) / rounds
    const perSecond = await isolated(insists, tier, LONG_SESSIONS * cores, settings, warmUp, cores)
    return (1_000 * cores) / perSecond
  }
  const short = await msFor(maxRounds / 10)
  const long = await msFor(maxRounds)
  return (1_000 * 2 * (maxRounds - maxRounds / 10)) / (long - short)
}

/** Sessions a second of an agent with itself, after those of the warm-up. */
async function isolated(
  source: string,
  isolation: IsolationTier,
  sessions: number,
  settings: Partial<Config> = {},
  warmUp = WARM_UP,
  jobs: number | null = null,
): Promise<number> {
  const total = warmUp + sessions
  let told = 0
  let from = 0
  let to = 0
  await playSessions({
    entries: [
      { name: 'one', source },
      { name: 'other', source },
    ],
    pairs: [[0, 1]],
    seeds: Array.from({ length: total }, (_, at) => at + 1),
    config: haggleConfig(settings),
    turnMs: 60_000,
    startMs: 60_000,
    jobs,
    clock: 'frozen',
    chance: 'bench',
    isolation,
    signal: new AbortController().signal,
    onSession({ outcome }) {
      if (outcome === 'abort') throw new Error('an agent of the bench walked away')
      told += 1
      if (told === warmUp) from = performance.now()
      if (told === total) to = performance.now()
    },
  })
  return (1_000 * sessions) / (to - from)
}

interface Negotiator {
  offer(share: readonly number[] | undefined): unknown
}

/** The same sessions in this process: JSON in and out of a fresh context a seat, and the rules; nothing held, nothing timed. */
function bare(source: string, sessions: number, settings: Partial<Config> = {}): void {
  const script = new Script(`(function () { const module = { exports: {} }; const exports = module.exports; ${source}
    ;let agent; return (text) => { const { start, offer } = JSON.parse(text)
      if (start) { agent = new module.exports(...start, () => {}); return '' }
      return JSON.stringify(agent.offer(offer ?? undefined)) } })()`)
  for (let seed = 1; seed <= sessions; seed++) {
    const state = rules.initial(config.parse({ ...settings, seed }), [], '0'.repeat(64))
    const { counts, values, maxRounds } = state
    const sides = [0, 1].map((me) => {
      const speak = script.runInContext(createContext()) as (text: string) => string | undefined
      speak(JSON.stringify({ start: [me, counts, values[me as 0 | 1], maxRounds] }))
      return {
        offer: (share) => {
          const text = speak(JSON.stringify({ offer: share ?? null }))
          return text === undefined ? null : (JSON.parse(text) as unknown)
        },
      } satisfies Negotiator
    })
    while (state.ending === null) {
      const seat = moverOf(state)
      const value = sides[seat]!.offer(offered(state) ?? undefined) as number[] | null
      rules.apply(state, { type: 'answer', seat, value })
    }
  }
}
