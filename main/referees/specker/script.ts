import type { ScriptApi } from '../../contract/game.ts'
import { exportCheck } from '../exported.ts'

/**
 * How a Specker script is spoken to. Its `module.exports` is a class: `new Agent(start)` when the match begins, then
 * `turn(view)` once a turn, which returns `{ actions: [...] }` or the bare array. One that has a property `protocol`, and it is 3,
 * is spoken to in that. Shapes: messages.ts.
 */
export const script: ScriptApi = {
  adapter: `(() => {
  const { noClass, noMethod } = ${exportCheck('turn(view)', '[]')}
  const RealTypeError = TypeError
  return (Agent) => {
    const problem = noClass(Agent)
    if (problem !== null) return problem
    let agent
    return (message) => {
      if (message.type === 'start') {
        agent = new Agent(message)
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
