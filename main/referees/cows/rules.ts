import type { Rules } from '../../contract/game/game.ts'
import type { Config } from './config.ts'
import type { Input } from './input.ts'
import { initialState, load, save, type State } from './state.ts'
import { playStep } from './step.ts'
import { viewOf, type View } from './view.ts'

/** The rules of one simulation (spec 5). An input is a step of everybody. */
export const rules: Rules<Config, State, Input, View> = {
  initial: (config, _seats, seed) => initialState(config, seed),
  apply(state, { step, actions }) {
    if (state.step >= state.config.steps) return 'The match is over.'
    if (step !== state.step) return `The step is ${state.step}, not ${step}.`
    const wrong = actions.findIndex((team) => team.length !== state.bodies)
    if (wrong !== -1) return `Seat ${wrong} has ${state.bodies} herders, not ${actions[wrong]!.length}.`
    playStep(state, actions)
    return null
  },
  view: viewOf,
  save,
  load,
  outcome({ step, config, scores }) {
    if (step < config.steps) return null
    return {
      places: scores.map((score, seat) => ({ seat, score, rank: score < scores[1 - seat]! ? 2 : 1, removed: false })),
    }
  },
}
