import type { ScriptApi } from '../../contract/game/game.ts'
import { exportCheck } from '../exported.ts'

/**
 * How a Specker script is called. Its `module.exports` is a class: `new Agent(start)` at the beginning of a match, then
 * `turn(view)` once per turn, which returns `{ actions: [...] }` or just the array. An agent whose property `protocol`
 * is 3 gets messages of that protocol. Shapes: messages.ts.
 */
export const script: ScriptApi = {
  methods: ['turn'],
  adapter: `(() => {
  const { made, noClass, noMethod } = ${exportCheck('turn(view)', '[]')}
  const RealTypeError = TypeError
  return (Agent) => {
    const problem = noClass(Agent)
    if (problem !== null) return problem
    let agent
    return (message) => {
      if (message.type === 'start') {
        agent = made(Agent, () => new Agent(message))
        if (typeof agent.turn !== 'function') throw new RealTypeError(noMethod)
        return agent.protocol === 3 ? { actions: [], protocol: 3 } : { actions: [] }
      }
      if (message.type !== 'turn') return undefined
      const answer = agent.turn(message)
      return Array.isArray(answer) ? { actions: answer } : answer
    }
  }
})()`,
}
