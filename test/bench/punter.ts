import { Worker } from 'node:worker_threads'
import { punterConfig } from '../../main/services/games/punter/settings.ts'
import { playOnline } from '../../main/services/games/punter/online.ts'
import type { Config } from '../../main/referees/punter/config.ts'
import type { Input } from '../../main/referees/punter/input.ts'
import { rules } from '../../main/referees/punter/rules.ts'
import { scoreOf, turnOf, type State } from '../../main/referees/punter/state.ts'
import { onlineRows } from './punter-online.ts'
import { rowOf, type Bench, type Row } from './row.ts'

/** A grid with about as many rivers as the largest maps of 2017, of which this one has 10,049. */
const COLUMNS = 100
const ROWS = 51
const MINES = 32
/** Punters of the largest games of 2017 but one. */
const SEATS = 16

/** Lambda Punter at its sizes of 2017, held against the official server on the same kind of machine. */
export const punter: Bench = {
  name: 'punter',
  async measure() {
    const config = punterConfig({ map: gridMap(COLUMNS, ROWS, MINES) })
    const small = punterConfig({ map: gridMap(20, 25, 8) })
    return [
      ...[rulesRow(config), scoringRow(config), memoryRow(config), await onlineRow(config)],
      ...(await onlineRows([small, config])),
    ]
  },
}

/** The rules alone: two punters claim all rivers in an order that jumps about the map. */
function rulesRow(config: Config): Row {
  const rates = Array.from({ length: 20 }, () => {
    const { state, inputs } = prepared(config, 2)
    const begun = performance.now()
    for (const input of inputs) rules.apply(state, input)
    return (inputs.length / (performance.now() - begun)) * 1_000
  })
  return rowOf(
    { name: `punter, rules alone, ${riversOf(config)} rivers`, value: Math.max(...rates), unit: 'moves/s' },
    { name: 'the first such match', value: rates[0]!, unit: 'moves/s' },
    { of: 'value', atLeast: 1_000_000 },
  )
}

/** Scores that are searched anew from the rivers of a finished match. */
function scoringRow(config: Config): Row {
  const { state, inputs } = prepared(config, SEATS)
  for (const input of inputs) rules.apply(state, input)
  const saved = rules.save(state)
  const seats = seatsOf(SEATS)
  const times = Array.from({ length: 10 }, () => {
    const begun = performance.now()
    rules.load(saved, config, seats).punters.map(scoreOf)
    return performance.now() - begun
  })
  return rowOf(
    { name: `punter, scoring ${SEATS} punters, ${riversOf(config)} rivers`, value: Math.min(...times), unit: 'ms' },
    { name: 'the official server, from the last move to the stop', value: 730, unit: 'ms' },
    { of: 'value', below: 20 },
  )
}

function memoryRow(config: Config): Row {
  const used = (): number => {
    globalThis.gc?.()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return (heapUsed + arrayBuffers) / 1_048_576
  }
  // Another text of the same map: the first one has been read.
  const fresh = { ...config, map: `${config.map} ` }
  const before = used()
  const { state, inputs } = prepared(fresh, SEATS)
  for (const input of inputs.splice(0)) rules.apply(state, input)
  const value = used() - before
  // It must live until it is measured.
  if (state.moves === 0) throw new Error('nothing was played')
  return rowOf(
    { name: `punter, memory of a game of ${SEATS} on ${riversOf(config)} rivers`, value, unit: 'MB' },
    { name: 'its map as text', value: config.map.length / 1_048_576, unit: 'MB' },
    { of: 'value', below: 50 },
  )
}

/** Two clients that pass, over real sockets, in a thread of their own. */
async function onlineRow(config: Config): Promise<Row> {
  const begun = Promise.withResolvers<number>()
  let clients: Worker | undefined
  await playOnline({
    config,
    punters: 2,
    host: '127.0.0.1',
    port: 0,
    limits: {},
    signal: new AbortController().signal,
    onOpen(address) {
      clients = new Worker(new URL('punter-clients.ts', import.meta.url), { workerData: Number(new URL(address).port) })
      begun.resolve(performance.now())
    },
    onNotice: () => undefined,
    onUnexpected: (error) => console.error(error),
  })
  const ms = performance.now() - (await begun.promise)
  await clients?.terminate()
  return rowOf(
    {
      name: 'punter, online, two trivial clients over sockets',
      value: (riversOf(config) / ms) * 1_000,
      unit: 'moves/s',
    },
    { name: 'the official server without its stall', value: 4_450, unit: 'moves/s' },
    { of: 'value', atLeast: 10_000 },
  )
}

/** A match that is about to begin, and moves that claim each river once, in an order that jumps about the map. */
function prepared(config: Config, seats: number): { readonly state: State; readonly inputs: Input[] } {
  const state = rules.initial(config, seatsOf(seats), '')
  for (let seat = 0; seat < seats; seat++) rules.apply(state, { type: 'ready', seat, futures: [] })
  const { rivers, ids } = state.course
  // A step that is prime to the number of rivers comes to each of them once.
  const step = 7_919
  const inputs = rivers.map((_, at): Input => {
    const { source, target } = rivers[(at * step) % rivers.length]!
    return {
      type: 'move',
      seat: (turnOf(state) + at) % seats,
      move: { claim: { source: ids[source]!, target: ids[target]! } },
    }
  })
  return { state, inputs }
}

const seatsOf = (seats: number) =>
  Array.from({ length: seats }, (_, id) => ({ id, entrant: id, role: 'punter', bodies: 1 }))

const riversOf = ({ map }: Config): number => (JSON.parse(map) as { readonly rivers: readonly unknown[] }).rivers.length

function gridMap(columns: number, rows: number, mines: number): string {
  const sites = Array.from({ length: columns * rows }, (_, id) => ({
    id,
    x: id % columns,
    y: Math.floor(id / columns),
  }))
  const rivers = sites.flatMap(({ id, x, y }) => [
    ...(x + 1 < columns ? [{ source: id, target: id + 1 }] : []),
    ...(y + 1 < rows ? [{ source: id, target: id + columns }] : []),
  ])
  const apart = Math.floor(sites.length / mines)
  return JSON.stringify({ sites, rivers, mines: Array.from({ length: mines }, (_, at) => at * apart) })
}
