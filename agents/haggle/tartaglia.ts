import { createBeliefs, type Beliefs } from './knowledge/beliefs.ts'
import { rest, shares, worth, type Log, type Share } from './knowledge/shares.ts'

/** How strongly a partner prefers demands that are worth more to it; later demands are less informative. */
const CANDOUR = 7
const FADING = 0.72

/**
 * The reference agent. In every turn it makes the demand with the best expected value, and accepts offers that are as
 * good.
 *
 * 1. Beliefs. Every valuation that the partner can have (with the same total as mine, but different values) gets a
 *    probability. A demand that leaves me what the partner values is unlikely, the more so the earlier it is made: the
 *    probability is multiplied by exp(-CANDOUR * the part of its total that it leaves). People and programs do not
 *    demand objects that are worth nothing to them: a demand with such objects halves the probability. The refusal of
 *    an offer of mine is evidence as well: the probability is multiplied by that of the refusal.
 * 2. Acceptance. A partner that would get the part x of its total accepts with a probability that grows with x and with
 *    the number of rounds played; when it can only say yes or no, anything above 0 may be enough.
 * 3. Continuation. The value of the session after a refusal falls slowly while there are rounds left, to the little
 *    that the partner's ultimatum would leave me, or to nothing after one of mine. The best demand maximises value *
 *    P(accepted) + continuation * P(refused). It is high at first and concedes what is cheap for me and, as far as
 *    known, valuable to the partner: demands on the Pareto frontier, without computing it.
 * 4. An offer is accepted if it is worth at least that expectation. In the very last turn anything is better than
 *    nothing.
 */
export default class Tartaglia {
  readonly #me: number
  readonly #counts: Share
  readonly #values: readonly number[]
  readonly #total: number
  readonly #rounds: number
  readonly #log: Log | undefined
  readonly #beliefs: Beliefs
  #turn = 0
  #demanded: Share | null = null

  constructor(me: number, counts: Share, values: readonly number[], rounds: number, log?: Log) {
    this.#me = me
    this.#counts = counts
    this.#values = values
    this.#total = worth(counts, values)
    this.#rounds = rounds
    this.#log = log
    this.#beliefs = createBeliefs(counts, values, Math.random)
  }

  offer(offered?: Share): Share | undefined {
    const turn = this.#turn++
    if (offered !== undefined) this.#learn(offered, turn)
    const worthNow = offered === undefined ? -1 : worth(offered, this.#values)
    if (this.#me === 1 && turn >= this.#rounds - 1) return worthNow > 0 ? undefined : this.#counts
    const { demand, expectation } = this.#best(turn)
    this.#log?.({ turn, offered: worthNow, expectation, demand })
    if (worthNow >= expectation) return undefined
    this.#demanded = demand
    return demand
  }

  #learn(offered: Share, turn: number): void {
    const refused = this.#demanded === null ? null : rest(this.#counts, this.#demanded)
    const candour = CANDOUR * FADING ** turn
    this.#beliefs.learn((valuation) => {
      let likelihood = Math.exp((-candour * worth(offered, valuation)) / this.#total)
      if (valuation.some((value, type) => value === 0 && offered[type]! < this.#counts[type]!)) likelihood *= 0.5
      if (refused === null) return likelihood
      return likelihood * (1 - this.#accepts(worth(refused, valuation) / this.#total, turn - 1))
    })
  }

  /** The probability that the partner accepts the part x of its total after this turn of mine. */
  #accepts(x: number, turn: number): number {
    if (x <= 0) return 0
    if (this.#me === 0 && turn >= this.#rounds - 1) return Math.min(0.97, 0.75 + x)
    const content = 0.63 - 0.2 * this.#progress(turn)
    return 0.97 / (1 + Math.exp(-24 * (x - content)))
  }

  /** The expected value of the session, as a part of my total, if my demand of this turn is refused. */
  #continuation(turn: number): number {
    const left = this.#rounds - 1 - turn
    if (this.#me === 0) return left === 0 ? 0 : 0.74 - 0.18 / left
    return left <= 1 ? 0.4 : 0.92 - 0.16 / (left - 1)
  }

  #progress(turn: number): number {
    return Math.min(1, turn / Math.max(1, this.#rounds - 1))
  }

  #best(turn: number): { readonly demand: Share; readonly expectation: number } {
    const continuation = this.#total * this.#continuation(turn)
    const { valuations, chances } = this.#beliefs
    const likely = mean(valuations, chances)
    let best = { demand: this.#counts, expectation: -1 }
    for (const demand of shares(this.#counts, this.#values, likely)) {
      const mine = worth(demand, this.#values)
      if (mine <= Math.max(continuation, best.expectation)) continue
      const left = rest(this.#counts, demand)
      let accepted = 0
      for (let at = 0; at < chances.length; at++) {
        accepted += chances[at]! * this.#accepts(worth(left, valuations[at]!) / this.#total, turn)
      }
      const expectation = continuation + accepted * (mine - continuation)
      if (expectation > best.expectation) best = { demand, expectation }
    }
    return best
  }
}

function mean(valuations: readonly (readonly number[])[], chances: Float64Array): readonly number[] {
  const [first = []] = valuations
  const sums = first.map(() => 0)
  for (const [at, valuation] of valuations.entries()) {
    for (const [type, value] of valuation.entries()) sums[type]! += chances[at]! * value
  }
  return sums
}
