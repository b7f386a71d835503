import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { createContext, Script } from 'node:vm'
import { resources } from '../../main/services/machine/resources.ts'
import { descendants } from '../../main/players/proc.ts'
import { echoPrograms } from './echo-program.ts'
import { withEchoes, type Echo, type Echoes } from './echo-script.ts'
import { withFolder } from './folder.ts'
import { alternately, median, mediansOf } from './measure.ts'
import { onOneCore } from './own-core.ts'
import { rowOf, type Bench, type Row } from './row.ts'

const ROUNDS = 9
const QUESTIONS = 3_000
const IDLE = 8
/** In so long a warm process has left its last match and made the next realm. One match upon the other: the bench "realms". */
const REST_MS = 10
const MEGABYTE = 1_048_576
const MESSAGE = Array.from({ length: 20 }, (_, n) => n)

/** The cost of seating an agent, asking it, and keeping it, compared with weaker isolation and none. */
export const players: Bench = {
  name: 'players',
  measure: async () => [
    ...(await withEchoes(1, seats)),
    ...(await onOneCore(() => withEchoes(1, asks))),
    ...(await withFolder(matches)),
    ...(await withEchoes(IDLE, idle)),
  ],
}

/** From the wish for a seat to a player that can be asked: in a new process, and in one that is warm and at rest. */
async function seats({ tier, seat }: Echoes): Promise<readonly Row[]> {
  const seated = async (fresh: boolean): Promise<number> => {
    const start = performance.now()
    const echo = await seat(1, fresh)
    const tookMs = performance.now() - start
    await echo.ask(MESSAGE)
    echo.close()
    return tookMs
  }
  const cold = await mediansOf(ROUNDS, () => seated(true), bareNode)
  const rested = async (): Promise<number> => {
    await setTimeout(REST_MS)
    return seated(false)
  }
  const warm = await mediansOf(ROUNDS * 10, rested, bareContext)
  return [
    rowOf(
      { name: `cold start of a script, tier ${tier}`, value: cold.first, unit: 'ms' },
      { name: 'node -e 0 in no box, to its end', value: cold.second, unit: 'ms' },
    ),
    rowOf(
      { name: `cold starts of scripts, one by one, tier ${tier}`, value: 1_000 / cold.first, unit: 'a second' },
      { name: 'node -e 0 in no box', value: 1_000 / cold.second, unit: 'a second' },
    ),
    rowOf(
      { name: `warm seat of a script, tier ${tier}`, value: warm.first, unit: 'ms' },
      { name: 'a bare context in this process', value: warm.second, unit: 'ms' },
      { of: 'value', below: 2 },
    ),
  ]
}

async function bareNode(): Promise<number> {
  const start = performance.now()
  await once(spawn(resources.node, ['-e', '0'], { env: {} }), 'exit')
  return performance.now() - start
}

function bareContext(): number {
  const start = performance.now()
  new Script('(message) => message').runInContext(createContext())
  return performance.now() - start
}

/** One question after the other on a worker's core: by the clock, and by what it costs of it, ours and the agent's together. */
function asks({ tier, seat }: Echoes): Promise<readonly Row[]> {
  return withFolder(async (folder) => {
    const programs = await echoPrograms(tier, folder)
    const [script, program] = [await seat(1), await programs.start()]
    const rates = await alternately(
      ROUNDS,
      () => ratesOf(script),
      () => ratesOf(program),
    )
    script.close()
    await programs.end()
    const row = (by: keyof Rates, unit: string, target?: Row['target']): Row =>
      rowOf(
        { name: `asks and answers, script, tier ${tier}`, value: median(rates.first.map((each) => each[by])), unit },
        { name: 'program (Node), same box', value: median(rates.second.map((each) => each[by])), unit },
        target,
      )
    return [row('clock', 'a second'), row('core', 'a second of a core', { of: 'value', atLeast: 20_000 })]
  })
}

interface Rates {
  readonly clock: number
  readonly core: number
}

async function ratesOf({ ask }: Echo): Promise<Rates> {
  const [began, used] = [performance.now(), computedMs()]
  for (let question = 0; question < QUESTIONS; question++) await ask(MESSAGE)
  const second = QUESTIONS * 1_000
  return { clock: second / (performance.now() - began), core: second / (computedMs() - used) }
}

/** The processor time of this process and all below it, in ms, over all threads. */
function computedMs(): number {
  const threads = descendants(process.pid).flatMap((pid) => tasksOf(pid).map((task) => `/proc/${pid}/task/${task}`))
  // In nanoseconds; what `stat` says comes in ticks of 10 ms, and a round takes a few of those.
  return threads.reduce((sum, thread) => sum + Number(read(`${thread}/schedstat`).split(' ')[0]) / 1e6, 0)
}

function tasksOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** The time that the box adds to a program's match, from start to end. */
async function matches(folder: string): Promise<readonly Row[]> {
  const tier = 'bubblewrap'
  const [boxed, bare] = [await echoPrograms(tier, folder), await echoPrograms('none', folder)]
  const whole = async (start: () => Promise<Echo>): Promise<number> => {
    const began = performance.now()
    const echo = await start()
    await echo.ask(MESSAGE)
    echo.close()
    return performance.now() - began
  }
  try {
    const { first, second } = await mediansOf(
      ROUNDS,
      () => whole(() => boxed.start()),
      () => whole(() => bare.start()),
    )
    return [
      rowOf(
        { name: `match of a program, one question, tier ${tier}`, value: first, unit: 'ms' },
        { name: 'the same in no box', value: second, unit: 'ms' },
      ),
      rowOf(
        { name: `what ${tier} adds to it`, value: first - second, unit: 'ms' },
        { name: 'the match in no box', value: second, unit: 'ms' },
      ),
    ]
  } finally {
    await Promise.all([boxed.end(), bare.end()])
  }
}

/** Scripts that have played and wait for their next match. */
async function idle({ tier, seat }: Echoes): Promise<readonly Row[]> {
  const seated = await Promise.all(Array.from({ length: IDLE }, (_, match) => seat(match)))
  for (const echo of seated) {
    await echo.ask(MESSAGE)
    echo.close()
  }
  const node = spawn(resources.node, ['-e', 'process.stdin.resume(); console.log(1)'], { env: {} })
  await once(node.stdout, 'data')
  const bare = residentBytes([node.pid!])
  const all = descendants(process.pid).filter((pid) => pid !== process.pid && pid !== node.pid)
  node.kill()
  return [
    rowOf(
      {
        name: `resident memory of an idle player, tier ${tier}`,
        value: residentBytes(all) / IDLE / MEGABYTE,
        unit: 'MB',
      },
      { name: 'a Node that does nothing', value: bare / MEGABYTE, unit: 'MB' },
      { of: 'value', below: 90 },
    ),
  ]
}

/** With the pages that it shares with others. */
function residentBytes(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    return sum + Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1_024
  }, 0)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
