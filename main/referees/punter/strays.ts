import type { Arrival } from '../../contract/game/game.ts'
import type { SeatId } from '../../contract/ids.ts'
import type { Answer } from './messages.ts'

/** Messages that did not count because nothing was open that they could answer. */
export interface Strays {
  /** Counts the arrival if it is one. */
  note(arrival: Arrival<Answer>): void
  /** A punter's stray messages since it was last informed, a sentence for each kind. */
  take(seat: SeatId): readonly string[]
}

export function createStrays(): Strays {
  const late = new Map<SeatId, number>()
  const unasked = new Map<SeatId, number>()
  const count = (counts: Map<SeatId, number>, seat: SeatId): void => void counts.set(seat, (counts.get(seat) ?? 0) + 1)
  const taken = (counts: Map<SeatId, number>, seat: SeatId): number => {
    const number = counts.get(seat) ?? 0
    counts.delete(seat)
    return number
  }
  return {
    note(arrival) {
      const { seat } = arrival.post
      if (arrival.type === 'answer') count(late, seat)
      else if (arrival.type === 'said') count(unasked, seat)
    },
    take: (seat) => [
      ...sentence(taken(late, seat), 'answer', 'came after the time limit and did not count.'),
      ...sentence(taken(unasked, seat), 'message', 'came when no answer was owed and did not count.'),
    ],
  }
}

const sentence = (number: number, what: string, rest: string): readonly string[] =>
  number === 0 ? [] : [`${number === 1 ? `One ${what}` : `${number} ${what}s`} of yours ${rest}`]
