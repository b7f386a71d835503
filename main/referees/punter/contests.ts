import type { GameContests } from '../../contract/contests/contest-format.ts'
import { rankPoints } from './rank-points.ts'
import { rounds } from './rounds/rounds.ts'

/** How contests of Lambda Punter are played and counted. */
export const contests: GameContests = { formats: [rounds], points: rankPoints }
