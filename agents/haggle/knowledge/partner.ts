import type { Outcomes } from './outcomes.ts'
import { same, type Share } from './shares.ts'

/**
 * How partners act. The constants are rounded fits to sessions against three dozen agents of the kinds that met in 2018;
 * `docs/games/haggle.md` says how they were found. A worth is a part of the partner's total.
 */

/** Its content: the worth that it accepts in half of the cases. By the number of ordinary answers left to it after this one. */
const CONTENT = [0.705, 0.875, 0.9, 0.885]
/** How sharply acceptance rises around the content: a partner that gets 0.1 more accepts 2.5 times as often. */
const SHARPNESS = 9
/** A partner that has conceded something already is softer, the more it has conceded beyond this part of its total. */
const SOFT = 0.85
const SOFTNESS = 4
/** In its last turn seat 1 can only take what it is given: most accept anything, some insist on a fair part. */
const RESIGNED = 0.88
const RESIGNED_SLOPE = 0.6
/** Partners that have made the same demand in every turn insist on half more often: they are firm. */
const FIRM_RESIGNED = 0.4
const FIRM_RESIGNED_SLOPE = 1.2
/** Nobody accepts with certainty, so that no valuation is ever ruled out. */
const SURE = 0.995

/** A demand is the more likely the more it keeps, up to an aspiration that falls from everything to about two thirds ... */
const GREED = 10
const FIRST_ASPIRATION = 1
const LAST_ASPIRATION = 0.7
/** ... and in the ultimatum of seat 0 to half. */
const ULTIMATUM_ASPIRATION = 0.5
/** Demands beyond the aspiration become slightly less likely. */
const EXCESS = 1
/** The share of partners that demand objects worth nothing to them: one in seven. */
const WASTE = 2
/** Everything is a pose, made by some in the beginning and by nobody in an ultimatum. */
const EVERYTHING = 1.5
const EVERYTHING_AT_LAST = 2.6
/** At the same worth a partner rather demands more objects than fewer. */
const OBJECTS = 0.6
/** Many repeat themselves. */
const REPETITION = 0.8
/** A partner hears what I demand and rather leaves me that: more and more, and most of all in its ultimatum. */
const FIRST_HEARING = 2
const LAST_HEARING = 2.4
const ULTIMATUM_HEARING = 3.4
/** Few demand what is not better than the offer that they have just refused. */
const REGRESS = 1.4

/** The dialogue so far. */
export interface Said {
  /** The share that the partner left me last. */
  readonly offered: Share | null
  /** The share that I demanded last. */
  readonly demanded: Share | null
  /** True if the partner has made the same demand in each of its turns, and in at least three. */
  readonly firm: boolean
}

/** The partner's turns are counted from 0. Its turn `rounds - 1` is its last. */
export interface Partner {
  /** A table by share and valuation: the probability that the partner accepts in this turn, if I demand the share. */
  accepts(turn: number, outcomes: Outcomes, said: Said): Float64Array
  /** A table by share and valuation: the probability that the partner, if it accepts nothing in this turn, leaves me the share. */
  leaves(turn: number, outcomes: Outcomes, said: Said): Float64Array
}

