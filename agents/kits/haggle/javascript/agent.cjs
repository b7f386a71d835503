'use strict'
/** @import { Log, Share } from './haggle.d.ts' */

/**
 * Plays by the rules with a simple strategy: it demands everything that is worth something to it and accepts half of
 * the total value. The three methods at the end make its decisions: start there.
 */
module.exports = class Agent {
  /** 0: the first turn is mine. */
  me
  /** The number of objects of each type. */
  counts
  /** The value of one object of each type to me; the total is the same for both of us. */
  values
  /** The maximum number of turns for each of us; after the last one nobody gets anything. */
  maxRounds
  log
  /**
   * The offers so far, oldest first.
   * @type {Share[]}
   */
  offers = []
  /** The number of its current turn, from 1. */
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

  /** The value of a share to me. @param {Share} share */
  worth(share) {
    return share.reduce((sum, count, type) => sum + count * this.values[type], 0)
  }

  /** Whether to accept an offer. @param {Share} offered */
  isEnough(offered) {
    return this.worth(offered) >= this.worth(this.counts) / 2
  }

  /** What to demand. @returns {Share} */
  demand() {
    return this.counts.map((count, type) => (this.values[type] > 0 ? count : 0))
  }

  /** How valuable an object of each type seems to be to the partner; only the proportions matter. */
  dear() {
    return this.counts.map(() => 1)
  }
}
