import { derive, factorize, pairIndex, strengths, substitute, type PairResults, type Prior } from './bradley-terry.ts'
import { tQuantile, upperTail } from './student-t.ts'

/**
 * Theory. Strengths are those of Bradley and Terry. Their uncertainty is that of a quasi-likelihood: the fall of the
 * log-likelihood away from its maximum, divided by the dispersion, is half the square of Student's t. The dispersion is
 * how much units (a match, or a match and its return match) scatter about the model, compared with independent meetings.
 * It is below 1 with ties or if the seat decides, and above 1 if a map decides both matches of a pair. With many units
 * it is taken from the units that matter to an entrant, with fewer from all units, with very few from the model itself;
 * the degrees of freedom say how well it is known. The likelihood follows the asymmetry at 0 and 100 % of wins, where a
 * standard error does not.
 */

/** The results of one unit, or of some that are taken together, as lists of the pairs that met in it. */
export interface UnitResults {
  readonly pairs: Uint32Array
  readonly won: Float64Array
  readonly met: Float64Array
  /** The number of meetings times their variance in comparison with independent ones; see `rankingSpread`. */
  readonly spread: Float64Array
}

/** Quantities in natural logarithms of odds. */
export interface Inference {
  /** Relative to the mean of the active. */
  readonly strength: Float64Array
  /** The 95 % interval of an entrant's strength. */
  interval(entrant: number): readonly [low: number, high: number]
  /**
   * The probability that one is stronger than the other. Without the strengths of the others it would be too sure: of
   * many who are about equal, the first and the last differ by luck.
   */
  superiority(one: number, other: number): number
}

/** Half a win and half a defeat against an average entrant, which keep strengths finite. */
const PRIOR = 0.5
/**
 * The dispersion of the model counts as much as some units against that of all units, and this against that of the units
 * of a single entrant. For Student's t it is known better, because it is nearly the largest that is possible.
 */
const MODEL: Known = { dispersion: 1, units: 3, freedom: 10 }
const CONTEST_UNITS = 8
const CONTEST_FREEDOM = 30
/** The standard deviation of strengths that is expected before any match, and the entrants that it counts as. */
const USUAL_DEVIATION = 0.7
const USUAL_ENTRANTS = 3
const TAIL = 0.025

/**
 * The variance of places in a match of `players` equals, which form one ranking, in comparison with independent
 * meetings of every two: the variance of a uniform place, (k² - 1) / 12, over (k - 1) / 4.
 */
export const rankingSpread = (players: number): number => (players + 1) / 3

/** A unit at the fitted strengths. */
interface FittedUnit {
  readonly results: UnitResults
  /** By pair: meetings won beyond those expected. */
  readonly excess: Float64Array
  /** By pair: the variance of the meetings won that the model expects. */
  readonly variance: Float64Array
  /** By pair: the fourth cumulant of the meetings won, at least 0. */
  readonly tails: Float64Array
  /** The part of its scatter that the fit takes away. */
  readonly leverage: number
}

/** A fitted contest. */
interface Fit {
  readonly entrants: number
  readonly active: readonly boolean[]
  /** The results of all units, by pair. */
  readonly sum: PairResults
  readonly prior: Prior
  readonly strength: Float64Array
  readonly one: Uint32Array
  readonly other: Uint32Array
  /** The Cholesky factor of the likelihood's information. */
  readonly factor: Float64Array
  readonly units: readonly FittedUnit[]
  /** The dispersion of all units. */
  readonly dispersion: Known
}

/** A dispersion; the number of units that it counts as, and its degrees of freedom. */
interface Known {
  readonly dispersion: number
  readonly units: number
  readonly freedom: number
}

/** A direction in which strengths are uncertain. */
interface Contrast {
  /** The change of all strengths, in the most likely way, that changes the quantity by 1. */
  readonly direction: Float64Array
  /** Information about the quantity in the likelihood. */
  readonly information: number
  readonly dispersion: number
  readonly freedom: number
}

