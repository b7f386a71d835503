import type { Outcomes } from './outcomes.ts'

/** A demand that is still mine to make, and how the partner reacts to it. */
export interface Step {
  /** By worth to the partner, in dollars: the probability that it accepts. */
  readonly accepts: Float64Array
  /** By share and valuation: the probability that it leaves me the share in its counter-offer; null: it has none to make. */
  readonly leaves: Float64Array | null
}

/** How often the plan is revised. More changed nothing that could be measured. */
const REVISIONS = 2

/**
 * Plans all demands that are left and returns the first: the row of the share that is best to demand, and what the session is
 * worth to me before I demand it.
 *
 * A plan has one demand for each step, and the least worth at which I accept a counter-offer after it, which is the expected
 * value of the rest of the plan. For each valuation the value of a plan follows backwards: a refused demand is worth the
 * counter-offer if I accept it, otherwise the next step. Each demand is the one with the highest expected value in view of the
 * demands after it, and of the valuations that are likely if the earlier demands have been refused: a partner that refuses a
 * lot probably does not value it. The first pass assumes nothing about those, the second what the first has planned.
 */
export function bestPlan(
  outcomes: Outcomes,
  chances: Float64Array,
  steps: readonly Step[],
): { readonly row: number; readonly expectation: number } {
  const { valuations, theirs, mine } = outcomes
  /** By step: the probability of each valuation, multiplied by that of coming so far. */
  const reached = steps.map(() => chances)
  let first = { row: 0, expectation: 0 }
  for (let revision = 0; revision < REVISIONS; revision++) {
    const ends: Float64Array[] = []
    /** By valuation: the value of what comes after the step. In the very last turn of seat 1, nothing. */
    let after = new Float64Array(valuations)
    let least = 1
    for (let at = steps.length - 1; at >= 0; at--) {
      const { accepts, leaves } = steps[at]!
      const counter = leaves === null ? null : counterOffers(outcomes, leaves, least)
      const refused = after.map((value, v) =>
        counter === null ? value : counter.value[v]! + (1 - counter.taken[v]!) * value,
      )
      const weights = reached[at]!
      const row = bestRow(outcomes, accepts, refused, weights)
      const value = new Float64Array(valuations)
      const end = new Float64Array(valuations)
      let sum = 0
      let weight = 0
      for (let v = 0; v < valuations; v++) {
        const accepted = accepts[theirs[row * valuations + v]!]!
        value[v] = accepted * mine[row]! + (1 - accepted) * refused[v]!
        end[v] = 1 - (1 - accepted) * (1 - (counter?.taken[v] ?? 0))
        sum += weights[v]! * value[v]!
        weight += weights[v]!
      }
      ends[at] = end
      after = value
      least = weight > 0 ? sum / weight : 0
      first = { row, expectation: least }
    }
    for (let at = 0; at + 1 < steps.length; at++)
      reached[at + 1] = reached[at]!.map((weight, v) => weight * (1 - ends[at]![v]!))
  }
  return first
}

/** By valuation: the probability that the partner's counter-offer is worth at least `least` to me, and its value in that case. */
function counterOffers(
  { mine, valuations }: Outcomes,
  leaves: Float64Array,
  least: number,
): { readonly taken: Float64Array; readonly value: Float64Array } {
  const taken = new Float64Array(valuations)
  const value = new Float64Array(valuations)
  for (const [row, dollars] of mine.entries()) {
    if (dollars === 0 || dollars < least) continue
    for (let v = 0; v < valuations; v++) {
      const chance = leaves[row * valuations + v]!
      taken[v]! += chance
      value[v]! += chance * dollars
    }
  }
  return { taken, value }
}

/** The row of the share with the highest expected value; `refused`: by valuation, what a refusal is worth. */
function bestRow(
  { mine, theirs, valuations }: Outcomes,
  accepts: Float64Array,
  refused: Float64Array,
  weights: Float64Array,
): number {
  let best = 0
  let most = -Infinity
  for (const [row, dollars] of mine.entries()) {
    if (dollars === 0) continue
    let gain = 0
    for (let v = 0, cell = row * valuations; v < valuations; v++, cell++) {
      gain += weights[v]! * accepts[theirs[cell]!]! * (dollars - refused[v]!)
    }
    if (gain > most || (gain === most && dollars > mine[best]!)) {
      most = gain
      best = row
    }
  }
  return best
}
