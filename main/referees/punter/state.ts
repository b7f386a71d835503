import type { SeatId } from '../../contract/ids.ts'
import type { Config } from './config.ts'
import type { Course } from './course.ts'
import type { Future } from './futures.ts'
import type { Move } from './messages.ts'
import type { Network } from './network.ts'

/** A punter: what it may still do, and how it stands. */
export interface Punter {
  /** null: it has not been heard of. */
  setup: 'ready' | 'failed' | null
  /** Turns that it has saved up for splurges. */
  credit: number
  /** Options that it may still buy. */
  options: number
  /** Time-outs that count towards its end. */
  timeouts: number
  /** Why it plays no more; null: it does. */
  zombie: string | null
  futures: readonly Future[]
  /** Problems of futures that it gave and that do not count, a sentence each. */
  notes: readonly string[]
  /** Its last move as everybody is told it; a pass where it was refused, and before the first. */
  last: Move
  /** The number of that move in the match, from 0; -1: it has not moved. */
  lastAt: number
  /** The reason, in a sentence, why its last move was refused and became a pass; null: the move was not refused. */
  refused: string | null
  readonly network: Network
}

/** A match. Rivers and sites have the numbers of the course. */
export interface State {
  readonly course: Course
  readonly config: Config
  readonly punters: readonly Punter[]
  /** Moves made, passes among them; as many as there are rivers end the match. */
  moves: number
  /** By river: who has claimed it; -1: nobody. */
  readonly owners: Int32Array
  /** By river: the number of the move that claimed it. */
  readonly claimedAt: Int32Array
  /** By river: who has bought its option; -1: nobody. */
  readonly holders: Int32Array
  readonly soldAt: Int32Array
}

/** The punter on turn, or who would be. */
export const turnOf = ({ moves, punters }: State): SeatId => moves % punters.length

export const isOver = ({ moves, course }: State): boolean => moves >= course.rivers.length

/** True once everybody was heard from. */
export const isSetUp = ({ punters }: State): boolean => punters.every(({ setup }) => setup !== null)

/** The earnings of a punter's rivers so far. */
export const riverScore = ({ network }: Punter): number => network.score()

/** The sum of its futures as they stand: each that is not kept yet costs as much as it would bring. */
export const futureScore = ({ futures }: Punter): number =>
  futures.reduce((sum, { worth, kept }) => sum + (kept ? worth : -worth), 0)

export const scoreOf = (punter: Punter): number => riverScore(punter) + futureScore(punter)
