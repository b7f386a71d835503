'use strict'
/** @import { Log, Share } from './haggle.d.ts' */

/**
 * Haggles by the rules and without much thought: it demands all that is worth something to it, and accepts half. How it thinks is
 * in the three methods at the end: begin there.
 */
module.exports = class Agent {
  /** 0: the first turn is mine. */
  me
  /** How many objects there are of each type. */
  counts
  /** What one object of each type is worth to me; what all of them are worth is the same for both of us. */
  values
  /** So many turns each of us has at most; after the last one nobody gets anything. */
  maxRounds
  log
  /**
   * What has been offered to it, the oldest first.
   * @type {Share[]}
   */
  offers = []
  /** The number of this turn of its own, from 1. */
  turn = 0

  /**
   * @param {0 | 1} me
   * @param {Share} counts
   * @param {readonly number[]} values
   * @param {number} maxRounds
   * @param {Log} log
   */
  constructor(me, counts, values, maxRounds, log) {
    this.me = me
    this.counts = counts
    this.values = values
    this.maxRounds = maxRounds
    this.log = log
  }

  /**
   * @param {Share} [offered]
   * @returns {Share | undefined}
   */
  offer(offered) {
    this.turn += 1
    if (offered === undefined) return this.demand()
    this.offers.push(offered)
    return this.isEnough(offered) ? undefined : this.demand()
  }

  /** What a share is worth to me. @param {Share} share */
  worth(share) {
    return share.reduce((sum, count, type) => sum + count * this.values[type], 0)
  }

  /** Whether to accept what is offered. @param {Share} offered */
  isEnough(offered) {
    return this.worth(offered) >= this.worth(this.counts) / 2
  }

  /** What to ask for. @returns {Share} */
  demand() {
    return this.counts.map((count, type) => (this.values[type] > 0 ? count : 0))
  }

  /** How dear an object of each type seems to be to the partner: numbers that can be compared with one another. */
  dear() {
    return this.counts.map(() => 1)
  }
}
