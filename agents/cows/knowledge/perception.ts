import type { HerderAction, PerceptionMessage, StartMessage } from '../../../main/referees/cows/messages.ts'

/** The answers and the perceptions of a body in a step. x grows to the east, y to the south. */
export type Action = HerderAction
export type Perception = Omit<PerceptionMessage, 'type'>
/** One object for all bodies of a match. Both corners of the corral are cells of it. */
export type Team = Omit<StartMessage, 'type'>

export interface Place {
  readonly x: number
  readonly y: number
}

export const moves: readonly (readonly [action: Action, x: number, y: number])[] = [
  ['north', 0, -1],
  ['northeast', 1, -1],
  ['east', 1, 0],
  ['southeast', 1, 1],
  ['south', 0, 1],
  ['southwest', -1, 1],
  ['west', -1, 0],
  ['northwest', -1, -1],
]

/** Steps from one cell to another where nothing is in the way. */
export const apart = (a: Place, b: Place): number => Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y))
