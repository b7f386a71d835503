import { drawBelow } from '../../contract/random.ts'
import { cowDirection } from './cow-direction.ts'
import { stepX, stepY, type Input } from './input.ts'
import { actions } from './messages.ts'
import { NO_ACTION, streamOf, type State } from './state.ts'

/** Plays one step: cows decide by what is there before it, then everybody moves, then cows in corrals are counted. */
export function playStep(state: State, answers: Input['actions']): void {
  const next = streamOf(state.seed, `step ${state.step}`)
  const asServer = state.config.profile === 'server-2008'
  const cowGoals = [...state.cows.keys()].map((cow) => {
    if (state.cows[cow] === -1 || state.step % 3 !== state.turns[cow]) return -1
    return goal(state, state.cows[cow]!, cowDirection(state, cow))
  })
  const herderGoals = [...state.herders.keys()].map((herder) => {
    // A draw for everybody, whatever it does, so that one answer does not change the luck of others.
    const failed = drawBelow(next, 100) < state.config.failure
    const answer = answers[Math.floor(herder / state.bodies)]![herder % state.bodies] ?? null
    state.lastActions[herder] = answer === null ? NO_ACTION : actions.indexOf(answer)
    return failed ? -1 : goal(state, state.herders[herder]!, actions.indexOf(answer ?? 'skip'))
  })
  const before = state.herders.slice()
  if (asServer) moveAsServer(state, herderGoals, cowGoals, next)
  else moveAtOnce(state, herderGoals, cowGoals, next)
  for (const [herder, action] of state.lastActions.entries())
    state.stopped[herder] = action > 0 && state.herders[herder] === before[herder] ? 1 : 0
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

const isFree = ({ herderOn, cowOn }: State, cell: number): boolean => herderOn[cell] === -1 && cowOn[cell] === -1

/** The written rules: the cell must be empty before the step; chance decides between all who want it, cows among them. */
function moveAtOnce(
  state: State,
  herderGoals: readonly number[],
  cowGoals: readonly number[],
  next: () => number,
): void {
  const comers = new Map<number, number[]>()
  const goals = [...herderGoals, ...cowGoals]
  goals.forEach((cell, mover) => {
    if (cell === -1 || !isFree(state, cell)) return
    const list = comers.get(cell)
    if (list === undefined) comers.set(cell, [mover])
    else list.push(mover)
  })
  for (const [cell, list] of comers) {
    const winner = list[list.length === 1 ? 0 : drawBelow(next, list.length)]!
    if (winner < state.herders.length) moveHerder(state, winner, cell)
    else moveCow(state, winner - state.herders.length, cell)
  }
}

/** The organisers' server: cells from west to east and north to south, each left at once; then cows, one after another. */
function moveAsServer(
  state: State,
  herderGoals: readonly number[],
  cowGoals: readonly number[],
  next: () => number,
): void {
  const { width } = state
  const scanned = [...new Set(herderGoals)].filter((cell) => cell !== -1)
  scanned.sort((a, b) => (a % width) - (b % width) || a - b)
  for (const cell of scanned) {
    if (!isFree(state, cell)) continue
    const comers = [...herderGoals.keys()].filter((herder) => herderGoals[herder] === cell)
    moveHerder(state, comers[comers.length === 1 ? 0 : drawBelow(next, comers.length)]!, cell)
  }
  cowGoals.forEach((cell, cow) => {
    if (cell !== -1 && isFree(state, cell)) moveCow(state, cow, cell)
  })
}

function moveHerder({ herders, herderOn }: State, herder: number, cell: number): void {
  herderOn[herders[herder]!] = -1
  herderOn[cell] = herder
  herders[herder] = cell
}

function moveCow({ cows, cowOn }: State, cow: number, cell: number): void {
  cowOn[cows[cow]!] = -1
  cowOn[cell] = cow
  cows[cow] = cell
}

/** A cow on a corral cell is a point for the corral's team, whoever drove it there, and disappears (spec 5.4). */
function score({ cows, cowOn, corrals, scores }: State): void {
  for (const [cow, cell] of cows.entries()) {
    const owner = cell === -1 ? -1 : corrals[cell]!
    if (owner !== 0 && owner !== 1) continue
    scores[owner] += 1
    cowOn[cell] = -1
    cows[cow] = -1
  }
}
