import type { Limits } from '../contract/limits.ts'
import { consoleRoom, type ConsoleRoom } from './console-budget.ts'

/**
 * What the limits of a seat allow in one match. Bodies with processes or connections of their own share it. Their processes are
 * counted together: see `Watched.budget`.
 */
export interface SeatBudget {
  readonly console: ConsoleRoom
}

/** The whole budget of a seat, for one match. */
export const seatBudget = ({ consoleBytes }: Pick<Limits, 'consoleBytes'>): SeatBudget => ({
  console: consoleRoom(consoleBytes),
})
