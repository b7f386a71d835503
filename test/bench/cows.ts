import { Worker } from 'node:worker_threads'
import { config as schema, type Config } from '../../main/referees/cows/config.ts'
import type { Input } from '../../main/referees/cows/input.ts'
import { makeMap, mapOptions, mapText } from '../../main/referees/cows/kinds.ts'
import { actions } from '../../main/referees/cows/messages.ts'
import { rules } from '../../main/referees/cows/rules.ts'
import { cows as cowsGame } from '../../main/referees/cows/cows.ts'
import { eraseGame } from '../../main/contract/game/erased-game.ts'
import { limits } from '../../main/contract/limits.ts'
import { playerOfBodies } from '../../main/players/player-of-bodies.ts'
import { playStandaloneMatch } from '../../main/services/games/standalone-match.ts'
import { inProcessPlayer } from '../in-process-player.ts'
import { playOpenMatch } from '../../main/services/games/cows/open-match.ts'
import { rowOf, type Bench, type Row } from './row.ts'

/** The speed of the organisers' server with twelve trivial clients, in steps a second. */
const ORIGINAL = 9.1
const SEED = 'ab'.repeat(32)

/** Cows and Herders at the size of 2008, and at the largest one. */
export const cows: Bench = {
  name: 'cows',
  async measure() {
    const usual = (profile: Config['profile'], steps: number): Config => configOf({}, { profile, steps })
    const large = configOf({ width: 150, height: 150, herders: 20, cows: 300, obstacles: 1_000 }, { steps: 400 })
    return [
      rulesRow('as written', usual('document', 2_000)),
      rulesRow('as on the server of 2008', usual('server-2008', 2_000)),
      await memoryRow(usual('document', 700)),
      await socketsRow(
        'twelve trivial clients over sockets, as on the server of 2008',
        usual('server-2008', 2_000),
        1_000,
      ),
      await socketsRow('twelve trivial clients over sockets, as written', usual('document', 2_000), 1_000),
      await socketsRow('forty trivial clients over sockets, 150 by 150 cells', large, 300),
    ]
  },
}

function configOf(map: Partial<Parameters<typeof makeMap>[0]>, settings: Partial<Config>): Config {
  return schema.parse({ map: mapText(makeMap(mapOptions.parse(map))), ...settings })
}

/** The rules alone, with herders that walk about. */
function rulesRow(name: string, config: Config): Row {
  const rates = Array.from({ length: 10 }, () => {
    const state = rules.initial(config, [], SEED)
    const inputs = Array.from({ length: config.steps }, (_, step) => walk(step, state.bodies))
    const begun = performance.now()
    for (const input of inputs) rules.apply(state, input)
    return (config.steps / (performance.now() - begun)) * 1_000
  })
  return rowOf(
    { name: `cows, rules alone ${name}, 70 by 70 cells, 100 cows`, value: Math.max(...rates), unit: 'steps/s' },
    { name: 'the first such match', value: rates[0]!, unit: 'steps/s' },
    { of: 'value', atLeast: 20_000 },
  )
}

const walk = (step: number, bodies: number): Input => ({
  type: 'step',
  step,
  actions: [0, 1].map((seat) =>
    Array.from({ length: bodies }, (_, body) => actions[1 + ((seat * 3 + body * 5 + Math.floor(step / 6)) % 8)]!),
  ),
})

/** A match at a real table whose history is kept: what the process holds at most, garbage included, beyond what it held before. */
async function memoryRow(config: Config): Promise<Row> {
  const used = (): number => {
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return (heapUsed + arrayBuffers) / 1_048_576
  }
  globalThis.gc?.()
  const before = used()
  const history: string[] = []
  let most = 0
  await playStandaloneMatch({
    game: eraseGame(cowsGame),
    config,
    limits: limits.parse({}),
    isolation: 'none',
    entrants: ['red', 'blue'],
    seatPlayer: ({ bodies }, _seed, emit) =>
      playerOfBodies(
        bodies,
        (_body, emitOfBody) =>
          inProcessPlayer(
            (message) => ((message as { type: string }).type === 'start' ? { ready: true } : { action: 'skip' }),
            emitOfBody,
          ),
        emit,
      ),
    onInput(input) {
      history.push(JSON.stringify(input))
      most = Math.max(most, used())
    },
  })
  return rowOf(
    { name: `cows, memory of a match of ${config.steps} steps with its history`, value: most - before, unit: 'MB' },
    { name: 'its inputs as text', value: history.join('\n').length / 1_048_576, unit: 'MB' },
    { of: 'value', below: 80 },
  )
}

/** Clients that skip, over real sockets, in a thread of their own. */
async function socketsRow(name: string, config: Config, atLeast: number): Promise<Row> {
  const bodies = rules.initial(config, [], SEED).bodies
  const team = (of: string) => ({
    name: of,
    users: Array.from({ length: bodies }, (_, body) => ({ username: `${of}${body}`, password: `${of}${body}` })),
  })
  const [one, other] = [team('red'), team('blue')]
  let clients: Worker | undefined
  let begun = 0
  let ended = 0
  await playOpenMatch({
    teams: [one, other],
    // The first one warms up.
    simulations: [
      { name: 'first', config: { ...config, steps: 100 } },
      { name: 'second', config },
    ],
    timeoutMs: 60_000,
    waitMs: 60_000,
    host: '127.0.0.1',
    port: 0,
    signal: new AbortController().signal,
    onOpen(address) {
      const users = [one, other].flatMap((each) => each.users.map(({ username }) => username))
      clients = new Worker(new URL('cows-clients.ts', import.meta.url), {
        workerData: { port: Number(new URL(address).port), users },
      })
    },
    onSimulation() {
      begun = ended
      ended = performance.now()
    },
    onNotice: () => undefined,
    onUnexpected: (error) => console.error(error),
  })
  await clients?.terminate()
  return rowOf(
    { name: `cows, ${name}`, value: (config.steps / (ended - begun)) * 1_000, unit: 'steps/s' },
    { name: 'the organisers\u2019 server', value: ORIGINAL, unit: 'steps/s' },
    { of: 'value', atLeast },
  )
}
