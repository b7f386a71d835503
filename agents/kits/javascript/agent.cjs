'use strict'
/** @import { Start, Turn, Answer, Action, Instance, Offer } from './specker.d.ts' */

/** Plays max-csp by the rules and otherwise at random. What it does badly is in the four methods at the end: begin there. */
module.exports = class Agent {
  /** @param {Start} start */
  constructor(start) {
    this.start = start
    // Random numbers of its own: equal matches give equal answers, so that saved moves are test cases.
    this.state = start.me + 1
  }

  /**
   * @param {Turn} view
   * @returns {Answer}
   */
  turn(view) {
    /** @type {Action[]} */
    const actions = []
    // Rule 4: what is owed comes first.
    for (const { challenge, predicate } of view.toDeliver) {
      actions.push({ type: 'deliver', challenge, instance: this.rawMaterial(predicate.relations) })
    }
    for (const { challenge, instance } of view.toSolve) {
      actions.push({ type: 'solve', challenge, solution: { values: this.solve(instance) } })
    }
    if (view.trading) actions.push(...this.trade(view))
    return { actions }
  }

  /**
   * Rules 2 and 3: buys one challenge or lowers what all others offer, and offers something that nobody does.
   * @param {Turn} view
   */
  trade(view) {
    /** @type {Action[]} */
    const actions = []
    const { me, config } = this.start
    const others = view.store.filter(({ seller }) => seller !== me)
    const liked = others.find((offer) => offer.price < view.account && this.isWorth(offer))
    if (liked !== undefined) actions.push({ type: 'accept', challenge: liked.challenge })
    else {
      for (const { challenge, price } of others) {
        actions.push({ type: 'reoffer', challenge, price: Math.max(0, price - config.mindec) })
      }
    }
    const taken = new Set(view.store.map(({ predicate }) => predicate.relations.join()))
    for (let made = 0; made < Math.max(1, config.offersMin);) {
      const { relation, price } = this.idea()
      if (taken.has(String(relation))) continue
      taken.add(String(relation))
      actions.push({ type: 'offer', predicate: { relations: [relation] }, price })
      made += 1
    }
    return actions
  }

  /** A whole number from 0 to `below` - 1. @param {number} below */
  random(below) {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0
    return Math.floor((this.state / 2 ** 32) * below)
  }

  /** Whether to buy it. @param {Offer} offer */
  isWorth(offer) {
    return offer.price === 0 || this.random(2) === 1
  }

  /** What to sell, and for how much. */
  idea() {
    return { relation: this.random(256), price: this.random(1_000_000_001) }
  }

  /**
   * What to deliver: the harder, the better.
   * @param {readonly number[]} relations
   * @returns {Instance}
   */
  rawMaterial(relations) {
    return { variables: 3, constraints: relations.map((relation) => ({ weight: 1, relation, variables: [1, 2, 3] })) }
  }

  /**
   * A value for each variable: the more weight is met, the better.
   * @param {Instance} instance
   */
  solve({ variables }) {
    return Array.from({ length: variables }, () => this.random(2))
  }
}
