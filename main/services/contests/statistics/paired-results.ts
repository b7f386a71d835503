import type { Interval } from '../../../contract/contests/standings.ts'
import { randomStream } from '../../../contract/random.ts'
import { pairIndex, strengths, type PairResults, type Prior } from './bradley-terry.ts'
import { AVERAGE_RATING, POINTS_PER_LOG_ODDS } from './rating-scale.ts'

/** Ratings of entrants by their number, on a scale on which 400 points are odds of 10 to 1 and the average is 1,500. */
export interface Ratings {
  /** `interval` null: the entrant has not played, or there is nobody else. */
  of(entrant: number): { readonly rating: number; readonly interval: Interval | null }
  /** The probability that one entrant is stronger than another, given the results; 0.5 if nothing is known. */
  superiority(one: number, other: number): number
}

/** Collects the results of matches for ratings. The ratings do not depend on the order of the matches. */
export interface PairedResults {
  /**
   * Adds a match. `unit`: matches with equal numbers depend on one another, such as one with swapped seats.
   * `entrants`: with their ranks; every two of them have met.
   */
  add(unit: number, entrants: readonly number[], ranks: readonly number[]): void
  /** Adds a meeting of two. `won`: by the one, from 0 to 1; a tie is one half. */
  meet(unit: number, one: number, other: number, won: number): void
  ratings(): Ratings
}

/** The number of bootstrap samples; fewer for many entrants, because a sample takes the cube of their number. */
const SAMPLES = 1_000
const SAMPLES_MIN = 100
const fullUpTo = 40

/** The maximum number of groups into which units are collected; with fewer units, each is a group of its own. */
const GROUPS_MAX = 1_024
const GROUPS_MIN = 64
/** The maximum number of pairs in all groups together. */
const CELLS_MAX = 2 ** 22

/** Half a win and half a defeat against an average entrant. */
const PRIOR = 0.5

/** A fixed seed: equal results give equal intervals. */
const STREAM = 'b'.repeat(64)

/**
 * Creates an empty collection. Ratings are those of Bradley and Terry, with every match of more than two taken as the
 * meetings of every two of them. Their intervals are of a Bayesian bootstrap (Rubin 1981) over units: all that happens
 * in one match, or in a match and its return match, is weighted together. Therefore intervals hold for more than two
 * players, whose meetings in one match depend on one another, and for swapped seats. The prior is weighted too, so that
 * the interval of an entrant that has won everything is wide on its upper side.
 */
export function createPairedResults(entrants: number): PairedResults {
  const pairs = (entrants * (entrants - 1)) / 2
  const most = Math.min(GROUPS_MAX, Math.max(GROUPS_MIN, Math.floor(CELLS_MAX / Math.max(1, 2 * pairs))))
  const groups = new Map<number, PairResults>()
  let matches = 0
  let kept: { readonly matches: number; readonly ratings: Ratings } | null = null

  const groupOf = (unit: number): PairResults => {
    const number = unit % most
    const known = groups.get(number)
    if (known !== undefined) return known
    const group = { won: new Float64Array(pairs), met: new Float64Array(pairs) }
    groups.set(number, group)
    return group
  }

  const count = ({ won, met }: PairResults, one: number, other: number, share: number): void => {
    const pair = one < other ? pairIndex(one, other) : pairIndex(other, one)
    won[pair]! += one < other ? share : 1 - share
    met[pair]! += 1
  }

  return {
    meet(unit, one, other, won) {
      matches += 1
      count(groupOf(unit), one, other, won)
    },
    add(unit, seated, ranks) {
      matches += 1
      const group = groupOf(unit)
      for (let a = 0; a < seated.length; a++) {
        for (let b = a + 1; b < seated.length; b++) {
          const [one, other] = [seated[a]!, seated[b]!]
          // One entrant may have several seats.
          if (one === other) continue
          count(group, one, other, ranks[a]! < ranks[b]! ? 1 : ranks[a]! === ranks[b]! ? 0.5 : 0)
        }
      }
    },
    ratings() {
      if (kept?.matches !== matches) kept = { matches, ratings: rate(entrants, [...groups].sort(byNumber)) }
      return kept.ratings
    },
  }
}

const byNumber = ([a]: readonly [number, unknown], [b]: readonly [number, unknown]): number => a - b

/** The results of a group as lists of the pairs that met in it. */
interface Sparse {
  readonly pairs: Uint32Array
  readonly won: Float64Array
  readonly met: Float64Array
}

