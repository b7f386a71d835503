import type { Outliner, OutlineSwing } from '../../../contract/game/outline.ts'
import { eventsFrom } from './caused-events.ts'
import type { Input } from '../input.ts'
import type { PublicEvent } from '../messages.ts'
import type { Deal, State } from '../state.ts'

/** The accounts over time. The lines of an input are the public events that it caused. */
export const outline: Outliner<State, Input> = {
  levels: ({ players }) => players.map(({ account }) => account),
  input(state) {
    const { round } = state
    const caused = eventsFrom(state)
    return (input) => {
      const events = caused()
      return {
        round,
        seat: 'seat' in input ? input.seat : (events[0]?.seat ?? null),
        lines: Math.max(1, events.length),
        marks: events.flatMap((event, line) =>
          event.type === 'removed' || event.type === 'voided' ? [{ seat: event.seat, kind: event.type, line }] : [],
        ),
      }
    }
  },
  /** The loss of a seat in a turn: by all sales that the turn settles, and by refunds that fall short. */
  swings(state, input) {
    const deals = dealsSolvedBy(state, input)
    const caused = eventsFrom(state)
    return () => lossesOf(caused(), deals)
  },
}

/** The deals that an input may settle, by challenge. */
function dealsSolvedBy({ deals }: State, input: Input): ReadonlyMap<number, Deal> {
  const solved = new Map<number, Deal>()
  if (input.type !== 'turn') return solved
  for (const action of input.actions) {
    const deal = action.type === 'solve' ? deals.get(action.challenge) : undefined
    if (deal !== undefined) solved.set(deal.challenge, deal)
  }
  return solved
}

/** The sum that a seat won or lost in an event; `line`: of its largest single part. */
interface SeatSwing {
  amount: number
  line: number
  largest: number
}

/** The losses of seats in the events of a turn, of all its sales together. */
function lossesOf(events: readonly PublicEvent[], deals: ReadonlyMap<number, Deal>): readonly OutlineSwing[] {
  const bySeat = new Map<number, SeatSwing>()
  const add = (seat: number, amount: number, line: number): void => {
    const swing = bySeat.get(seat) ?? { amount: 0, line, largest: 0 }
    bySeat.set(seat, swing)
    swing.amount += amount
    if (amount < swing.largest) [swing.line, swing.largest] = [line, amount]
  }
  for (const [line, event] of events.entries()) {
    if (event.type === 'voided') add(event.buyer, -event.shortfall, line)
    const deal = event.type === 'solved' ? deals.get(event.challenge) : undefined
    if (event.type !== 'solved' || deal === undefined) continue
    const won = event.payoff - deal.price
    add(deal.buyer, won, line)
    add(deal.seller, -won, line)
  }
  return [...bySeat].flatMap(([seat, { amount, line }]) => (amount < 0 ? [{ seat, amount, line }] : []))
}