/** Fits strengths to the results of units. `active`: those who have met another. */
export function infer(entrants: number, units: readonly UnitResults[], active: readonly boolean[]): Inference {
  const fit = fitted(entrants, units, active)
  const players = active.filter(Boolean).length
  const mean = fit.strength.reduce((sum, each, at) => sum + (active[at] === true ? each : 0), 0) / Math.max(1, players)
  const strength = fit.strength.map((each) => each - mean)
  const fromMean = (entrant: number): Contrast =>
    contrastOf(
      fit,
      Float64Array.from(active, (isActive, at) => (isActive ? Number(at === entrant) - 1 / players : 0)),
    )
  let usual: number | null = null
  /** The variance of strengths in the contest. */
  const varianceOfStrengths = (): number => {
    let excess = 0
    for (const [entrant, isActive] of active.entries()) {
      if (isActive) excess += strength[entrant]! ** 2 - varianceOf(fromMean(entrant))
    }
    return (USUAL_ENTRANTS * USUAL_DEVIATION ** 2 + Math.max(0, excess)) / (USUAL_ENTRANTS + players - 1)
  }
  return {
    strength,
    interval(entrant) {
      const contrast = fromMean(entrant)
      const limit = tQuantile(TAIL, contrast.freedom) ** 2 * contrast.dispersion
      const middle = strength[entrant]!
      return [middle - reach(fit, contrast, -1, limit), middle + reach(fit, contrast, 1, limit)]
    },
    superiority(one, other) {
      const weights = new Float64Array(entrants)
      weights[one] = 1
      weights[other] = -1
      const contrast = contrastOf(fit, weights)
      const difference = fit.strength[one]! - fit.strength[other]!
      const t = Math.sqrt(Math.max(0, 2 * fall(fit, contrast.direction, -difference).value) / contrast.dispersion)
      usual ??= 2 * varianceOfStrengths()
      const shrunk = t * Math.sqrt(usual / (usual + varianceOf(contrast)))
      return 1 - upperTail(Math.sign(difference) * shrunk, contrast.freedom)
    },
  }
}

function fitted(entrants: number, units: readonly UnitResults[], active: readonly boolean[]): Fit {
  const pairs = (entrants * (entrants - 1)) / 2
  const sum = { won: new Float64Array(pairs), met: new Float64Array(pairs) }
  const spread = new Float64Array(pairs)
  for (const unit of units) {
    for (const [at, pair] of unit.pairs.entries()) {
      sum.won[pair]! += unit.won[at]!
      sum.met[pair]! += unit.met[at]!
      spread[pair]! += unit.spread[at]!
    }
  }
  const prior = { won: new Float64Array(entrants).fill(PRIOR), lost: new Float64Array(entrants).fill(PRIOR) }
  const strength = strengths(sum, prior, new Float64Array(entrants), 1e-10)
  const factor = new Float64Array(entrants ** 2)
  derive(sum, prior, strength, new Float64Array(entrants), factor)
  factorize(factor, entrants)
  const [one, other] = [new Uint32Array(pairs), new Uint32Array(pairs)]
  for (let j = 1; j < entrants; j++) for (let i = 0; i < j; i++) [one[pairIndex(i, j)], other[pairIndex(i, j)]] = [i, j]
  const expected = chances(strength, one, other)
  const inverse = inverseOf(entrants, { won: sum.won, met: spread }, prior, strength)
  const all = units.map((results) => fittedUnit(results, expected, inverse, entrants, one, other))
  return {
    entrants,
    active,
    sum,
    prior,
    strength,
    one,
    other,
    factor,
    units: all,
    dispersion: overall(all, one, other),
  }
}

const chances = (strength: Float64Array, one: Uint32Array, other: Uint32Array): Float64Array =>
  Float64Array.from(one, (i, pair) => 1 / (1 + Math.exp(strength[other[pair]!]! - strength[i]!)))

