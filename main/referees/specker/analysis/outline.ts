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
  /** The loss of the worse-off side by every settled sale, and by every refund that falls short. */
  swings(state, input) {
    const deals = dealsSolvedBy(state, input)
    const caused = eventsFrom(state)
    return () => caused().flatMap((event, line) => swingOf(event, line, deals) ?? [])
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

function swingOf(event: PublicEvent, line: number, deals: ReadonlyMap<number, Deal>): OutlineSwing | null {
  if (event.type === 'voided') {
    return event.shortfall > 0 ? { seat: event.buyer, amount: -event.shortfall, line } : null
  }
  const deal = event.type === 'solved' ? deals.get(event.challenge) : undefined
  if (event.type !== 'solved' || deal === undefined) return null
  const won = event.payoff - deal.price
  if (won === 0) return null
  return { seat: won > 0 ? deal.seller : deal.buyer, amount: -Math.abs(won), line }
}
