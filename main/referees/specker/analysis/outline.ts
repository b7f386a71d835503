import type { Outliner, OutlineSwing } from '../../../contract/game/outline.ts'
import { answeredDeals, eventsFrom } from './caused-events.ts'
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
  /**
   * The loss of a seat in a turn: by all sales that the turn settles, by refunds that fall short, and by payments for secrets
   * that did not hold after their answers.
   */
  swings(state, input) {
    const deals = dealsSolvedBy(state, input)
    const answered = answeredDeals(state.deals)
    const caused = eventsFrom(state)
    return () => lossesOf(caused(), deals, answered)
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

/**
 * The losses of seats in the events of a turn, of all its sales together. `answered`: the challenges whose secret is owed;
 * those that are solved are added.
 */
function lossesOf(
  events: readonly PublicEvent[],
  deals: ReadonlyMap<number, Deal>,
  answered: Set<number>,
): readonly OutlineSwing[] {
  const bySeat = new Map<number, SeatSwing>()
  const add = (seat: number, amount: number, line: number): void => {
    const swing = bySeat.get(seat) ?? { amount: 0, line, largest: 0 }
    bySeat.set(seat, swing)
    swing.amount += amount
    if (amount < swing.largest) [swing.line, swing.largest] = [line, amount]
  }
  for (const [line, event] of events.entries()) {
    if (event.type === 'voided') {
      // The price of an answered sale is in the swing of its answer; only what is paid now is new.
      if (answered.has(event.challenge)) {
        add(event.buyer, event.refund, line)
        add(event.seat, -event.refund, line)
      } else add(event.buyer, -event.shortfall, line)
    }
    const deal = event.type === 'solved' ? deals.get(event.challenge) : undefined
    if (event.type !== 'solved' || deal === undefined) continue
    answered.add(event.challenge)
    const won = event.payoff - deal.price
    add(deal.buyer, won, line)
    add(deal.seller, -won, line)
  }
  return [...bySeat].flatMap(([seat, { amount, line }]) => (amount < 0 ? [{ seat, amount, line }] : []))
}