/** The inverse of the information, in full. */
function inverseOf(n: number, results: PairResults, prior: Prior, strength: Float64Array): Float64Array {
  const factor = new Float64Array(n * n)
  derive(results, prior, strength, new Float64Array(n), factor)
  factorize(factor, n)
  const inverse = new Float64Array(n * n)
  for (let column = 0; column < n; column++) {
    const unit = inverse.subarray(column * n, (column + 1) * n)
    unit[column] = 1
    substitute(factor, unit)
  }
  return inverse
}

function fittedUnit(
  results: UnitResults,
  expected: Float64Array,
  inverse: Float64Array,
  n: number,
  one: Uint32Array,
  other: Uint32Array,
): FittedUnit {
  const { pairs, won, met, spread } = results
  const excess = Float64Array.from(pairs, (pair, at) => won[at]! - met[at]! * expected[pair]!)
  const variance = Float64Array.from(pairs, (pair, at) => spread[at]! * expected[pair]! * (1 - expected[pair]!))
  const tails = Float64Array.from(pairs, (pair, at) => {
    const each = expected[pair]! * (1 - expected[pair]!)
    return met[at]! * each * Math.max(0, 1 - 6 * each)
  })
  const players = [...new Set([...pairs].flatMap((pair) => [one[pair]!, other[pair]!]))]
  const places = new Map(players.map((player, place) => [player, place]))
  const m = players.length
  const own = new Float64Array(m * m)
  for (const [at, pair] of pairs.entries()) {
    const [i, j] = [places.get(one[pair]!)!, places.get(other[pair]!)!]
    own[i * m + i]! += variance[at]!
    own[j * m + j]! += variance[at]!
    own[i * m + j]! -= variance[at]!
    own[j * m + i]! -= variance[at]!
  }
  let [trace, taken] = [0, 0]
  for (let i = 0; i < m; i++) {
    trace += own[i * m + i]!
    for (let j = 0; j < m; j++) {
      let square = 0
      for (let k = 0; k < m; k++) square += own[i * m + k]! * own[k * m + j]!
      taken += square * inverse[players[i]! * n + players[j]!]!
    }
  }
  return { results, excess, variance, tails, leverage: trace === 0 ? 0 : Math.min(0.99, taken / trace) }
}

/** The dispersion of all units: the squares of all scores, over their expectation. */
function overall(units: readonly FittedUnit[], one: Uint32Array, other: Uint32Array): Known {
  const scatter = emptyScatter()
  for (const unit of units) {
    const scores = new Map<number, number>()
    for (const [at, pair] of unit.results.pairs.entries()) {
      scores.set(one[pair]!, (scores.get(one[pair]!) ?? 0) + unit.excess[at]!)
      scores.set(other[pair]!, (scores.get(other[pair]!) ?? 0) - unit.excess[at]!)
    }
    const squares = [...scores.values()].reduce((sum, score) => sum + score ** 2, 0)
    const expected = 2 * unit.variance.reduce((sum, each) => sum + each, 0)
    const tails = 4 * unit.tails.reduce((sum, each) => sum + each, 0)
    addScatter(scatter, { seen: squares, expected, tails }, unit.leverage)
  }
  return blended(scatter, MODEL)
}

/** How much units scatter, in comparison with what the model expects. */
interface Scatter {
  seen: number
  expected: number
  /** Expected without what the fit takes away. */
  left: number
  /** Half the variance of what is seen, if units are as the model has them. */
  uncertainty: number
}

const emptyScatter = (): Scatter => ({ seen: 0, expected: 0, left: 0, uncertainty: 0 })

/** Adds a unit. `tails`: the fourth cumulant of its score, as far as it exceeds that of a normal distribution. */
function addScatter(
  scatter: Scatter,
  { seen, expected, tails }: { readonly seen: number; readonly expected: number; readonly tails: number },
  leverage: number,
): void {
  scatter.seen += seen
  scatter.expected += expected
  scatter.left += expected * (1 - leverage)
  scatter.uncertainty += expected ** 2 + tails / 2
}

