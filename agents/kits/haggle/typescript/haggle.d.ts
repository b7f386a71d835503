/** What a Haggling agent is told, and what it answers. A share says for each type of object how many somebody gets. */
export type Share = readonly number[]

/** The class that `agent.ts` or `agent.cjs` exports; there is a new object of it for each match. */
export interface Haggler {
  /**
   * It is your turn. `offered` is what the partner leaves you; undefined: nothing has been offered yet. Answer with the share that
   * you demand for yourself, or with undefined to accept. Who accepts nothing, throws or demands what there is not walks away, and
   * nobody gets anything.
   */
  offer(offered?: Share): Share | undefined
}

/** Prints for your own team: `console.log` does not. */
export type Log = (value: unknown) => void
