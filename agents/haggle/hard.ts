import { ladder, valued, worth, type Share } from './knowledge/shares.ts'

/** Below this part of everything it neither offers nor takes anything, until the last word is the partner's. */
const FIRM = 0.7

/**
 * Bargains hard: demands everything that it values, lets go of its cheapest objects one a turn, and never of more than leaves
 * it seven tenths. Only when nothing but an answer is left to it does it take what there is.
 */
export default class Hard {
  readonly #values: readonly number[]
  readonly #demands: readonly Share[]
  readonly #firm: number
  /** Its turn after which the partner has none; null: the partner's comes after each of them. */
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
