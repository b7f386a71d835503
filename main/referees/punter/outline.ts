import type { Outliner, OutlineMark } from '../../contract/game/outline.ts'
import type { Input } from './input.ts'
import { isSetUp, scoreOf, type State } from './state.ts'

/** Scores as they stand, futures among them. A round is a turn of each punter. */
export const outline: Outliner<State, Input> = {
  levels: ({ punters }) => punters.map(scoreOf),
  input(state) {
    const round = isSetUp(state) ? 1 + Math.floor(state.moves / state.punters.length) : 1
    return ({ seat, type }) => ({ round, seat, lines: 1, marks: marksOf(state, seat, type) })
  },
  /** The change of the punter's score by a move. Futures that are named are not kept yet, and not a loss. */
  swings({ punters }, { seat, type }) {
    const punter = punters[seat]
    if (punter === undefined || type === 'ready') return () => []
    const before = scoreOf(punter)
    return () => {
      const amount = scoreOf(punter) - before
      return amount === 0 ? [] : [{ seat, amount }]
    }
  },
}

function marksOf({ punters }: State, seat: number, type: Input['type']): readonly OutlineMark[] {
  const { zombie, refused } = punters[seat]!
  if (zombie !== null) return [{ seat, kind: 'removed' }]
  if (type === 'fault') return [{ seat, kind: 'fault' }]
  return type === 'move' && refused !== null ? [{ seat, kind: 'voided' }] : []
}
