import type { Haggler, Log, Share } from './haggle.d.ts'

/**
 * Haggles by the rules and without much thought: it demands all that is worth something to it, and accepts half. How it thinks is
 * in the three methods at the end: begin there.
 */
export default class Agent implements Haggler {
  /** 0: the first turn is mine. */
  readonly me: 0 | 1
  /** How many objects there are of each type. */
  readonly counts: Share
  /** What one object of each type is worth to me; what all of them are worth is the same for both of us. */
  readonly values: readonly number[]
  /** So many turns each of us has at most; after the last one nobody gets anything. */
  readonly maxRounds: number
  readonly log: Log
  /** What has been offered to it, the oldest first. */
  readonly offers: Share[] = []
  /** The number of this turn of its own, from 1. */
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

  /** What a share is worth to me. */
  worth(share: Share): number {
    return share.reduce((sum, count, type) => sum + count * this.values[type]!, 0)
  }

  /** Whether to accept what is offered. */
  isEnough(offered: Share): boolean {
    return this.worth(offered) >= this.worth(this.counts) / 2
  }

  /** What to ask for. */
  demand(): Share {
    return this.counts.map((count, type) => (this.values[type]! > 0 ? count : 0))
  }

  /** How dear an object of each type seems to be to the partner: numbers that can be compared with one another. */
  dear(): readonly number[] {
    return this.counts.map(() => 1)
  }
}
