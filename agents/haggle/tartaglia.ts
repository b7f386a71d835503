import { createBeliefs, expected, type Beliefs } from './knowledge/beliefs.ts'
import { outcomesOf, type Outcomes } from './knowledge/outcomes.ts'
import { createPartner, type Partner, type Said } from './knowledge/partner.ts'
import { bestPlan, type Step } from './knowledge/plan.ts'
import { same, shares, worth, type Log, type Share } from './knowledge/shares.ts'

/** The number of cells in the tables of a turn; in the standard setting there are at most 1,400. */
const CELLS = 60_000
const VALUATIONS = 3_000
/** How far a single demand is believed: partners are not alike, and one that acts oddly does so in every turn. */
const TRUST = 0.6
/** A partner that has made the same demand in this many turns, and no other, is firm. */
const FIRM_AFTER = 3
/** The least likelihood of a demand: any partner may do anything. */
const ODD = 1e-4

/**
 * The reference agent. In every turn it plans all demands that are left, makes the first of them, and accepts an offer
 * that is worth at least what the plan promises.
 *
 * 1. Beliefs (`knowledge/beliefs.ts`). Every valuation that the partner can have (with the same total as mine, but different
 *    values) gets a probability. By Bayes' rule it is multiplied by the likelihood of everything that the partner does.
 * 2. The partner (`knowledge/partner.ts`). Nobody knows who the partner is; the agent knows what partners usually do. They accept
 *    the more often the more they get, hardly ever less than 0.8 of their total before the end, and almost anything when refusing
 *    would leave them nothing, unless they have never moved from their first demand. A partner is more likely to make a
 *    demand that keeps much, wastes nothing on objects that it does not value, leaves me what I asked for, and is better for it than
 *    what it has refused.
 * 3. The plan (`knowledge/plan.ts`). It looks ahead over all demands that are left: a demand is accepted, or refused and
 *    answered by a counter-offer, which is accepted if it is better than the rest of the plan. The values of both branches are averaged over
 *    the valuations. So seat 0, whose last demand is an ultimatum, stays hard until it is made; seat 1, whom the
 *    ultimatum awaits, concedes in its last demand.
 * 4. In the very last turn of seat 1 anything is better than nothing.
 */
export default class Tartaglia {
  readonly #me: number
  readonly #counts: Share
  readonly #values: readonly number[]
  readonly #rounds: number
  readonly #log: Log | undefined
  readonly #beliefs: Beliefs
  readonly #partner: Partner
  #outcomes: Outcomes
  #turn = 0
  #demanded: Share | null = null
  #offered: Share | null = null
  /** The number of turns in which the partner has made its only demand; -1: it has made several. */
  #repeated = 0

  constructor(me: number, counts: Share, values: readonly number[], rounds: number, log?: Log) {
    this.#me = me
    this.#counts = counts
    this.#values = values
    this.#rounds = rounds
    this.#log = log
    const all = shares(counts, values, values)
    const most = Math.min(VALUATIONS, Math.floor(CELLS / all.length))
    this.#beliefs = createBeliefs(counts, values, most, Math.random)
    this.#partner = createPartner(1 - me, counts, worth(counts, values), rounds)
    this.#outcomes = outcomesOf(counts, values, all, this.#beliefs.valuations)
  }

  offer(offered?: Share): Share | undefined {
    const turn = this.#turn++
    if (offered !== undefined) this.#learn(offered, turn - 1 + this.#me)
    const worthNow = offered === undefined ? -1 : worth(offered, this.#values)
    if (this.#me === 1 && turn >= this.#rounds - 1) return worthNow > 0 ? undefined : this.#counts
    const { row, expectation } = this.#plan(turn)
    const demand = this.#outcomes.shares[row]!
    this.#log?.({ turn, offered: worthNow, expectation, demand })
    if (worthNow >= expectation) return undefined
    this.#demanded = demand
    return demand
  }

  /** In its turn `turn` the partner refused what I had demanded, and offered me a share. */
  #learn(offered: Share, turn: number): void {
    this.#list(offered)
    const { valuations } = this.#outcomes
    const said = this.#said()
    const leaves = this.#partner.leaves(turn, this.#outcomes, said)
    const accepts = this.#partner.accepts(turn, this.#outcomes, said)
    const row = this.#row(offered) * valuations
    const refused = this.#demanded === null ? -1 : this.#row(this.#demanded) * valuations
    this.#beliefs.learn((valuation) => {
      const likelihood = (leaves[row + valuation]! + ODD) ** TRUST
      return refused < 0 ? likelihood : likelihood * (1 - accepts[refused + valuation]!)
    })
    const isAnother = this.#offered !== null && !same(this.#offered, offered)
    this.#repeated = isAnother || this.#repeated < 0 ? -1 : this.#repeated + 1
    this.#offered = [...offered]
  }

  #said(): Said {
    return { offered: this.#offered, demanded: this.#demanded, firm: this.#repeated >= FIRM_AFTER }
  }

  /** Plans the demands that are left to me from this turn on. Seat 1 has none in its last turn. */
  #plan(turn: number): ReturnType<typeof bestPlan> {
    const outcomes = this.#outcomes
    const said = this.#said()
    const steps = Array.from({ length: this.#rounds - this.#me - turn }, (_, later): Step => {
      const answering = turn + later + this.#me
      const silent = this.#me === 0 && answering >= this.#rounds - 1
      return {
        accepts: this.#partner.accepts(answering, outcomes, said),
        leaves: silent ? null : this.#partner.leaves(answering, outcomes, said),
      }
    })
    return bestPlan(outcomes, this.#beliefs.chances, steps, (row) =>
      this.#partner.leaves(turn + this.#me, outcomes, { ...said, demanded: outcomes.shares[row]! }),
    )
  }

  #row(share: Share): number {
    return this.#outcomes.shares.findIndex((other) => same(other, share))
  }

  /** If there are too many shares to list all, lists the reasonable ones and those that were named. */
  #list(offered: Share): void {
    if (this.#row(offered) >= 0) return
    const { valuations } = this.#beliefs
    const reasonable = shares(this.#counts, this.#values, expected(this.#beliefs))
    const named = this.#demanded === null ? [offered] : [offered, this.#demanded]
    this.#outcomes = outcomesOf(this.#counts, this.#values, [...reasonable, ...named], valuations)
  }
}
