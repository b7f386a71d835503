import type { CarriedState, WireHost } from '../../contract/game/wire.ts'
import type { Json } from '../../contract/json.ts'

/** A wire's view of the world. All wires of a process have one clock. */
export function wireHost(): WireHost {
  return { unixNow: () => Math.round(performance.timeOrigin + performance.now()) }
}

/** A state of at most `most` bytes of JSON. */
export function carriedState(most: number): CarriedState {
  let value: Json = null
  return {
    get value() {
      return value
    },
    keep(state) {
      const bytes = Buffer.byteLength(JSON.stringify(state))
      if (bytes > most) return `The agent's state has ${bytes} bytes; ${most} are allowed.`
      value = state
      return null
    },
  }
}
