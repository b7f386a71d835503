import type { Rules } from '../../contract/game/game.ts'
import type { SeatId } from '../../contract/ids.ts'
import type { Config } from './config.ts'
import { heard } from './hearing.ts'
import type { Input } from './input.ts'
import { namesOf, isRobbersWorld, isTwist, ROBBER, roundSeats, standsStill, type State, type Step } from './state.ts'
import { initialState, load, save } from './saved.ts'
import { outcomeOf } from './scores.ts'
import { copTurn, robberTurn } from './turns.ts'
import { viewOf, type View } from './view.ts'

/** Cops & Robbers: the contest of 2005 with both of its rule sets. */
export const rules: Rules<Config, State, Input, View> = {
  initial: (config) => initialState(config),

  apply(state, input) {
    const { seat } = input
    const brain = state.brains[seat]
    if (brain === undefined) return `There is no seat ${seat}.`
    if (state.step === 'over') return 'The match is over.'
    if (!state.waiting.includes(seat)) return `Nothing is expected from seat ${seat} now.`
    brain.refused = null
    const problem = input.type === 'fault' ? input.fault.text : heard(state, seat, input.answer)
    if (problem !== null) failed(state, seat, problem)
    if (input.type === 'fault' && input.gone) brain.gone = true
    state.waiting = state.waiting.filter((each) => each !== seat)
    while (state.waiting.length === 0 && state.end === null) advance(state)
    if (state.end !== null) state.step = 'over'
    return null
  },

  view: viewOf,
  save,
  load,
  outcome: outcomeOf,
}

function failed(state: State, seat: SeatId, problem: string): void {
  const brain = state.brains[seat]!
  if (standsStill(state, seat)) brain.refused = problem
  else brain.disqualified = problem
}

/** Everybody has been heard: what follows. */
function advance(state: State): void {
  if (state.brains.some(({ disqualified }) => disqualified !== null)) {
    state.end = 'disqualified'
    return
  }
  switch (state.step) {
    case 'register':
      for (const [seat, name] of namesOf(state.brains.map(({ name }) => name)).entries())
        state.brains[seat]!.name = name
      return begin(state)
    case 'inform':
      return go(state, 'plan', roundSeats(state))
    case 'plan':
      return go(state, 'vote', roundSeats(state))
    case 'vote':
      count(state)
      return isRobbersWorld(state) ? go(state, 'bribe', [ROBBER]) : go(state, 'move', roundSeats(state))
    case 'bribe':
      return go(state, 'orders', [ROBBER])
    case 'orders':
    case 'move':
      return turn(state)
    case 'over':
      return
  }
}

function go(state: State, step: Step, seats: readonly SeatId[]): void {
  state.step = step
  state.waiting = seats.filter((seat) => !state.brains[seat]!.gone)
}

/** The beginning of a world. The words of the last round are kept until the next one. */
function begin(state: State): void {
  state.asked = false
  state.deed = null
  state.decisions = state.brains.map(() => null)
  if (isRobbersWorld(state) && !isTwist(state)) return go(state, 'move', [ROBBER])
  state.round = state.world
  state.said = state.brains.map(() => ({ informs: null, plan: null, ballot: null }))
  state.winner = undefined
  go(state, 'inform', roundSeats(state))
}

/** The tally. If scoundrels elect nobody, the robber's plan wins. */
function count(state: State): void {
  const candidates = roundSeats(state)
  const ballots = state.said.flatMap(({ ballot }) => (ballot === null ? [] : [ballot]))
  const elected = elect(candidates, ballots)
  const scoundrels = isRobbersWorld(state)
  state.winner = elected === null && scoundrels ? ROBBER : elected
  if (state.winner === null) return
  const brain = state.brains[state.winner]!
  if (scoundrels) brain.scoundrelElected += 1
  else brain.elected += 1
}

function turn(state: State): void {
  if (isRobbersWorld(state)) robberTurn(state, state.deed ?? { node: state.robber, push: null, bribes: [] })
  else copTurn(state)
  state.world += 1
  if (state.end !== null) return
  if (state.world >= state.config.lastWorld) state.end = 'escaped'
  else begin(state)
}

/**
 * The election of section 2.3.2, step by step. Candidates are numbers; ballots list them, most desirable first, and may lack some.
 * null: nobody wins.
 */
export function elect(candidates: readonly number[], given: readonly (readonly number[])[]): number | null {
  // Steps 1 and 2.
  let ballots = given
  let running = new Set(candidates)
  for (;;) {
    // Step 3.
    if (running.size === 0 || ballots.every((ballot) => ballot.length === 0)) return null
    // Step 4.
    const [first] = running
    if (running.size === 1) return first!
    // Steps 5 and 6.
    const firsts = new Map([...running].map((candidate) => [candidate, 0]))
    for (const [choice] of ballots) if (choice !== undefined) firsts.set(choice, (firsts.get(choice) ?? 0) + 1)
    const most = Math.max(...firsts.values())
    const top = new Set([...running].filter((candidate) => firsts.get(candidate) === most))
    // Step 7.
    if (top.size === running.size) ballots = ballots.map((ballot) => ballot.slice(1))
    // Steps 8 and 9.
    running = top
    ballots = ballots
      .map((ballot) => ballot.filter((candidate) => top.has(candidate)))
      .filter((ballot) => ballot.length > 0)
  }
}
