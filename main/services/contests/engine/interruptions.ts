import type { SeatId } from '../../../contract/ids.ts'
import type { Ticket } from './ticket.ts'

/** Interruptions of one match (a worker or a player killed from outside) after which it is void. */
export const INTERRUPTIONS_MAX = 30
/**
 * Kills of one seat's processes in consecutive runs of a match after which the next one counts as their crash. An agent
 * can bring about that the system kills it, by using up memory that no limit covers; the machine seldom hits the same
 * agent so often.
 */
const KILLS_MAX = 8

/** Counts the interruptions of each match. */
export interface Interruptions {
  /** The ticket to play again after an interruption; null: there were too many. `seat`: whose process was killed. */
  after(ticket: Ticket, seat: SeatId | undefined): Ticket | null
}

export function createInterruptions(): Interruptions {
  const counts = new Map<string, { total: number; seat: SeatId | undefined; inARow: number }>()
  return {
    after(ticket, seat) {
      const which = `${ticket.match} ${ticket.isReplay === true}`
      const count = counts.get(which) ?? { total: 0, seat, inARow: 0 }
      counts.set(which, count)
      count.total += 1
      count.inARow = count.seat === seat ? count.inARow + 1 : 1
      count.seat = seat
      if (count.total >= INTERRUPTIONS_MAX) return null
      if (seat === undefined || count.inARow < KILLS_MAX) return ticket
      return { ...ticket, crashing: [...(ticket.crashing ?? []), seat] }
    },
  }
}
