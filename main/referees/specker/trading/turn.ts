import type { SeatId } from '../../../contract/ids.ts'
import type { Action } from '../messages.ts'

export type ActionOf<T extends Action['type']> = Extract<Action, { readonly type: T }>

/** A player's actions so far in the current bundle. */
export interface Turn {
  readonly seat: SeatId
  offered: number
  accepted: number
  reoffered: number
  /**
   * Challenges that ended within this bundle because another player was removed. The bundle's author could not foresee
   * that: its actions on them have no effect, are not a violation, and count as done.
   */
  readonly ended: Set<number>
}
