import type { Outcomes } from './outcomes.ts'

/** A demand that is still mine to make, and how the partner reacts to it. Tables are by share and valuation. */
export interface Step {
  /** The probability that the partner accepts, if I demand the share. */
  readonly accepts: Float64Array
  /** The probability that it leaves me the share in its counter-offer, whatever I have demanded; null: it has none to make. */
  readonly leaves: Float64Array | null
}

/** How often the plan is revised. More changed nothing that could be measured. */
const REVISIONS = 2
/** The number of demands of which the counter-offers that each would provoke are examined. */
const SHORTLIST = 12

interface Plan {
  /** The row of the share to demand. */
  readonly row: number
  /** The value of the session to me before I demand the share. */
  readonly expectation: number
}

/**
 * Plans all demands that are left and returns the first.
 *
 * A plan has one demand for each step, and the least worth at which I accept the counter-offer to it, which is the expected
 * value of the rest of the plan. For each valuation the value of a plan follows backwards: a refused demand is worth the
 * counter-offer if I accept it, otherwise the next step. Each demand is the one with the highest expected value in view of the
 * demands after it, and of the valuations that are likely if the earlier demands have been refused: a partner that refuses a
 * lot probably does not value it. The first pass assumes nothing about those, the second what the first has planned.
 *
 * The first demand is examined once more. Partners hear what I demand, so their counter-offers depend on it: `replies` has
 * the table of counter-offers for the row that I demand.
 */
export function bestPlan(
  outcomes: Outcomes,
  chances: Float64Array,
  steps: readonly Step[],
  replies: (row: number) => Float64Array | null,
): Plan {
  const { valuations, mine } = outcomes
  /** By step: the probability of each valuation, multiplied by that of coming so far. */
  const reached = steps.map(() => chances)
  let plan: Plan = { row: 0, expectation: 0 }
  for (let revision = 1; revision <= REVISIONS; revision++) {
    const goesOn: Float64Array[] = []
    /** By valuation: the value of what comes after the step; in my very last turn only an acceptance, of 1 at least. */
    let after = new Float64Array(valuations)
    let least = 1
    for (let at = steps.length - 1; at >= 0; at--) {
      const { accepts, leaves } = steps[at]!
      const weights = reached[at]!
      const refusal = afterRefusal(outcomes, leaves, least, after)
      const ranking = ranked(outcomes, accepts, refusal.value, weights)
      plan = ranking[0]!
      if (at === 0 && revision === REVISIONS && leaves !== null) {
        const examined = ranking.slice(0, SHORTLIST).map(({ row }) => {
          const { value } = afterRefusal(outcomes, replies(row), least, after)
          return { row, expectation: expectation(outcomes, accepts, value, weights, row) }
        })
        plan = examined.reduce((best, other) => (other.expectation > best.expectation ? other : best))
      }
      const { row } = plan
      const accepted = accepts.subarray(row * valuations, (row + 1) * valuations)
      after = accepted.map((chance, v) => chance * mine[row]! + (1 - chance) * refusal.value[v]!)
      goesOn[at] = accepted.map((chance, v) => (1 - chance) * (1 - refusal.taken[v]!))
      least = plan.expectation
    }
    for (let at = 0; at + 1 < steps.length; at++) {
      reached[at + 1] = reached[at]!.map((weight, v) => weight * goesOn[at]![v]!)
    }
  }
  return plan
}

/**
 * By valuation: the value of a refusal, and the probability that it ends the session because the counter-offer is worth
 * `least` to me; `after`: the value of going on.
 */
function afterRefusal(
  { mine, valuations }: Outcomes,
  leaves: Float64Array | null,
  least: number,
  after: Float64Array,
): { readonly value: Float64Array; readonly taken: Float64Array } {
  const taken = new Float64Array(valuations)
  const value = new Float64Array(valuations)
  if (leaves !== null) {
    for (const [row, dollars] of mine.entries()) {
      if (dollars === 0 || dollars < least) continue
      for (let v = 0, cell = row * valuations; v < valuations; v++, cell++) {
        taken[v]! += leaves[cell]!
        value[v]! += leaves[cell]! * dollars
      }
    }
  }
  for (let v = 0; v < valuations; v++) value[v]! += (1 - taken[v]!) * after[v]!
  return { value, taken }
}

/** The shares that are worth something to me, the best to demand first; `refused`: by valuation, the value of a refusal. */
function ranked(
  outcomes: Outcomes,
  accepts: Float64Array,
  refused: Float64Array,
  weights: Float64Array,
): readonly Plan[] {
  const { mine } = outcomes
  const plans: Plan[] = []
  for (let row = 0; row < mine.length; row++) {
    if (mine[row]! > 0) plans.push({ row, expectation: expectation(outcomes, accepts, refused, weights, row) })
  }
  return plans.sort((a, b) => b.expectation - a.expectation || mine[b.row]! - mine[a.row]!)
}

/** The expected value of demanding the share of a row. */
function expectation(
  { mine, valuations }: Outcomes,
  accepts: Float64Array,
  refused: Float64Array,
  weights: Float64Array,
  row: number,
): number {
  let sum = 0
  let weight = 0
  for (let v = 0, cell = row * valuations; v < valuations; v++, cell++) {
    sum += weights[v]! * (accepts[cell]! * mine[row]! + (1 - accepts[cell]!) * refused[v]!)
    weight += weights[v]!
  }
  return weight > 0 ? sum / weight : 0
}
