import type { ScriptApi } from '../../contract/game.ts'
import type { Json } from '../../contract/json.ts'
import { exportCheck } from '../exported.ts'

/**
 * How an entry of 2018 is spoken to: `new Agent(me, counts, values, max_rounds, log)`, then `offer(o)` once a turn, `o`
 * undefined on the very first one. What it returns is turned to JSON and back before anybody looks at it, so that what
 * JSON drops is an acceptance, as it was; what JSON cannot hold ends the session with a reason. JSON was another realm's
 * there: what a script makes of its own is of no effect here either, nor is a toJSON that all its objects have.
 */
export const script: ScriptApi = {
  nodeGlobals: true,
  adapter: `(() => {
  const { parse, stringify } = JSON
  const toText = String
  const { apply } = Reflect
  const { noClass, noMethod } = ${exportCheck('offer(o)', 'undefined')}
  return (Agent, log) => {
    let agent
    const words = (value) => {
      try { return toText(value).slice(0, 2000).toWellFormed() } catch { return 'an error that cannot be shown' }
    }
    const note = (value) => {
      const text = stringify(value)
      if (text !== undefined) log('\u25b8 ' + text)
    }
    return (message) => {
      let value
      try {
        if (message.type === 'start') {
          const problem = noClass(Agent)
          if (problem !== null) return { __proto__: null, threw: problem }
          agent = new Agent(message.me, message.counts, message.values, message.maxRounds, (value) => note(value))
          return { __proto__: null, value: null }
        }
        const { offer } = agent
        if (typeof offer !== 'function') return { __proto__: null, threw: noMethod }
        value = apply(offer, agent, [message.offer === null ? undefined : message.offer])
      } catch (error) {
        return { __proto__: null, threw: words(error) }
      }
      try {
        const text = stringify(value)
        return { __proto__: null, value: text === undefined ? null : parse(text) }
      } catch (error) {
        return { __proto__: null, unwritable: words(error) }
      }
    }
  }
})()`,
}

/** What a line of a script's console noted by `log`; undefined: the script printed it in another way. */
export function noteOf(line: string): Json | undefined {
  if (!line.startsWith('\u25b8 ')) return undefined
  try {
    return JSON.parse(line.slice(2)) as Json
  } catch {
    // Cut where the console was full.
    return undefined
  }
}
