import type { CarriedState, WireHost } from '../contract/wire.ts'
import type { Json } from '../contract/json.ts'

/** What a wire that is made now can learn of the world: its clock begins at 0 now. */
export function wireHost(): WireHost {
  const born = Date.now()
  return { unixMs: (at) => born + at }
}

/** A state of at most so many bytes of JSON. */
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
