import { rest, shares, valued, worth, type Share } from './knowledge/shares.ts'

/** The share of the total that it accepts in its last turn. */
const LEAST = 0.4

/**
 * Demands everything that it values at first, then less and less in even steps, and accepts what is as good as its next
 * demand would be. It ignores the partner's wishes: of the demands that are good enough it makes the one that leaves
 * most objects.
 */
export default class Conceder {
  readonly #counts: Share
  readonly #values: readonly number[]
  readonly #total: number
  readonly #rounds: number
  readonly #shares: readonly Share[]
  #turn = 0

  constructor(_me: number, counts: Share, values: readonly number[], rounds: number) {
    this.#counts = counts
    this.#values = values
    this.#total = worth(counts, values)
    this.#rounds = rounds
    this.#shares = shares(
      counts,
      values,
      counts.map(() => 1),
    )
  }

  offer(offered?: Share): Share | undefined {
    const progress = Math.min(1, this.#turn++ / Math.max(1, this.#rounds - 1))
    const content = this.#total * (1 - (1 - LEAST) * progress)
    if (offered !== undefined && worth(offered, this.#values) >= content) return undefined
    const objects = (share: Share): number => rest(this.#counts, share).reduce((sum, count) => sum + count, 0)
    let best = valued(this.#counts, this.#values)
    for (const share of this.#shares) {
      if (worth(share, this.#values) >= content && objects(share) > objects(best)) best = share
    }
    return best
  }
}
