/** A street of a sketch between two of its corners, both by number. */
export interface Street {
  readonly from: number
  readonly to: number
  /** Cars may go from `from` to `to` only. People on foot may always go both ways. */
  readonly oneWay: boolean
}

/** A corner where streets meet. */
export interface Corner {
  readonly name: string
  readonly x: number
  readonly y: number
}

/** A town before anything stands in it. */
export interface Sketch {
  readonly corners: readonly Corner[]
  /** For everybody; two-way streets are listed once. */
  readonly streets: readonly Street[]
}

/** The steps to every corner from one of them; -1: it cannot be reached. */
export type Distances = readonly number[]

/** Neighbours by corner. */
export type Ways = readonly (readonly number[])[]

/** The ways of people on foot. */
export function footWays({ corners, streets }: Sketch): Ways {
  const ways = corners.map((): number[] => [])
  for (const { from, to } of streets) {
    ways[from]!.push(to)
    ways[to]!.push(from)
  }
  return ways
}

/** The ways of cars along streets; `back`: against their direction, to measure how far it is to a corner. */
export function carWays({ corners, streets }: Sketch, back = false): Ways {
  const ways = corners.map((): number[] => [])
  for (const { from, to, oneWay } of streets) {
    if (!oneWay || !back) ways[from]!.push(to)
    if (!oneWay || back) ways[to]!.push(from)
  }
  return ways
}

/** The steps from a corner by breadth-first search. */
export function distancesFrom(start: number, ways: Ways): Distances {
  const distances = ways.map(() => -1)
  distances[start] = 0
  const queue = [start]
  for (const corner of queue) {
    for (const next of ways[corner]!) {
      if (distances[next] !== -1) continue
      distances[next] = distances[corner]! + 1
      queue.push(next)
    }
  }
  return distances
}

/** True if every corner can be reached along these ways from the first one. */
export function reachesAll(ways: Ways): boolean {
  return !distancesFrom(0, ways).includes(-1)
}
