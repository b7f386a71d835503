import { ladder, valued, worth, type Share } from './knowledge/shares.ts'

/** It neither demands nor accepts less than this share of the total, until the partner has the last word. */
const FIRM = 0.7

/**
 * Bargains hard: demands everything that it values and gives up its cheapest objects, one per turn, but keeps at least
 * seven tenths. Only when it has no demand left to make does it accept any offer.
 */
export default class Hard {
  readonly #values: readonly number[]
  readonly #demands: readonly Share[]
  readonly #firm: number
  /** Its turn after which the partner has none; null: the partner has a turn after each of its own. */
  readonly #lastTurn: number | null
  #turn = 0

  constructor(me: number, counts: Share, values: readonly number[], rounds: number) {
    this.#values = values
    this.#firm = FIRM * worth(counts, values)
    const all = valued(counts, values)
    this.#demands = ladder(
      all,
      values,
      counts.map(() => 1),
    ).filter((share) => worth(share, values) >= this.#firm)
    this.#lastTurn = me === 1 ? rounds - 1 : null
  }

  offer(offered?: Share): Share | undefined {
    const least = this.#turn === this.#lastTurn ? 1 : this.#firm
    if (offered !== undefined && worth(offered, this.#values) >= least) return undefined
    return this.#demands[Math.min(this.#turn++, this.#demands.length - 1)]
  }
}
