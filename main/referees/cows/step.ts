import { drawBelow } from '../../contract/random.ts'
import { cowDirection } from './cow-direction.ts'
import { stepX, stepY, type Input } from './input.ts'
import { actions } from './messages.ts'
import { contents, NO_ACTION, streamOf, type State } from './state.ts'

/** Plays one step: cows decide by what is there before it, then everybody moves, then cows in corrals are counted. */
export function playStep(state: State, answers: Input['actions']): void {
  const { cows, herders, bodies, turns, step, config, lastActions, stopped } = state
  const next = streamOf(state.seed, `step ${step}`)
  const cowGoals = new Int32Array(cows.length).fill(-1)
  for (let cow = 0; cow < cows.length; cow++)
    if (cows[cow] !== -1 && step % 3 === turns[cow]) cowGoals[cow] = goal(state, cows[cow]!, cowDirection(state, cow))
  const before = herders.slice()
  const herderGoals = new Int32Array(herders.length)
  for (let herder = 0; herder < herders.length; herder++) {
    // A draw for everybody, whatever it does, so that one answer does not change the luck of others.
    const failed = drawBelow(next, 100) < config.failure
    const answer = answers[herder < bodies ? 0 : 1]![herder % bodies] ?? null
    lastActions[herder] = answer === null ? NO_ACTION : actions.indexOf(answer)
    herderGoals[herder] = failed ? -1 : goal(state, herders[herder]!, Math.max(0, lastActions[herder]!))
  }
  if (config.profile === 'server-2008') moveAsServer(state, herderGoals, cowGoals, next)
  else moveAtOnce(state, herderGoals, cowGoals, next)
  for (let herder = 0; herder < herders.length; herder++)
    stopped[herder] = lastActions[herder]! > 0 && herders[herder] === before[herder] ? 1 : 0
  score(state)
  state.step += 1
}

/** The cell to which an action leads; -1: it stays, or an obstacle or the edge is in the way. */
function goal({ width, height, obstacles }: State, from: number, action: number): number {
  if (action === 0) return -1
  const x = (from % width) + stepX[action]!
  const y = Math.floor(from / width) + stepY[action]!
  if (x < 0 || y < 0 || x >= width || y >= height) return -1
  const cell = y * width + x
  return obstacles[cell] === 1 ? -1 : cell
}

const isFree = ({ content }: State, cell: number): boolean => content[cell] === contents.nothing

/** The written rules: the cell must be empty before the step; chance decides between all who want it, cows among them. */
function moveAtOnce(state: State, herderGoals: Int32Array, cowGoals: Int32Array, next: () => number): void {
  const { length } = herderGoals
  /** By cell, in the order in which it was wanted first: herders by number, and cows behind them. */
  const comers = new Map<number, number[]>()
  for (let mover = 0; mover < length + cowGoals.length; mover++) {
    const cell = mover < length ? herderGoals[mover]! : cowGoals[mover - length]!
    if (cell === -1 || !isFree(state, cell)) continue
    const list = comers.get(cell)
    if (list === undefined) comers.set(cell, [mover])
    else list.push(mover)
  }
  for (const [cell, list] of comers) {
    const winner = list[list.length === 1 ? 0 : drawBelow(next, list.length)]!
    if (winner < length) moveHerder(state, winner, cell)
    else moveCow(state, winner - length, cell)
  }
}

/** The organisers' server: cells from west to east and north to south, each left at once; then cows, one after another. */
function moveAsServer(state: State, herderGoals: Int32Array, cowGoals: Int32Array, next: () => number): void {
  const { width } = state
  const { length } = herderGoals
  const scanned = Array.from({ length }, (_, herder) => herder).filter((herder) => herderGoals[herder] !== -1)
  const column = (herder: number): number => herderGoals[herder]! % width
  scanned.sort((a, b) => column(a) - column(b) || herderGoals[a]! - herderGoals[b]! || a - b)
  // Those who want the same cell stand beside each other now.
  for (let from = 0, to = 0; from < scanned.length; from = to) {
    const cell = herderGoals[scanned[from]!]!
    while (to < scanned.length && herderGoals[scanned[to]!] === cell) to++
    if (isFree(state, cell))
      moveHerder(state, scanned[from + (to - from === 1 ? 0 : drawBelow(next, to - from))]!, cell)
  }
  for (let cow = 0; cow < cowGoals.length; cow++) {
    const cell = cowGoals[cow]!
    if (cell !== -1 && isFree(state, cell)) moveCow(state, cow, cell)
  }
}

function moveHerder({ herders, herderOn, content }: State, herder: number, cell: number): void {
  const from = herders[herder]!
  herderOn[from] = -1
  content[from] = contents.nothing
  herderOn[cell] = herder
  content[cell] = contents.herder
  herders[herder] = cell
}

function moveCow({ cows, cowOn, content }: State, cow: number, cell: number): void {
  const from = cows[cow]!
  cowOn[from] = -1
  content[from] = contents.nothing
  cowOn[cell] = cow
  content[cell] = contents.cow
  cows[cow] = cell
}

/** A cow on a corral cell is a point for the corral's team, whoever drove it there, and disappears (spec 5.4). */
function score({ cows, cowOn, content, corrals, scores }: State): void {
  for (let cow = 0; cow < cows.length; cow++) {
    const cell = cows[cow]!
    const owner = cell === -1 ? -1 : corrals[cell]!
    if (owner !== 0 && owner !== 1) continue
    scores[owner] += 1
    cowOn[cell] = -1
    content[cell] = contents.nothing
    cows[cow] = -1
  }
}