/**
 * The dispersion that was seen, mixed with another one. If nearly all matches are
 * won by the same, few scatter at all, and hundreds tell as little as a few units of even matches.
 */
function blended({ seen, expected, left, uncertainty }: Scatter, other: Known): Known {
  if (left <= 0) return other
  const own = (expected * left) / uncertainty
  const units = own + other.units
  return {
    dispersion: (own * (seen / left) + other.units * other.dispersion) / units,
    units,
    freedom: own + other.freedom,
  }
}

function contrastOf(fit: Fit, weights: Float64Array): Contrast {
  const { units, one, other, prior, strength } = fit
  const spreadOut = weights.slice()
  substitute(fit.factor, spreadOut)
  const scatter = emptyScatter()
  let model = 0
  for (const { results, excess, variance, tails, leverage } of units) {
    let [score, expected, heavy] = [0, 0, 0]
    for (const [at, pair] of results.pairs.entries()) {
      const change = spreadOut[one[pair]!]! - spreadOut[other[pair]!]!
      score += change * excess[at]!
      expected += change ** 2 * variance[at]!
      heavy += change ** 4 * tails[at]!
    }
    model += expected
    addScatter(scatter, { seen: score ** 2, expected, tails: heavy }, leverage)
  }
  const quantity = weights.reduce((all, weight, at) => all + weight * spreadOut[at]!, 0)
  for (let entrant = 0; entrant < fit.entrants; entrant++) {
    const p = 1 / (1 + Math.exp(-strength[entrant]!))
    model += (prior.won[entrant]! + prior.lost[entrant]!) * p * (1 - p) * spreadOut[entrant]! ** 2
  }
  const { dispersion, freedom } = blended(scatter, {
    dispersion: fit.dispersion.dispersion,
    units: Math.min(CONTEST_UNITS, fit.dispersion.units),
    freedom: Math.min(CONTEST_FREEDOM, fit.dispersion.freedom),
  })
  return {
    direction: spreadOut.map((each) => each / quantity),
    information: 1 / quantity,
    dispersion: (dispersion * model) / quantity,
    freedom,
  }
}

const varianceOf = ({ dispersion, information }: Contrast): number => dispersion / information

/** The fall of the log-likelihood from its maximum to `step` in a direction, and its derivative. */
function fall(fit: Fit, direction: Float64Array, step: number): { readonly value: number; readonly slope: number } {
  const { sum, prior, strength, one, other, entrants } = fit
  let [value, slope] = [0, 0]
  for (let pair = 0; pair < one.length; pair++) {
    const met = sum.met[pair]!
    if (met === 0) continue
    const [i, j] = [one[pair]!, other[pair]!]
    const change = direction[i]! - direction[j]!
    if (change === 0) continue
    const now = strength[i]! - strength[j]!
    const then = now + step * change
    value += met * (softplus(then) - softplus(now)) - sum.won[pair]! * step * change
    slope += (met / (1 + Math.exp(-then)) - sum.won[pair]!) * change
  }
  for (let at = 0; at < entrants; at++) {
    const [up, all] = [prior.won[at]!, prior.won[at]! + prior.lost[at]!]
    const now = strength[at]!
    const then = now + step * direction[at]!
    value += all * (softplus(then) - softplus(now)) - up * step * direction[at]!
    slope += (all / (1 + Math.exp(-then)) - up) * direction[at]!
  }
  return { value, slope }
}

const softplus = (x: number): number => (x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x)))

/** The step at which twice the fall reaches the limit. The fall is convex, so Newton's method finds it. */
function reach(fit: Fit, contrast: Contrast, sign: 1 | -1, limit: number): number {
  let step = Math.sqrt(limit / contrast.information)
  for (let iteration = 0; iteration < 50; iteration++) {
    const { value, slope } = fall(fit, contrast.direction, sign * step)
    const change = (2 * value - limit) / (2 * slope * sign)
    step -= change
    if (Math.abs(change) < 1e-6 * step) break
  }
  return step
}
