import { scaleLinear } from 'd3-scale'
import type { EntrantId } from '../../main/contract/ids.ts'
import type { StandingRow } from '../../main/contract/procedures.ts'

/** A rung of the ladder. Lengths are parts of the ladder's width, 0 to 1. */
export interface Rung {
  readonly row: StandingRow
  readonly at: number
  /** Where the points could as well lie; null while nobody has estimated that. */
  readonly from: number | null
  readonly to: number | null
}

/** How sure a standing is: points that it could as well have. */
export type Interval = readonly [low: number, high: number]

/** Places of a long ladder, fetched as they are looked at. */
export interface LadderPlaces {
  readonly count: number
  /** undefined: it is not here yet; `need` brings it. */
  at(place: number): StandingRow | undefined
  /** Brings places that are about to be seen; `to` excluded. */
  need(from: number, to: number): void
}

export interface Ladder {
  readonly rungs: readonly Rung[]
  /** Where another row would stand, of one who comes behind those. */
  rung(row: StandingRow): Rung
  /** Round numbers along the top. */
  readonly ticks: readonly { readonly value: number; readonly at: number }[]
}

/** Standings as a ladder from 0 points on, best first. Points stand still while the leader stays below the last tick. */
export function ladderOf(
  standings: readonly StandingRow[],
  intervals: ReadonlyMap<EntrantId, Interval> = new Map(),
  ticks = 5,
): Ladder {
  // Never so few that points would be broken.
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
    // There may be more of them than have room beside each other: then every other one.
    ticks: everyOther(scale.ticks(ticks), ticks + 1).map((value) => ({ value, at: scale(value) })),
  }
}

function everyOther(values: readonly number[], most: number): readonly number[] {
  return values.length <= most ? values : values.filter((_, at) => at % 2 === 0)
}
