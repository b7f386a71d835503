'use strict'
/** @import { Move, River, RiverMap, Settings } from './punter.d.ts' */

/**
 * Claims rivers by the rules and without much thought: the first one that nobody has. How much it likes a river is in the method
 * at the end: begin there.
 */
module.exports = class Agent {
  /** My number. */
  punter = 0
  /** @type {readonly number[]} */
  mines = []
  /** Rivers that nobody has. @type {River[]} */
  free = []
  /** My own. @type {River[]} */
  own = []
  /** By mine: how many rivers lie between it and each site. @type {Map<number, Map<number, number>>} */
  distances = new Map()

  /**
   * @param {RiverMap} map
   * @param {Settings} settings
   */
  setup(map, settings) {
    this.punter = settings.punter
    this.mines = map.mines
    this.free = [...map.rivers]
    for (const mine of map.mines) this.distances.set(mine, this.reach(mine, map.rivers))
  }

  /**
   * @param {readonly Move[]} moves
   * @returns {Move}
   */
  move(moves) {
    for (const move of moves) if ('claim' in move) this.hear(move.claim)
    const river = this.choose()
    if (river === undefined) return { pass: { punter: this.punter } }
    return { claim: { punter: this.punter, source: river.source, target: river.target } }
  }

  /** Somebody has claimed a river. @param {River & { readonly punter: number }} claim */
  hear({ punter, source, target }) {
    const isIt = this.isBetween(source, target)
    if (punter === this.punter) this.own.push({ source, target })
    this.free = this.free.filter((river) => !isIt(river))
  }

  /**
   * @param {number} a
   * @param {number} b
   * @returns {(river: River) => boolean}
   */
  isBetween(a, b) {
    return ({ source, target }) => (source === a && target === b) || (source === b && target === a)
  }

  /**
   * The sites that one gets to from a site over some rivers, each with the number of rivers that it takes.
   * @param {number} from
   * @param {readonly River[]} rivers
   * @returns {Map<number, number>}
   */
  reach(from, rivers) {
    const found = new Map([[from, 0]])
    for (const [site, distance] of found) {
      for (const { source, target } of rivers) {
        if (source === site && !found.has(target)) found.set(target, distance + 1)
        if (target === site && !found.has(source)) found.set(source, distance + 1)
      }
    }
    return found
  }

  /** The free river that I like best, the first of several. @returns {River | undefined} */
  choose() {
    let best
    let most = -1
    for (const river of this.free) {
      const worth = this.worth(river)
      if (worth <= most) continue
      best = river
      most = worth
    }
    return best
  }

  /** How much I like a free river: 0 or more. @param {River} river */
  worth(river) {
    return this.free.includes(river) ? 1 : 0
  }
}
