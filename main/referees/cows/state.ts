import * as z from 'zod'
import type { Seat } from '../../contract/game/table.ts'
import { drawBelow, randomStream } from '../../contract/random.ts'
import { sha256 } from '../sha256.ts'
import type { Json } from '../../contract/json.ts'
import { mapOf, rangesOf, type Config, type Ranges } from './config.ts'
import { isInside, terrain } from './maps/map-file.ts'

/** A simulation. A cell's number is `y * width + x`; a herder's is `seat * bodies + body`. */
export interface State {
  readonly config: Config
  readonly ranges: Ranges
  readonly width: number
  readonly height: number
  readonly bodies: number
  /** By cell. */
  readonly obstacles: Uint8Array
  /** By cell: whose corral it is; -1: nobody's. */
  readonly corrals: Int8Array
  /** By cell: the herder or the cow on it; -1: none. */
  readonly herderOn: Int16Array
  readonly cowOn: Int16Array
  /** By cell: what is on it, of `contents`. */
  readonly content: Uint8Array
  /** By herder: its cell. */
  readonly herders: Int32Array
  /** By cow: its cell; -1: it was caught. */
  readonly cows: Int32Array
  /** By cow: it moves in steps that leave this remainder by 3. */
  readonly turns: Uint8Array
  /** By herder: the number of its action in the last step, or `NO_ACTION`. */
  readonly lastActions: Int8Array
  /** By herder: 1 if it wanted to move in the last step and could not. */
  readonly stopped: Uint8Array
  /** Secret of the match; a step's random stream follows from it and the step. */
  readonly seed: string
  step: number
  readonly scores: [number, number]
}

/** The content of a cell, whatever the corral. */
export const contents = { nothing: 0, herder: 1, cow: 2, obstacle: 3 } as const

/** The last action of a herder that gave no answer, and of all before the first step. */
export const NO_ACTION = -1

const saved = z.strictObject({
  seed: z.string(),
  step: z.int(),
  scores: z.tuple([z.int(), z.int()]),
  herders: z.array(z.int()),
  cows: z.array(z.int()),
  turns: z.array(z.int()),
  lastActions: z.array(z.int()),
  stopped: z.array(z.int()),
})

/** The random stream of one purpose in one step. */
export const streamOf = (seed: string, purpose: string): (() => number) => randomStream(sha256(`${seed} ${purpose}`))

export function initialState(config: Config, seed: string): State {
  const state = ground(config, seed, 0, [0, 0])
  const map = mapOf(config)
  const next = streamOf(seed, 'turns')
  const cows: number[] = []
  // West to east, then north to south: the order in which the organisers' server numbers cows.
  for (let x = 0; x < state.width; x++)
    for (let y = 0; y < state.height; y++) if (map.rows[y]![x] === terrain.cow) cows.push(y * state.width + x)
  const herders = map.herders.flat().map(([x, y]) => y * state.width + x)
  return placed(state, {
    herders,
    cows,
    turns: cows.map(() => drawBelow(next, 3)),
    lastActions: herders.map(() => NO_ACTION),
    stopped: herders.map(() => 0),
  })
}

export function save({ seed, step, scores, herders, cows, turns, lastActions, stopped }: State): Json {
  return {
    seed,
    step,
    scores: [...scores],
    herders: [...herders],
    cows: [...cows],
    turns: [...turns],
    lastActions: [...lastActions],
    stopped: [...stopped],
  }
}

export function load(value: Json, config: Config, _seats: readonly Seat[]): State {
  const { seed, step, scores, ...moving } = saved.parse(value)
  return placed(ground(config, seed, step, scores), moving)
}

type Moving = 'herders' | 'cows' | 'turns' | 'lastActions' | 'stopped'
type Ground = Omit<State, Moving>

function ground(config: Config, seed: string, step: number, scores: readonly [number, number]): Ground {
  const { rows, corrals, herders } = mapOf(config)
  const [width, height] = [rows[0]!.length, rows.length]
  const cells = width * height
  const owners = Int8Array.from({ length: cells }, (_, cell) =>
    corrals.findIndex((corral) => isInside(corral, [cell % width, Math.floor(cell / width)])),
  )
  return {
    config,
    ranges: rangesOf(config),
    width,
    height,
    bodies: herders[0].length,
    obstacles: Uint8Array.from(Array.from(rows.join('')), (character) => (character === terrain.obstacle ? 1 : 0)),
    corrals: owners,
    herderOn: new Int16Array(cells).fill(-1),
    cowOn: new Int16Array(cells).fill(-1),
    content: new Uint8Array(cells),
    seed,
    step,
    scores: [...scores],
  }
}

function placed(state: Ground, moving: Readonly<Record<Moving, readonly number[]>>): State {
  for (const [cell, is] of state.obstacles.entries()) if (is === 1) state.content[cell] = contents.obstacle
  for (const [herder, cell] of moving.herders.entries()) {
    state.herderOn[cell] = herder
    state.content[cell] = contents.herder
  }
  for (const [cow, cell] of moving.cows.entries()) {
    if (cell === -1) continue
    state.cowOn[cell] = cow
    state.content[cell] = contents.cow
  }
  return {
    ...state,
    herders: Int32Array.from(moving.herders),
    cows: Int32Array.from(moving.cows),
    turns: Uint8Array.from(moving.turns),
    lastActions: Int8Array.from(moving.lastActions),
    stopped: Uint8Array.from(moving.stopped),
  }
}
