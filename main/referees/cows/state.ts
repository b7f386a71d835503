import { z } from 'zod'
import type { Seat } from '../../contract/game.ts'
import { drawBelow, randomStream } from '../../contract/random.ts'
import { sha256 } from '../sha256.ts'
import type { Json } from '../../contract/json.ts'
import { mapOf, type Config } from './config.ts'
import { isInside, terrain } from './maps/map-file.ts'

/** A simulation. A cell's number is `y * width + x`; a herder's is `seat * bodies + body`. */
export interface State {
  readonly config: Config
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
  /** By herder: its cell. */
  readonly herders: Int32Array
  /** By cow: its cell; -1: it was caught. */
  readonly cows: Int32Array
  /** By cow: it moves in steps that leave this remainder by 3. */
  readonly turns: Uint8Array
  /** Secret of the match; a step's random stream follows from it and the step. */
  readonly seed: string
  step: number
  readonly scores: [number, number]
}

const saved = z.strictObject({
  seed: z.string(),
  step: z.int(),
  scores: z.tuple([z.int(), z.int()]),
  herders: z.array(z.int()),
  cows: z.array(z.int()),
  turns: z.array(z.int()),
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
  return placed(
    state,
    herders,
    cows,
    cows.map(() => drawBelow(next, 3)),
  )
}

export function save({ seed, step, scores, herders, cows, turns }: State): Json {
  return { seed, step, scores: [...scores], herders: [...herders], cows: [...cows], turns: [...turns] }
}

export function load(value: Json, config: Config, _seats: readonly Seat[]): State {
  const { seed, step, scores, herders, cows, turns } = saved.parse(value)
  return placed(ground(config, seed, step, scores), herders, cows, turns)
}

type Ground = Omit<State, 'herders' | 'cows' | 'turns'>

function ground(config: Config, seed: string, step: number, scores: readonly [number, number]): Ground {
  const { rows, corrals, herders } = mapOf(config)
  const [width, height] = [rows[0]!.length, rows.length]
  const cells = width * height
  const owners = Int8Array.from({ length: cells }, (_, cell) =>
    corrals.findIndex((corral) => isInside(corral, [cell % width, Math.floor(cell / width)])),
  )
  return {
    config,
    width,
    height,
    bodies: herders[0].length,
    obstacles: Uint8Array.from([...rows.join('')], (character) => (character === terrain.obstacle ? 1 : 0)),
    corrals: owners,
    herderOn: new Int16Array(cells).fill(-1),
    cowOn: new Int16Array(cells).fill(-1),
    seed,
    step,
    scores: [...scores],
  }
}

function placed(state: Ground, herders: readonly number[], cows: readonly number[], turns: readonly number[]): State {
  herders.forEach((cell, herder) => (state.herderOn[cell] = herder))
  cows.forEach((cell, cow) => {
    if (cell !== -1) state.cowOn[cell] = cow
  })
  return { ...state, herders: Int32Array.from(herders), cows: Int32Array.from(cows), turns: Uint8Array.from(turns) }
}
