import type { Haggler, Log, Share } from './haggle.d.ts'

/**
 * Plays by the rules with a simple strategy: it demands everything that is worth something to it and accepts half of
 * the total value. The three methods at the end make its decisions: start there.
 */
export default class Agent implements Haggler {
  /** 0: the first turn is mine. */
  readonly me: 0 | 1
  /** The number of objects of each type. */
  readonly counts: Share
  /** The value of one object of each type to me; the total is the same for both of us. */
  readonly values: readonly number[]
  /** The maximum number of turns for each of us; after the last one nobody gets anything. */
  readonly maxRounds: number
  readonly log: Log
  /** The offers so far, oldest first. */
  readonly offers: Share[] = []
  /** The number of its current turn, from 1. */
  turn = 0

  constructor(me: 0 | 1, counts: Share, values: readonly number[], maxRounds: number, log: Log) {
    this.me = me
    this.counts = counts
    this.values = values
    this.maxRounds = maxRounds
    this.log = log
  }

  offer(offered?: Share): Share | undefined {
    this.turn += 1
    if (offered === undefined) return this.demand()
    this.offers.push(offered)
    return this.isEnough(offered) ? undefined : this.demand()
  }

  /** The value of a share to me. */
  worth(share: Share): number {
    return share.reduce((sum, count, type) => sum + count * this.values[type]!, 0)
  }

  /** True if an offer is good enough to accept. */
  isEnough(offered: Share): boolean {
    return this.worth(offered) >= this.worth(this.counts) / 2
  }

  /** The share to demand. */
  demand(): Share {
    return this.counts.map((count, type) => (this.values[type]! > 0 ? count : 0))
  }

  /** The apparent value of an object of each type to the partner; only the proportions matter. */
  dear(): readonly number[] {
    return this.counts.map(() => 1)
  }
}