function rate(entrants: number, groups: readonly (readonly [number, PairResults])[]): Ratings {
  const sparse = groups.map(([, group]) => sparseOf(group))
  const all = { won: new Float64Array((entrants * (entrants - 1)) / 2), met: new Float64Array(0) }
  const sum: PairResults = { won: all.won, met: new Float64Array(all.won.length) }
  for (const group of sparse) addWeighted(sum, group, 1)
  const active = playersIn(sum, entrants)
  const usual: Prior = { won: new Float64Array(entrants).fill(PRIOR), lost: new Float64Array(entrants).fill(PRIOR) }
  const estimate = centred(strengths(sum, usual, new Float64Array(entrants), 1e-10), active)
  const samples = bootstrap(entrants, sparse, estimate, active)
  const count = entrants === 0 ? 0 : samples.length / entrants

  return {
    of(entrant) {
      const rating = scaled(estimate[entrant]!)
      if (!active[entrant] || count === 0) return { rating: AVERAGE_RATING, interval: null }
      const drawn = Float64Array.from({ length: count }, (_, sample) => samples[sample * entrants + entrant]!).sort()
      return { rating, interval: [scaled(quantile(drawn, 0.025)), scaled(quantile(drawn, 0.975))] }
    },
    superiority(one, other) {
      if (!active[one] || !active[other]) return 0.5
      let ahead = 0
      for (let sample = 0; sample < count; sample++) {
        const difference = samples[sample * entrants + one]! - samples[sample * entrants + other]!
        ahead += difference > 0 ? 1 : difference === 0 ? 0.5 : 0
      }
      return ahead / count
    },
  }
}

function sparseOf({ won, met }: PairResults): Sparse {
  const pairs = Uint32Array.from([...met.keys()].filter((pair) => met[pair]! > 0))
  return {
    pairs,
    won: Float64Array.from(pairs, (pair) => won[pair]!),
    met: Float64Array.from(pairs, (pair) => met[pair]!),
  }
}

function addWeighted(sum: PairResults, { pairs, won, met }: Sparse, weight: number): void {
  for (let at = 0; at < pairs.length; at++) {
    const pair = pairs[at]!
    sum.won[pair]! += weight * won[at]!
    sum.met[pair]! += weight * met[at]!
  }
}

/** For each entrant, true if it has met another. */
function playersIn({ met }: PairResults, entrants: number): readonly boolean[] {
  return Array.from({ length: entrants }, (_, one) =>
    Array.from({ length: entrants }, (__, other) => other).some(
      (other) => other !== one && met[one < other ? pairIndex(one, other) : pairIndex(other, one)]! > 0,
    ),
  )
}

/** Strengths relative to the mean of those who have played. */
function centred(strength: Float64Array, active: readonly boolean[]): Float64Array {
  let [sum, count] = [0, 0]
  for (const [at, each] of strength.entries()) {
    if (active[at] !== true) continue
    sum += each
    count += 1
  }
  const mean = count === 0 ? 0 : sum / count
  return strength.map((each) => each - mean)
}

/** Strengths of bootstrap samples, one sample after the other. */
function bootstrap(
  entrants: number,
  groups: readonly Sparse[],
  estimate: Float64Array,
  active: readonly boolean[],
): Float64Array {
  if (groups.length === 0) return new Float64Array(0)
  const fewer = Math.floor(SAMPLES * (fullUpTo / Math.max(1, entrants)) ** 3)
  const count = Math.max(SAMPLES_MIN, Math.min(SAMPLES, fewer))
  const samples = new Float64Array(count * entrants)
  const next = randomStream(STREAM)
  const pairs = (entrants * (entrants - 1)) / 2
  const sum: PairResults = { won: new Float64Array(pairs), met: new Float64Array(pairs) }
  const prior: Prior = { won: new Float64Array(entrants), lost: new Float64Array(entrants) }
  for (let sample = 0; sample < count; sample++) {
    sum.won.fill(0)
    sum.met.fill(0)
    for (const group of groups) addWeighted(sum, group, exponential(next))
    for (let entrant = 0; entrant < entrants; entrant++) {
      prior.won[entrant] = halfGamma(next)
      prior.lost[entrant] = halfGamma(next)
    }
    samples.set(centred(strengths(sum, prior, estimate, 1e-3), active), sample * entrants)
  }
  return samples
}

/** A uniform number above 0 and below 1. */
const uniform = (next: () => number): number => (next() + 0.5) / 2 ** 32

/** The weight of an observation in a Bayesian bootstrap. */
const exponential = (next: () => number): number => -Math.log(uniform(next))

/**
 * Draws the weight of half an observation from the gamma distribution with shape one half: half the square of a normal
 * variate.
 */
function halfGamma(next: () => number): number {
  const cosine = Math.cos(2 * Math.PI * uniform(next))
  return exponential(next) * cosine * cosine
}

const scaled = (strength: number): number => AVERAGE_RATING + POINTS_PER_LOG_ODDS * strength

function quantile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1)
  const [below, above] = [Math.floor(at), Math.ceil(at)]
  return sorted[below]! + (sorted[above]! - sorted[below]!) * (at - below)
}
