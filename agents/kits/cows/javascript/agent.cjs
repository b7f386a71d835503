'use strict'
/** @import { Action, Perception, Place, Start } from './cows.d.ts' */

/** A cow, and the step in which it was seen. @typedef {Place & { readonly name: string, readonly step: number }} Cow */

/** By the change of x and of y. @type {Map<string, Action>} */
const moves = new Map([
  ['0 -1', 'north'],
  ['1 -1', 'northeast'],
  ['1 0', 'east'],
  ['1 1', 'southeast'],
  ['0 1', 'south'],
  ['-1 1', 'southwest'],
  ['-1 0', 'west'],
  ['-1 -1', 'northwest'],
])

/**
 * A team whose herders walk about. One object plays all of them, so each knows what the others have seen. Where a herder wants to
 * go is in the methods at the end: begin there.
 */
class Herders {
  /** Cows that somebody has seen lately, by their names. @type {Map<string, Cow>} */
  cows = new Map()
  /** The cow that each herder drives. @type {Map<number, Cow>} */
  chosen = new Map()

  /**
   * @param {number} body
   * @param {Perception} perception
   * @param {Start} start
   * @returns {Action}
   */
  act(body, perception, start) {
    this.look(perception)
    return this.walk(perception, this.goal(body, perception, start))
  }

  /** Remembers the cows that a herder sees, and forgets those that are not where they were. @param {Perception} perception */
  look({ step, x, y, cells }) {
    const seen = new Set()
    for (const cell of cells) if (!cell.unknown) seen.add(`${x + cell.x} ${y + cell.y}`)
    for (const cow of this.cows.values()) {
      if (seen.has(`${cow.x} ${cow.y}`) || step - cow.step > 30) this.cows.delete(cow.name)
    }
    for (const { cow: name, ...cell } of cells) {
      if (name !== undefined) this.cows.set(name, { name, step, x: x + cell.x, y: y + cell.y })
    }
  }

  /**
   * The move to the free cell that is best on the way to a goal, the first of several.
   * @param {Perception} perception
   * @param {Place} goal
   * @returns {Action}
   */
  walk({ x, y, cells }, goal) {
    /** @type {Action} */
    let best = 'skip'
    let most = -Infinity
    if (x === goal.x && y === goal.y) return best
    for (const cell of cells) {
      const move = moves.get(`${cell.x} ${cell.y}`)
      const isFree = cell.cow === undefined && cell.agent === undefined && !cell.obstacle
      if (move === undefined || !isFree) continue
      const worth = this.worth({ x: x + cell.x, y: y + cell.y }, goal)
      if (worth <= most) continue
      best = move
      most = worth
    }
    return best
  }

  /** How far apart two places are, as the crow flies. @param {Place} a @param {Place} b */
  distance(a, b) {
    return Math.sqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2)
  }

  /** The middle of the corral. @param {Start} start @returns {Place} */
  home({ corral }) {
    return { x: (corral.x0 + corral.x1) / 2, y: (corral.y0 + corral.y1) / 2 }
  }

  /**
   * The place beyond a cow, seen from home, at a distance.
   * @param {Place} cow
   * @param {Place} home
   * @param {number} distance
   * @returns {Place}
   */
  beyond(cow, home, distance) {
    const length = this.distance(cow, home)
    /** @type {(a: number, b: number) => number} */
    const along = (a, b) => Math.floor(a + ((a - b) * distance) / length + 0.5)
    return { x: along(cow.x, home.x), y: along(cow.y, home.y) }
  }

  /**
   * Somewhere: another place every 20 steps, and for each herder.
   * @param {number} body
   * @param {number} step
   * @param {Start} start
   * @returns {Place}
   */
  somewhere(body, step, { width, height }) {
    const number = 7 * body + Math.floor(step / 20)
    return { x: (13 * number) % width, y: (29 * number) % height }
  }

  /** How much a herder likes a place on the way to its goal. @param {Place} place @param {Place} goal */
  worth(place, goal) {
    return -this.distance(place, goal)
  }

  /**
   * The cow that a herder drives.
   * @param {number} body
   * @param {Place} me
   * @param {Start} start
   * @returns {Cow | undefined}
   */
  choose(body, me, start) {
    const home = this.home(start)
    let best
    let least = Infinity
    for (const cow of this.cows.values()) {
      const way = this.distance(me, cow) + this.distance(cow, home)
      if (way >= least) continue
      best = cow
      least = way
    }
    if (best === undefined) this.chosen.delete(body)
    else this.chosen.set(body, best)
    return best
  }

  /**
   * Where a herder wants to be.
   * @param {number} body
   * @param {Perception} perception
   * @param {Start} start
   * @returns {Place}
   */
  goal(body, perception, start) {
    return this.somewhere(body, perception.step, start)
  }
}

module.exports = new Herders()