/** Any partner in the seat; nothing else is known of it. */
export function createPartner(seat: number, counts: Share, total: number, rounds: number): Partner {
  const objects = sum(counts)
  const isLast = (turn: number): boolean => turn >= rounds - 1

  /** The number of answers that it has after this turn, without the one in which it can only resign. */
  const answersAfter = (turn: number): number => rounds - 1 - turn - seat

  /** By worth: how likely demands of this worth are, compared with each other. */
  const appeal = (turn: number): Float64Array => {
    const progress = Math.min(1, turn / Math.max(1, rounds - 1))
    const ultimatum = seat === 0 && isLast(turn)
    const aspiration = ultimatum ? ULTIMATUM_ASPIRATION : between(FIRST_ASPIRATION, LAST_ASPIRATION, progress)
    return Float64Array.from({ length: total + 1 }, (_, dollars) => {
      const beyond = dollars / total - aspiration
      return Math.exp(beyond < 0 ? GREED * beyond : -EXCESS * beyond)
    })
  }

  /** By share: the same for what does not depend on the partner's values. */
  const manners = (turn: number, shares: readonly Share[], said: Said): Float64Array => {
    const progress = Math.min(1, turn / Math.max(1, rounds - 1))
    const ultimatum = seat === 0 && isLast(turn)
    const hearing = ultimatum ? ULTIMATUM_HEARING : between(FIRST_HEARING, LAST_HEARING, progress)
    return Float64Array.from(shares, (share) => {
      const kept = objects - sum(share)
      let liking = (OBJECTS * kept) / objects
      if (kept === objects) liking -= ultimatum ? EVERYTHING_AT_LAST : EVERYTHING
      if (said.offered !== null && same(share, said.offered)) liking += REPETITION
      if (said.demanded !== null) liking += (hearing * common(share, said.demanded)) / Math.max(1, sum(said.demanded))
      return Math.exp(liking)
    })
  }

  const resigns = (turn: number): boolean => seat === 1 && isLast(turn)

  /** By worth: the probability that an offer is accepted by a partner of which only its firmness is known. */
  const acceptance = (turn: number, firm: boolean): Float64Array => {
    const content = CONTENT[Math.min(CONTENT.length - 1, Math.max(0, answersAfter(turn)))]!
    return Float64Array.from({ length: total + 1 }, (_, dollars) => {
      const part = dollars / total
      if (dollars === 0) return 0
      if (resigns(turn)) {
        const [least, slope] = firm ? [FIRM_RESIGNED, FIRM_RESIGNED_SLOPE] : [RESIGNED, RESIGNED_SLOPE]
        return Math.min(SURE, least + slope * part)
      }
      return Math.min(SURE, 1 / (1 + Math.exp(-SHARPNESS * (part - content))))
    })
  }

  return {
    accepts(turn, { shares, valuations, theirs }, said) {
      const byWorth = acceptance(turn, said.firm)
      const conceded = resigns(turn) ? -1 : rowOf(shares, said.offered)
      const factors = new Float64Array(valuations).fill(1)
      if (conceded >= 0) {
        for (let valuation = 0; valuation < valuations; valuation++) {
          const kept = theirs[conceded * valuations + valuation]! / total
          if (kept < 1) factors[valuation] = Math.exp(SOFTNESS * (kept - SOFT))
        }
      }
      const chances = new Float64Array(theirs.length)
      for (let cell = 0; cell < chances.length;) {
        for (let valuation = 0; valuation < valuations; valuation++, cell++) {
          const chance = byWorth[theirs[cell]!]!
          // The odds of a refusal are multiplied by the factor.
          if (chance > 0) chances[cell] = chance / (chance + (1 - chance) * factors[valuation]!)
        }
      }
      return chances
    },
    leaves(turn, { shares, valuations, theirs, wasted }, said) {
      const byWorth = appeal(turn)
      const byShare = manners(turn, shares, said)
      const refused = rowOf(shares, said.demanded)
      const [waste, regress] = [Math.exp(-WASTE), Math.exp(-REGRESS)]
      const chances = new Float64Array(theirs.length)
      const sums = new Float64Array(valuations)
      for (let cell = 0, row = 0; row < shares.length; row++) {
        for (let valuation = 0; valuation < valuations; valuation++, cell++) {
          const kept = theirs[cell]!
          let chance = byWorth[kept]! * byShare[row]!
          if (wasted[cell] === 1) chance *= waste
          if (refused >= 0 && kept <= theirs[refused * valuations + valuation]!) chance *= regress
          chances[cell] = chance
          sums[valuation]! += chance
        }
      }
      for (let cell = 0; cell < chances.length;) {
        for (let valuation = 0; valuation < valuations; valuation++, cell++) chances[cell]! /= sums[valuation]!
      }
      return chances
    },
  }
}

function between(first: number, last: number, progress: number): number {
  return first + (last - first) * progress
}

function sum(share: Share): number {
  return share.reduce((a, b) => a + b, 0)
}

/** The row of a share; -1: it is not among them. */
function rowOf(shares: readonly Share[], share: Share | null): number {
  return share === null ? -1 : shares.findIndex((other) => same(other, share))
}

/** The number of objects that both shares have. */
function common(one: Share, other: Share): number {
  return one.reduce((objects, count, type) => objects + Math.min(count, other[type]!), 0)
}
