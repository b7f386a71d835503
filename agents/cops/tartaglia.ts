import type { World } from './knowledge/belief.ts'
import { SafeRobber } from './knowledge/safe-robber.ts'
import { Tracker } from './knowledge/tracker.ts'
import type { Skeleton } from './knowledge/town.ts'

// A cop that keeps a belief of where the robber is, and a robber that keeps its distance.

function robber(game: Skeleton) {
  const brain = new SafeRobber()
  brain.begin(game)
  return {
    bribe: (_: string | null, world: World) => brain.bribe(world),
    // The first rule set has neither offers nor pushes: only where to go counts there.
    move: (world: World, offers?: readonly string[] | null) =>
      world.twist === undefined ? brain.move(world).loc : brain.move(world, offers),
  }
}

function cop(game: Skeleton) {
  const brain = new Tracker()
  brain.begin(game)
  return brain
}

export default { name: 'Tartaglia', starts: 'cop-car', robber, cop }
