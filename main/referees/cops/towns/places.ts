import { shuffled } from '../../../contract/random.ts'
import { distancesFrom, footWays, type Distances, type Sketch } from './town.ts'

/** The special places of a town, by corner. */
export interface Places {
  readonly headquarters: number
  readonly start: number
  readonly banks: readonly number[]
}

/** The number of banks of every map (2.1). */
const BANKS = 6

/** The number of banks near the robber's start; the others are as far away as the town allows. */
const NEAR_BANKS = 4

/** Steps on foot, as in Hyde Park: from the start to headquarters, to the near banks, and to the far ones. */
const STEPS = { headquarters: 4, nearBank: 5, farBank: 11 }

/** Puts headquarters into the middle, the start and four banks a few steps away, and two banks further off. */
export function placesOf(sketch: Sketch, next: () => number): Places {
  const ways = footWays(sketch)
  const order = shuffled([...sketch.corners.keys()], next)
  const headquarters = middleOf(sketch)
  const fromHeadquarters = distancesFrom(headquarters, ways)
  const start = nearest(order, (corner) => Math.abs(fromHeadquarters[corner]! - STEPS.headquarters))
  const fromStart = distancesFrom(start, ways)
  const taken = [headquarters]
  const distances: Distances[] = [fromHeadquarters]
  const add = (steps: number): void => {
    const isFree = (corner: number): boolean => corner !== start && !taken.includes(corner)
    // Banks that stand side by side would be robbed in one visit.
    const crowding = (corner: number): number =>
      distances.reduce((sum, from) => sum + Math.max(0, STEPS.nearBank - from[corner]!), 0)
    const free = order.filter(isFree)
    const bank = nearest(free, (corner) => 2 * Math.abs(fromStart[corner]! - steps) + crowding(corner))
    taken.push(bank)
    distances.push(distancesFrom(bank, ways))
  }
  for (let bank = 0; bank < BANKS; bank++) add(bank < NEAR_BANKS ? STEPS.nearBank : STEPS.farBank)
  return { headquarters, start, banks: taken.slice(1) }
}

function middleOf({ corners }: Sketch): number {
  const [x, y] = [Math.max(...corners.map((each) => each.x)) / 2, Math.max(...corners.map((each) => each.y)) / 2]
  const off = (corner: number): number => Math.abs(corners[corner]!.x - x) + Math.abs(corners[corner]!.y - y)
  return nearest([...corners.keys()], off)
}

/** The first of those with the smallest distance. */
function nearest(corners: readonly number[], distance: (corner: number) => number): number {
  let [best, least] = [corners[0]!, Infinity]
  for (const corner of corners) {
    const here = distance(corner)
    if (here < least) [best, least] = [corner, here]
  }
  return best
}
