import type { Outliner, OutlineSwing } from '../../contract/game/outline.ts'
import type { Input } from './input.ts'
import { moverOf, onTable, scoresOf, worth, type State } from './rules.ts'

/** Each side's value of the last demand, turn by turn; after the end, of the deal. */
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
  /** A side's loss against its last demand; without a deal: the value that lay on the table for each. */
  swings(state) {
    const mover = moverOf(state) === 0 ? 0 : 1
    const before = onTable(state)
    const wanted = lastDemand(state, mover)
    return () => {
      const { ending } = state
      if (ending !== null && ending.type !== 'agreed') return losses(before)
      return wanted === null ? [] : losses([0, 1].map((seat) => (seat === mover ? wanted - onTable(state)[mover] : 0)))
    }
  },
}

/** The worth to a side of what it demanded last; null: it has demanded nothing. */
function lastDemand({ offers, values }: State, mover: 0 | 1): number | null {
  const demand = offers.at(-2) ?? null
  return demand === null ? null : worth(demand, values[mover])
}

/** By seat; a side that gains has no swing: it is offered more, which nobody has decided yet. */
function losses(lost: readonly number[]): readonly OutlineSwing[] {
  return lost.flatMap((amount, seat) => (amount > 0 ? [{ seat, amount: -amount }] : []))
}
