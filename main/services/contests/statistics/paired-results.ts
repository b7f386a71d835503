import type { Interval } from '../../../contract/contests/standings.ts'
import { pairIndex } from './bradley-terry.ts'
import { infer, rankingSpread, type Inference, type UnitResults } from './rating-inference.ts'

/** Ratings of entrants by their number, on a scale on which 400 points are odds of 10 to 1 and the average is 1,500. */
export interface Ratings {
  /** `interval` null: the entrant has played too few matches for one, or there is nobody else. */
  of(entrant: number): { readonly rating: number; readonly interval: Interval | null }
  /** The probability that one entrant is stronger than another, given the results; null: too few matches. */
  superiority(one: number, other: number): number | null
}

/** Collects the results of matches for ratings. The ratings do not depend on the order of the matches. */
export interface PairedResults {
  /**
   * Adds a match. `unit`: matches with equal numbers depend on one another, such as one with swapped seats.
   * `entrants`: with their ranks; every two of them have met.
   */
  add(unit: number, entrants: readonly number[], ranks: readonly number[]): void
  /** Adds a meeting of two, of `players` who were ranked together. `won`: by the one, from 0 to 1; a tie is one half. */
  meet(unit: number, one: number, other: number, won: number, players: number): void
  ratings(): Ratings
  /** The meetings so far by unit, for ratings over several contests (`rateUnits`). */
  units(): readonly UnitResults[]
}

/** The maximum number of groups into which units are collected; with fewer units, each is a group of its own. */
const GROUPS_MAX = 1_024
const GROUPS_MIN = 64
/** The maximum number of pairs in all groups together. */
const CELLS_MAX = 2 ** 22

/**
 * With fewer units in all, or fewer of its own, an entrant has no interval: one of two equals wins five of five matches
 * in one contest of 16.
 */
const UNITS_MIN = 6
const OWN_UNITS_MIN = 3

interface Group {
  readonly won: Float64Array
  readonly met: Float64Array
  readonly spread: Float64Array
}

/**
 * Creates an empty collection. Ratings are those of Bradley and Terry, with every match of more than two taken as the
 * meetings of every two of them. All that happens in one match, or in a match and its return match, is one observation.
 */
export function createPairedResults(entrants: number): PairedResults {
  const pairs = (entrants * (entrants - 1)) / 2
  const most = Math.min(GROUPS_MAX, Math.max(GROUPS_MIN, Math.floor(CELLS_MAX / Math.max(1, 3 * pairs))))
  let groups = new Map<number, Group>()
  let isFull = false
  let matches = 0
  let kept: { readonly matches: number; readonly ratings: Ratings } | null = null

  const groupIn = (all: Map<number, Group>, number: number): Group => {
    const known = all.get(number)
    if (known !== undefined) return known
    const group = { won: new Float64Array(pairs), met: new Float64Array(pairs), spread: new Float64Array(pairs) }
    all.set(number, group)
    return group
  }
  const groupOf = (unit: number): Group => {
    if (!isFull && !groups.has(unit) && groups.size === most) {
      isFull = true
      const merged = new Map<number, Group>()
      for (const [number, group] of groups) {
        const into = groupIn(merged, number % most)
        for (const list of ['won', 'met', 'spread'] as const) {
          for (let pair = 0; pair < pairs; pair++) into[list][pair]! += group[list][pair]!
        }
      }
      groups = merged
    }
    return groupIn(groups, isFull ? unit % most : unit)
  }
  const count = (group: Group, one: number, other: number, share: number, players: number): void => {
    const pair = one < other ? pairIndex(one, other) : pairIndex(other, one)
    group.won[pair]! += one < other ? share : 1 - share
    group.met[pair]! += 1
    group.spread[pair]! += rankingSpread(players)
  }

  return {
    meet(unit, one, other, won, players) {
      matches += 1
      count(groupOf(unit), one, other, won, players)
    },
    add(unit, seated, ranks) {
      matches += 1
      const group = groupOf(unit)
      const players = new Set(seated).size
      for (let a = 0; a < seated.length; a++) {
        for (let b = a + 1; b < seated.length; b++) {
          const [one, other] = [seated[a]!, seated[b]!]
          // One entrant may have several seats.
          if (one === other) continue
          count(group, one, other, ranks[a]! < ranks[b]! ? 1 : ranks[a]! === ranks[b]! ? 0.5 : 0, players)
        }
      }
    },
    ratings() {
      if (kept?.matches !== matches) kept = { matches, ratings: rateUnits(entrants, unitsIn(groups)) }
      return kept.ratings
    },
    units: () => unitsIn(groups),
  }
}

const unitsIn = (groups: ReadonlyMap<number, Group>): readonly UnitResults[] =>
  [...groups].sort(byNumber).map(([, group]) => sparse(group))

const byNumber = ([a]: readonly [number, unknown], [b]: readonly [number, unknown]): number => a - b

/** The ratings of `entrants` from units, whose pairs are numbered by `pairIndex`. */
export function rateUnits(entrants: number, units: readonly UnitResults[]): Ratings {
  const played = unitsPlayed(entrants, units)
  const active = played.map((count) => count > 0)
  const inference = infer(entrants, units, active)
  const isKnown = (entrant: number): boolean => units.length >= UNITS_MIN && played[entrant]! >= OWN_UNITS_MIN
  return {
    of(entrant) {
      if (active[entrant] !== true) return { rating: AVERAGE_RATING, interval: null }
      return {
        rating: scaled(inference.strength[entrant]!),
        interval: isKnown(entrant) ? intervalOf(inference, entrant) : null,
      }
    },
    superiority: (one, other) =>
      one !== other && isKnown(one) && isKnown(other) ? inference.superiority(one, other) : null,
  }
}

function intervalOf(inference: Inference, entrant: number): Interval {
  const [low, high] = inference.interval(entrant)
  return [scaled(low), scaled(high)]
}

function sparse({ won, met, spread }: Group): UnitResults {
  const pairs = Uint32Array.from([...met.keys()].filter((pair) => met[pair]! > 0))
  const of = (values: Float64Array): Float64Array => Float64Array.from(pairs, (pair) => values[pair]!)
  return { pairs, won: of(won), met: of(met), spread: of(spread) }
}

/** The number of units, or groups of them, in which each entrant has met another. */
function unitsPlayed(entrants: number, units: readonly UnitResults[]): readonly number[] {
  const played = Array.from({ length: entrants }, () => 0)
  for (const { pairs } of units) {
    const met = new Set<number>()
    for (const pair of pairs) for (const entrant of entrantsOf(pair)) met.add(entrant)
    for (const entrant of met) played[entrant]! += 1
  }
  return played
}

/** The inverse of `pairIndex`. */
export function entrantsOf(pair: number): readonly [number, number] {
  const j = Math.floor((1 + Math.sqrt(1 + 8 * pair)) / 2)
  return [pair - (j * (j - 1)) / 2, j]
}

const scaled = (strength: number): number => AVERAGE_RATING + POINTS_PER_LOG_ODDS * strength

/** The average rating of a contest's entrants. */
export const AVERAGE_RATING = 1_500

/** Points of a rating for a factor e in the odds of winning: 400 points for a factor 10, as in chess. */
export const POINTS_PER_LOG_ODDS = 400 / Math.LN10
