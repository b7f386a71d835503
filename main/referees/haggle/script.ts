import type { ScriptApi } from '../../contract/game/game.ts'
import type { Json } from '../../contract/json.ts'
import { exportCheck } from '../exported.ts'

/**
 * How a script of 2018 is called: `new Agent(me, counts, values, max_rounds, log)`, then `offer(o)` once per turn; `o`
 * is undefined in the very first one. Its result is converted to JSON and back first: a value that JSON omits is an
 * acceptance, as in the original, and a value that JSON cannot represent ends the session with a reason. An exception and a
 * promise are faults. As in the original, JSON belongs to another realm: changes that a script makes to it have no effect, nor
 * does a toJSON on Object.prototype.
 */
export const script: ScriptApi = {
  methods: ['offer'],
  nodeGlobals: true,
  adapter: `(() => {
  const { parse, stringify } = JSON
  const toText = String
  const RealTypeError = TypeError
  const { apply, getPrototypeOf } = Reflect
  const { isArray } = Array
  const { isFinite } = Number
  const PromisePrototype = Promise.prototype
  const { made, noClass, noMethod } = ${exportCheck('offer(o)', 'undefined')}
  const isPromise = (value) => typeof value === 'object' && value !== null && getPrototypeOf(value) === PromisePrototype
  return (Agent, log) => {
    const problem = noClass(Agent)
    if (problem !== null) return problem
    let agent
    const words = (value) => {
      try { return toText(value).slice(0, 2000).toWellFormed() } catch { return 'an error that cannot be shown' }
    }
    const note = (value) => {
      const text = stringify(value)
      if (text !== undefined) log('\u25b8 ' + text)
    }
    /** Names a part of an offer that JSON writes as something else; null: there is none. */
    const oddIn = (value) => {
      if (!isArray(value)) return null
      for (let at = 0; at < value.length && at < 16; at += 1) {
        const one = value[at]
        if (isPromise(one)) return '[' + at + '] is a promise; answers must not be asynchronous: leave out "async" and "await"'
        if (typeof one !== 'number' || isFinite(one)) continue
        return '[' + at + '] is ' + one + ': a calculation with undefined or a division by 0; log() the numbers that go into it'
      }
      return null
    }
    return (message) => {
      if (message.type === 'start') {
        const { me, counts, values, maxRounds } = message
        agent = made(Agent, () => new Agent(me, counts, values, maxRounds, (value) => note(value)))
        return { __proto__: null, value: null }
      }
      const { offer } = agent
      if (typeof offer !== 'function') throw new RealTypeError(noMethod)
      const value = apply(offer, agent, [message.offer === null ? undefined : message.offer])
      if (isPromise(value)) return value
      try {
        const text = stringify(value)
        const given = { __proto__: null, value: text === undefined ? null : parse(text) }
        const odd = oddIn(value)
        if (odd !== null) given.odd = odd
        return given
      } catch (error) {
        return { __proto__: null, unwritable: words(error) }
      }
    }
  }
})()`,
}

/** The logged value of a console line; undefined: the script did not print it with `log`. */
export function noteOf(line: string): Json | undefined {
  if (!line.startsWith('\u25b8 ')) return undefined
  try {
    return JSON.parse(line.slice(2)) as Json
  } catch {
    // The line was cut off at the console's limit.
    return undefined
  }
}
