import { scaleLinear } from 'd3-scale'
import type { EntrantId } from '../../main/contract/ids.ts'
import type { Interval, StandingRow } from '../../main/contract/procedures/procedures.ts'

/** The meaning of a ladder's lengths: total points, or points per match if entrants played different numbers of matches. */
export type Measure = 'points' | 'per match'

/** The scale ends at a multiple of about this part of it, however few ticks there is room for: coarser, half of it may be empty. */
const NICE = 5
/** How far beyond the scores the scale goes for intervals, as a part of what the scores span: after a few matches they are far wider. */
const BEYOND = 0.5

/** True if entrants have played different numbers of matches, so that total points cannot be compared. */
export function isUneven(standings: readonly StandingRow[]): boolean {
  return standings.some(({ matches }) => matches !== standings[0]?.matches)
}

/** The points of a row, or its points per match; 0 without a match. */
export function measured({ points, matches }: StandingRow, measure: Measure): number {
  return measure === 'points' ? points : points / Math.max(1, matches)
}

/** A rung of the ladder. Lengths are fractions of the ladder's width, 0 to 1. */
export interface Rung {
  readonly row: StandingRow
  readonly at: number
  /** Confidence interval; null while not estimated. */
  readonly from: number | null
  readonly to: number | null
  /** The interval's ends that lie on the ladder; the others lie beyond it. */
  readonly ends: readonly number[]
}

/** Rows of a long ladder, loaded on demand. */
export interface LadderPlaces {
  readonly count: number
  /** undefined: not loaded yet; `need` loads it. */
  at(place: number): StandingRow | undefined
  /** Loads places that are about to be shown; `to` is exclusive. */
  need(from: number, to: number): void
}

export interface Ladder {
  readonly rungs: readonly Rung[]
  /** The position of 0, where bars begin; above 0 if somebody has less. */
  readonly zero: number
  /** The position of a further row, behind these. */
  rung(row: StandingRow): Rung
  /** Round numbers along the top. */
  readonly ticks: readonly { readonly value: number; readonly at: number }[]
}

/**
 * Standings as a ladder, best first. Lengths begin at 0, so that they compare like the numbers; those below 0 lead to
 * the left. The scale changes only when the largest passes the last tick, or the smallest the first. `intervals`: of
 * the points per match.
 */
export function ladderOf(
  standings: readonly StandingRow[],
  intervals: ReadonlyMap<EntrantId, Interval> = new Map(),
  ticks = 5,
  measure: Measure = 'points',
): Ladder {
  const lowest = standings.reduce((low, row) => Math.min(low, measured(row, measure)), 0)
  const endsOf = ({ agent, matches }: StandingRow): Interval | null => {
    const interval = intervals.get(agent)
    if (interval === undefined) return null
    const times = measure === 'points' ? matches : 1
    // If nobody has less than 0, nobody can have, whatever the estimate says.
    return [Math.max(lowest < 0 ? -Infinity : 0, interval[0] * times), interval[1] * times]
  }
  // Ticks of sums are whole points.
  const smallest = measure === 'points' ? ticks : Number.EPSILON
  const highest = standings.reduce((top, row) => Math.max(top, measured(row, measure)), smallest)
  const room = BEYOND * (highest - lowest)
  const most = standings.reduce((top, row) => Math.max(top, Math.min(endsOf(row)?.[1] ?? 0, highest + room)), highest)
  const least = standings.reduce((low, row) => Math.min(low, Math.max(endsOf(row)?.[0] ?? 0, lowest - room)), lowest)
  // Further rows may have less than these.
  const scale = scaleLinear().domain([least, most]).nice(Math.max(ticks, NICE)).clamp(true)
  const [bottom = least, top = most] = scale.domain()
  // A single value does not set a scale.
  const values = scale.ticks(ticks).length > 1 ? scale.ticks(ticks) : scale.ticks(ticks + 1)
  const rung = (row: StandingRow): Rung => {
    const interval = endsOf(row)
    return {
      row,
      at: scale(measured(row, measure)),
      from: interval === null ? null : scale(interval[0]),
      to: interval === null ? null : scale(interval[1]),
      ends: interval === null ? [] : interval.filter((end) => end >= bottom && end <= top).map((end) => scale(end)),
    }
  }
  return {
    rungs: standings.map(rung),
    zero: scale(0),
    rung,
    ticks: everyOther(values, ticks + 1).map((value) => ({ value, at: scale(value) })),
  }
}

/** If there are too many ticks, only every other one is kept, and always 0. */
function everyOther(values: readonly number[], most: number): readonly number[] {
  return values.length <= most ? values : values.filter((_, at) => (at - values.indexOf(0)) % 2 === 0)
}
