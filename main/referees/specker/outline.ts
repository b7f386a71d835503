import type { Outliner } from '../../contract/game.ts'
import type { Input } from './input.ts'
import type { State } from './state.ts'

/** The accounts over time. The lines of an input are the public events that it caused. */
export const outline: Outliner<State, Input> = {
  levels: ({ players }) => players.map(({ account }) => account),
  input(state) {
    const { round } = state
    const known = state.dropped + state.events.length
    return (input) => {
      const events = state.events.slice(Math.max(0, known - state.dropped))
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
}
