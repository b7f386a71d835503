import { z } from 'zod'
import type { Json } from '../../contract/json.ts'
import type { Rules } from '../../contract/game.ts'
import { randomStream, drawBelow, shuffled } from '../../contract/random.ts'
import { sha256 } from '../sha256.ts'
import { mapOf, type Config } from './config.ts'
import { isInside } from './maps/map-file.ts'
import { action, shifts, type Action } from './messages.ts'

/** A step: what each body of each seat does; null: it gave no answer. */
export const input = z.strictObject({
  type: z.literal('step'),
  actions: z.array(z.array(z.union([action, z.null()]))).length(2),
})
export type Input = z.infer<typeof input>

export interface Herder {
  x: number
  y: number
  action: Action | null
  failed: boolean
}
export interface Cow {
  readonly id: number
  x: number
  y: number
  readonly turn: number
}
export interface State {
  readonly config: Config
  readonly seed: string
  step: number
  herders: Herder[][]
  cows: Cow[]
  scores: [number, number]
}
export type View = {
  readonly step: number
  readonly steps: number
  readonly herders: readonly (readonly {
    readonly body: number
    readonly x: number
    readonly y: number
    readonly action: Action | null
    readonly failed: boolean
  }[])[]
  readonly cows: readonly { readonly id: number; readonly x: number; readonly y: number }[]
  readonly scores: readonly [number, number]
}

export const rules: Rules<Config, State, Input, View> = {
  initial(config, _seats, seed) {
    const map = mapOf(config)
    const next = randomStream(sha256(`cows:${seed}`))
    const cows: Cow[] = []
    for (let x = 0; x < map.rows[0]!.length; x += 1) {
      for (const [y, row] of map.rows.entries())
        if (row[x] === 'c') cows.push({ id: cows.length, x, y, turn: drawBelow(next, 3) })
    }
    return {
      config,
      seed,
      step: 0,
      herders: map.herders.map((team) => team.map(([x, y]) => ({ x, y, action: null, failed: false }))),
      cows,
      scores: [0, 0],
    }
  },
  apply(state, { actions }) {
    if (state.step >= state.config.steps) return 'The match is over.'
    for (const [seat, team] of actions.entries()) {
      if (team.length !== state.herders[seat]!.length) return `Seat ${seat} has ${state.herders[seat]!.length} bodies.`
    }
    advance(state, actions)
    return null
  },
  view({ step, config, herders, cows, scores }, viewer) {
    const own = typeof viewer === 'number' ? herders[viewer]! : null
    const sees = ({ x, y }: { x: number; y: number }): boolean =>
      own === null || own.some((body) => Math.abs(body.x - x) <= 8 && Math.abs(body.y - y) <= 8)
    return {
      step,
      steps: config.steps,
      herders: herders.map((team) => team.map((each, body) => ({ ...each, body })).filter(sees)),
      cows: cows.filter(sees).map(({ id, x, y }) => ({ id, x, y })),
      scores: [...scores],
    }
  },
  save: ({ config: _, ...rest }) => structured(rest) as unknown as Json,
  load: (saved, config) => ({ ...(structured(saved) as unknown as Omit<State, 'config'>), config }),
  outcome({ step, config, scores }) {
    if (step < config.steps) return null
    return {
      places: scores.map((score, seat) => ({ seat, score, rank: score < scores[1 - seat]! ? 2 : 1, removed: false })),
    }
  },
}

const structured = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown

function advance(state: State, actions: Input['actions']): void {
  const { rows, corrals } = mapOf(state.config)
  const next = randomStream(sha256(`step:${state.seed}:${state.step}`))
  const taken = new Set([...state.herders.flat(), ...state.cows].map(({ x, y }) => `${x} ${y}`))
  const isFree = (x: number, y: number): boolean => {
    const there = rows[y]?.[x]
    return there !== undefined && there !== '#' && !taken.has(`${x} ${y}`)
  }
  const wishes: { readonly of: Herder | Cow; readonly x: number; readonly y: number }[] = []
  for (const [seat, team] of state.herders.entries()) {
    for (const [body, herder] of team.entries()) {
      const chosen = actions[seat]![body]!
      const [dx, dy] = shifts[chosen ?? 'skip']
      const fails = drawBelow(next, 100) < state.config.failures
      herder.action = chosen
      herder.failed = dx !== 0 || dy !== 0
      if (herder.failed && !fails && isFree(herder.x + dx, herder.y + dy))
        wishes.push({ of: herder, x: herder.x + dx, y: herder.y + dy })
    }
  }
  for (const cow of state.cows) {
    if (state.step % 3 !== cow.turn) continue
    const [dx, dy] = directionOf(state, rows, cow)
    if ((dx !== 0 || dy !== 0) && isFree(cow.x + dx, cow.y + dy)) wishes.push({ of: cow, x: cow.x + dx, y: cow.y + dy })
  }
  const given = new Set<string>()
  for (const { of, x, y } of shuffled(wishes, next)) {
    if (given.has(`${x} ${y}`)) continue
    given.add(`${x} ${y}`)
    of.x = x
    of.y = y
    if ('failed' in of) of.failed = false
  }
  state.cows = state.cows.filter(({ x, y }) => {
    const owner = corrals.findIndex((corral) => isInside(corral, [x, y]))
    if (owner !== -1) state.scores[owner as 0 | 1] += 1
    return owner === -1
  })
  state.step += 1
}

function directionOf(state: State, rows: readonly string[], cow: Cow): readonly [number, number] {
  const herders = new Set(state.herders.flat().map(({ x, y }) => `${x} ${y}`))
  const cows = new Set(state.cows.map(({ x, y }) => `${x} ${y}`))
  let [vx, vy] = [0, 0]
  for (let dy = -4; dy <= 4; dy += 1) {
    for (let dx = -4; dx <= 4; dx += 1) {
      const there = rows[cow.y + dy]?.[cow.x + dx]
      if (there === undefined || (dx === 0 && dy === 0)) continue
      const key = `${cow.x + dx} ${cow.y + dy}`
      const isPrivate = Math.max(Math.abs(dx), Math.abs(dy)) < 2
      const weight = herders.has(key) ? -200 : cows.has(key) ? (isPrivate ? -10 : 5) : there === '#' ? -1 : 1
      const length = Math.hypot(dx, dy)
      vx += (weight * dx) / length
      vy += (weight * dy) / length
    }
  }
  if (Math.hypot(vx, vy) < 0.01) return [0, 0]
  const sector = (Math.floor((Math.atan2(vy, vx) + Math.PI / 8) / (Math.PI / 4)) + 8) % 8
  return (
    [
      [1, 0],
      [1, 1],
      [0, 1],
      [-1, 1],
      [-1, 0],
      [-1, -1],
      [0, -1],
      [1, -1],
    ] as const
  )[sector]!
}
