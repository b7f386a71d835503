import { scaleLinear } from 'd3-scale'
import type { EntrantId } from '../../main/contract/ids.ts'
import type { StandingRow } from '../../main/contract/procedures.ts'

/** A rung of the ladder. Lengths are fractions of the ladder's width, 0 to 1. */
export interface Rung {
  readonly row: StandingRow
  readonly at: number
  /** Confidence interval of the points; null while not estimated. */
  readonly from: number | null
  readonly to: number | null
}

/** Confidence interval of an entrant's points. */
export type Interval = readonly [low: number, high: number]

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
  /** The position of a further row, behind these. */
  rung(row: StandingRow): Rung
  /** Round numbers along the top. */
  readonly ticks: readonly { readonly value: number; readonly at: number }[]
}

/** Standings as a ladder starting at 0 points, best first. The scale changes only when the leader passes the last tick. */
export function ladderOf(
  standings: readonly StandingRow[],
  intervals: ReadonlyMap<EntrantId, Interval> = new Map(),
  ticks = 5,
): Ladder {
  // Ticks are whole points.
  const most = standings.reduce(
    (top, { agent, points }) => Math.max(top, points, intervals.get(agent)?.[1] ?? 0),
    ticks,
  )
  const scale = scaleLinear().domain([0, most]).nice(ticks)
  const rung = (row: StandingRow): Rung => {
    const interval = intervals.get(row.agent)
    return {
      row,
      at: scale(row.points),
      from: interval === undefined ? null : scale(interval[0]),
      to: interval === undefined ? null : scale(interval[1]),
    }
  }
  return {
    rungs: standings.map(rung),
    rung,
    // If there are too many ticks, only every other one is kept.
    ticks: everyOther(scale.ticks(ticks), ticks + 1).map((value) => ({ value, at: scale(value) })),
  }
}

function everyOther(values: readonly number[], most: number): readonly number[] {
  return values.length <= most ? values : values.filter((_, at) => at % 2 === 0)
}
