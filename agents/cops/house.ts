import type { World } from './knowledge/belief.ts'
import { Burglar, Patrol } from './knowledge/patrol.ts'
import type { Skeleton } from './knowledge/town.ts'

// The mediocre agent that contestants meet in the regular season.

function robber(game: Skeleton) {
  const brain = new Burglar()
  brain.begin(game)
  return { move: (world: World) => brain.move(world).loc }
}

function cop(game: Skeleton) {
  const brain = new Patrol()
  brain.begin(game)
  return brain
}

export default { name: 'McGruff', starts: 'cop-foot', robber, cop }
