/** The calls and answers of a Haggling agent. The game's messages are in messages.d.ts. */
import type { Opt } from './messages.d.ts'

/** A number of objects for each type. */
export type Share = Opt['counts']

/** The class that the agent's file exports; each match creates a new object of it. */
export interface Haggler {
  /**
   * Your turn. `offered` is what the partner leaves you; undefined: there has been no offer yet. Return the share that
   * you demand for yourself, or undefined to accept. An agent that accepts when there is no offer, throws, or demands
   * more than there is walks away, and nobody gets anything.
   */
  offer(offered?: Share): Share | undefined
}

/** Prints for your own team; `console.log` is not shown. */
export type Log = (value: unknown) => void

declare global {
  /** The steps that are left for this answer; every call uses one. Only in a match: a test defines its own. */
  function remaining(): number
}
