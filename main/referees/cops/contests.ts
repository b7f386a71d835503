import type { GameContests } from '../../contract/contests/contest-format.ts'
import { ROBBER } from './state.ts'
import { pods } from './contests/pods.ts'
import { inPoints, POINT } from './points.ts'

/** How contests of Cops & Robbers are played and counted: by the sum of points (4). */
export const contests: GameContests = {
  formats: [pods],
  points: ({ places }) => places.map(({ score }) => inPoints(score)),
  scoreUnit: POINT,
  // A false accusation costs points.
  pointsRange: [-Infinity, Infinity],
  roleOf: (seat) => (seat === ROBBER ? 'robber' : 'cop'),
}
