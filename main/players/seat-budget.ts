import type { Limits } from '../contract/limits.ts'
import { consoleRoom, type ConsoleRoom } from './console-budget.ts'

/**
 * What the limits of a seat allow for a match, which its bodies share where each has processes or a connection of its own. Their
 * processes are counted together: see `Watched.budget`.
 */
export interface SeatBudget {
  readonly console: ConsoleRoom
}

/** The whole budget of a seat, for one match. */
export const seatBudget = ({ consoleBytes }: Pick<Limits, 'consoleBytes'>): SeatBudget => ({
  console: consoleRoom(consoleBytes),
})
