import { rate, rating, type Rating } from 'openskill'
import type { MatchNumber } from '../../../contract/ids.ts'
import { type Ratings, AVERAGE_RATING, POINTS_PER_LOG_ODDS } from './paired-results.ts'

/** Ratings that are updated match by match, in the order of their numbers. */
export interface RatedInOrder {
  /** Adds a match; matches may be added in any order. */
  add(match: MatchNumber, entrants: readonly number[], ranks: readonly number[]): void
  /** A match that will not be added. */
  skip(match: MatchNumber): void
  ratings(): Ratings
}

interface Result {
  readonly entrants: readonly number[]
  readonly ranks: readonly number[]
}

/** The average and its uncertainty, with which an entrant begins, and how much a performance varies (OpenSkill's own). */
const start = { mu: 25, sigma: 25 / 3 }
const BETA = start.sigma / 2
/** 1.96 standard deviations on either side are 95 %. */
const Z = 1.96
/** In the model the difference of two performances has the scale of a logistic distribution. */
const POINTS_PER_MU = POINTS_PER_LOG_ODDS / (Math.SQRT2 * BETA)

/**
 * Creates OpenSkill ratings (Weng and Lin 2011, Plackett-Luce) of `entrants`, on the scale of the other ratings.
 * Results of matches whose turn has not come are kept until it does, so that the order of arrival does not matter.
 */
export function createRatedInOrder(entrants: number): RatedInOrder {
  const current = Array.from({ length: entrants }, () => rating(start))
  const played = new Set<number>()
  /** Results that wait for earlier matches; null: skipped. */
  const waiting = new Map<MatchNumber, Result | null>()
  let next: MatchNumber = 0

  const proceed = (): void => {
    for (let result = waiting.get(next); result !== undefined; result = waiting.get(next)) {
      waiting.delete(next++)
      if (result !== null) apply(current, result)
    }
  }

  return {
    add(match, seated, ranks) {
      for (const entrant of seated) played.add(entrant)
      waiting.set(match, { entrants: seated, ranks })
      proceed()
    },
    skip(match) {
      if (match < next || waiting.has(match)) return
      waiting.set(match, null)
      proceed()
    },
    ratings() {
      const now = [...current]
      const rest = [...waiting].sort(([a], [b]) => a - b)
      for (const [, result] of rest) if (result !== null) apply(now, result)
      return {
        of(entrant) {
          const { mu, sigma } = now[entrant]!
          if (!played.has(entrant)) return { rating: AVERAGE_RATING, interval: null }
          return { rating: scaled(mu), interval: [scaled(mu - Z * sigma), scaled(mu + Z * sigma)] }
        },
        superiority(one, other) {
          if (!played.has(one) || !played.has(other)) return null
          const spread = Math.hypot(now[one]!.sigma, now[other]!.sigma)
          return normalDistribution((now[one]!.mu - now[other]!.mu) / spread)
        },
      }
    },
  }
}

function apply(ratings: Rating[], { entrants, ranks }: Result): void {
  if (new Set(entrants).size < 2) return
  // An entrant with several seats is one team.
  const teams = [...new Set(entrants)]
  const best = teams.map((entrant) => Math.min(...ranks.filter((_, at) => entrants[at] === entrant)))
  const rated = rate(
    teams.map((entrant) => [ratings[entrant]!]),
    { rank: best },
  )
  for (const [at, entrant] of teams.entries()) ratings[entrant] = rated[at]![0]!
}

const scaled = (mu: number): number => AVERAGE_RATING + POINTS_PER_MU * (mu - start.mu)

/** The normal distribution function, to about 1e-7 (Abramowitz and Stegun 26.2.17). */
function normalDistribution(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x))
  const tail = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153].reduce(
    (sum, coefficient) => t * (coefficient + sum),
    0,
  )
  const upper = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * tail
  return x >= 0 ? 1 - upper : upper
}
