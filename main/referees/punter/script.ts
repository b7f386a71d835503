import type { ScriptApi } from '../../contract/game/game.ts'
import { exportCheck } from '../exported.ts'

/**
 * A script exports a class. `setup(map, settings)` begins, with `settings` the extensions that are on, and `punter` and `punters`;
 * `futures()`, where the class has it, gives the futures; `move(moves)` gives a move; `stop(moves, scores)`, where the class has it,
 * hears the end. Notes of the rules are in its log.
 */
export const script: ScriptApi = {
  methods: ['move'],
  nodeGlobals: true,
  adapter: `(({ made, noClass, noMethod }) => {
  const { apply } = Reflect
  const call = (agent, name, args) => {
    const method = agent[name]
    return typeof method === 'function' ? { value: apply(method, agent, args) } : null
  }
  return (Agent, log) => {
    const problem = noClass(Agent)
    if (problem !== null) return problem
    const agent = made(Agent, () => new Agent())
    const note = ({ notes }) => {
      if (notes !== undefined) for (let at = 0; at < notes.length; at += 1) log('\u25b8 ' + notes[at])
    }
    return (message) => {
      if (message.type === 'setup') {
        const { punter, punters, map, settings } = message
        if (call(agent, 'setup', [map, { ...settings, punter, punters }]) === null) throw new Error('the class has no method setup(map, settings)')
        const futures = settings === undefined || settings.futures !== true ? null : call(agent, 'futures', [])
        return futures === null || futures.value === undefined ? { ready: punter } : { ready: punter, futures: futures.value }
      }
      note(message)
      if (message.type === 'stop') {
        call(agent, 'stop', [message.moves, message.scores])
        return { stopped: true }
      }
      const answer = call(agent, 'move', [message.moves])
      if (answer === null) throw new Error(noMethod)
      return answer.value
    }
  }
})(${exportCheck('move(moves)', '{ pass: {} }')})`,
}
