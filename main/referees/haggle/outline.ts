import type { Outliner } from '../../contract/game.ts'
import type { Input } from './input.ts'
import { moverOf, onTable, scoresOf, type State } from './rules.ts'

/** What each side would get from the last demand, turn by turn; after the end, what it got. */
export const outline: Outliner<State, Input> = {
  levels: (state) => [...(state.ending === null ? onTable(state) : scoresOf(state))],
  input(state) {
    const round = 1 + Math.floor(state.offers.length / 2)
    const mover = moverOf(state)
    return (input) => {
      const { ending } = state
      const seat = input.type === 'abort' ? input.seat : mover
      return {
        round,
        seat,
        lines: 1,
        marks: ending?.type === 'abort' ? [{ seat: ending.seat, kind: 'removed' }] : [],
      }
    }
  },
}
