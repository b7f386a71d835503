import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createContext, Script } from 'node:vm'
import { echoChild } from './echo-child.ts'
import { median, rate } from './measure.ts'

const ROUNDS = 5
const CONTEXTS = 200
const STARTS = 20
const ROUND_TRIPS = 2_000

/** Speeds of a machine without our code, by which figures of two machines can be compared. All a second, medians. */
export interface BareRates {
  /** Fresh contexts in one process that run one line each. */
  readonly contexts: number
  /** Node processes that do nothing, one after the other. */
  readonly nodeStarts: number
  /** Starts of a program that exits at once, one after the other; null: the machine has no `true`. */
  readonly processStarts: number | null
  /** Lines that a Node child process sends back over pipes, one after the other. */
  readonly roundTrips: number
}

/** Measures the machine; takes a few seconds. */
export async function bareRates(): Promise<BareRates> {
  const child = await echoChild()
  try {
    return {
      contexts: await medianOf(() => rate(CONTEXTS, createContexts)),
      nodeStarts: await medianOf(() => rate(STARTS / 4, () => startAll(process.execPath, ['-e', '0'], STARTS / 4))),
      processStarts: await medianOf(() => rate(STARTS, () => startAll('true', [], STARTS))).catch(() => null),
      roundTrips: await medianOf(() =>
        rate(ROUND_TRIPS, async () => {
          for (let n = 0; n < ROUND_TRIPS; n++) await child.ask([n])
        }),
      ),
    }
  } finally {
    child.close()
  }
}

/** As a line. */
export function ratesText({ contexts, nodeStarts, processStarts, roundTrips }: BareRates): string {
  const starts = processStarts === null ? '' : `, ${whole(processStarts)} starts of a program`
  return `Bare rates a second: ${whole(contexts)} contexts, ${whole(nodeStarts)} starts of Node${starts}, ${whole(roundTrips)} round trips over pipes`
}

const whole = (value: number): string => Math.round(value).toLocaleString('en')

async function medianOf(measure: () => Promise<number>): Promise<number> {
  const values: number[] = []
  for (let round = 0; round < ROUNDS; round++) values.push(await measure())
  return median(values)
}

function createContexts(): void {
  const script = new Script('1')
  for (let n = 0; n < CONTEXTS; n++) script.runInContext(createContext())
}

async function startAll(file: string, args: readonly string[], count: number): Promise<void> {
  for (let n = 0; n < count; n++) await once(spawn(file, args, { stdio: 'ignore' }), 'exit')
}
