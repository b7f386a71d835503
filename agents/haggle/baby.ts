import { valued, worth, type Share } from './knowledge/shares.ts'

/** Accepts half; until it is offered that much it demands everything that it values. The challenge's own example. */
export default class Baby {
  readonly #values: readonly number[]
  readonly #demand: Share
  readonly #half: number

  constructor(_me: number, counts: Share, values: readonly number[]) {
    this.#values = values
    this.#demand = valued(counts, values)
    this.#half = worth(counts, values) / 2
  }

  offer(offered?: Share): Share | undefined {
    return offered !== undefined && worth(offered, this.#values) >= this.#half ? undefined : this.#demand
  }
}
