import type { Place } from './drawn-scene.ts'
import type { Trail } from './herd-painter.ts'

/** All places after a step: cells, numbered row by row. */
export interface Places {
  /** By seat, then by body. */
  readonly herders: readonly (readonly number[])[]
  readonly cows: readonly number[]
}

/** Steps that a trail goes back. */
export const TRAIL = 25

/** The trails of all herders: the places of the last steps, the oldest first. */
export function trailsOf(places: readonly Places[], width: number): readonly Trail[] {
  const last = places.at(-1)
  const placeOf = (cell: number): Place => ({ x: cell % width, y: Math.floor(cell / width) })
  return (last?.herders ?? []).flatMap((team, seat) =>
    team.map((_, body) => ({
      seat,
      places: places.slice(-TRAIL).flatMap(({ herders }) => {
        const cell = herders[seat]?.[body]
        return cell === undefined ? [] : [placeOf(cell)]
      }),
    })),
  )
}

/** How often cows were on each cell, as shares of the cell where they were most; by the square root, so that ways are seen too. */
export function heatOf(places: Iterable<Places>, cells: number): Float32Array {
  const counts = new Float32Array(cells)
  let most = 1
  for (const { cows } of places) for (const cell of cows) most = Math.max(most, (counts[cell]! += 1))
  return counts.map((count) => Math.sqrt(count / most))
}
