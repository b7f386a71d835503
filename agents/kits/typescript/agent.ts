import type { Action, Answer, Constraint, Instance, Offer, Start, Turn } from './specker.d.ts'

/** Plays max-csp by the rules and otherwise at random. What it does badly is in the four methods at the end: begin there. */
export default class Agent {
  readonly #start: Start
  /** Random numbers of its own: equal matches give equal answers, so that saved moves are test cases. */
  #state: number

  constructor(start: Start) {
    this.#start = start
    this.#state = start.me + 1
  }

  turn(view: Turn): Answer {
    // Rule 4: what is owed comes first.
    const owed: Action[] = [
      ...view.toDeliver.map(({ challenge, predicate }): Action => {
        return { type: 'deliver', challenge, instance: this.rawMaterial(predicate.relations) }
      }),
      ...view.toSolve.map(({ challenge, instance }): Action => {
        return { type: 'solve', challenge, solution: { values: this.solve(instance) } }
      }),
    ]
    return { actions: view.trading ? [...owed, ...this.#trade(view)] : owed }
  }

  /** Rules 2 and 3: buys one challenge or lowers what all others offer, and offers something that nobody does. */
  #trade({ store, account }: Turn): readonly Action[] {
    const actions: Action[] = []
    const { me, config } = this.#start
    const others = store.filter(({ seller }) => seller !== me)
    const liked = others.find((offer) => offer.price < account && this.isWorth(offer))
    if (liked !== undefined) actions.push({ type: 'accept', challenge: liked.challenge })
    else {
      for (const { challenge, price } of others) {
        actions.push({ type: 'reoffer', challenge, price: Math.max(0, price - config.mindec) })
      }
    }
    const taken = new Set(store.map(({ predicate }) => predicate.relations.join()))
    for (let made = 0; made < Math.max(1, config.offersMin);) {
      const { relation, price } = this.idea()
      if (taken.has(String(relation))) continue
      taken.add(String(relation))
      actions.push({ type: 'offer', predicate: { relations: [relation] }, price })
      made += 1
    }
    return actions
  }

  /** A whole number from 0 to `below` - 1. */
  #random(below: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0
    return Math.floor((this.#state / 2 ** 32) * below)
  }

  /** Whether to buy it. */
  isWorth({ price }: Offer): boolean {
    return price === 0 || this.#random(2) === 1
  }

  /** What to sell, and for how much. */
  idea(): { readonly relation: number; readonly price: number } {
    return { relation: this.#random(256), price: this.#random(1_000_000_001) }
  }

  /** What to deliver: the harder, the better. */
  rawMaterial(relations: readonly number[]): Instance {
    const constraints = relations.map((relation): Constraint => ({ weight: 1, relation, variables: [1, 2, 3] }))
    return { variables: 3, constraints }
  }

  /** A value for each variable: the more weight is met, the better. */
  solve({ variables }: Instance): readonly number[] {
    return Array.from({ length: variables }, () => this.#random(2))
  }
}
