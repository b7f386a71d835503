import type { World } from './knowledge/belief.ts'
import { SafeRobber } from './knowledge/safe-robber.ts'
import { Tracker } from './knowledge/tracker.ts'
import type { Skeleton } from './knowledge/town.ts'

// A cop that keeps a belief of where the robber is, and a robber that keeps its distance.

export const name = 'Tartaglia'
export const starts = 'cop-car'

export function robber(game: Skeleton) {
  const brain = new SafeRobber()
  brain.begin(game)
  return { move: (world: World) => brain.move(world).loc }
}

export function cop(game: Skeleton) {
  const brain = new Tracker()
  brain.begin(game)
  return brain
}
