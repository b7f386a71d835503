import type { GameContests } from '../../contract/contest-format.ts'
import { ROBBER } from './state.ts'
import { pods } from './contests/pods.ts'

/** How contests of Cops & Robbers are played and counted: by the sum of scores (4). */
export const contests: GameContests = {
  formats: [pods],
  points: ({ places }) => places.map(({ score }) => score),
  roleOf: (seat) => (seat === ROBBER ? 'robber' : 'cop'),
}
