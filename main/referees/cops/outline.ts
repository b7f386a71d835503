import type { Outliner, OutlineMark } from '../../contract/game/outline.ts'
import type { Input } from './input.ts'
import { COPS, foundOf, type State } from './state.ts'

/** The robber's level is its loot as every cop knows it, without what pushes have cost; a cop's is its evidence and the elections of its brain. A round is a world. */
export const outline: Outliner<State, Input> = {
  levels: (state) => [state.loot, ...COPS.map((seat) => foundOf(state, seat) + state.brains[seat]!.elected)],
  input({ world, brains }) {
    return ({ seat, type }) => ({ round: world + 1, seat, lines: 1, marks: marksOf({ brains }, seat, type) })
  },
  /** The change of the robber's loot. */
  swings(state) {
    const before = state.loot
    return () => {
      const amount = state.loot - before
      return amount === 0 ? [] : [{ seat: 0, amount }]
    }
  },
}

function marksOf({ brains }: Pick<State, 'brains'>, seat: number, type: Input['type']): readonly OutlineMark[] {
  const { disqualified, refused, out } = brains[seat]!
  if (disqualified !== null || out) return [{ seat, kind: 'removed' }]
  if (type === 'fault') return [{ seat, kind: 'fault' }]
  return refused === null ? [] : [{ seat, kind: 'voided' }]
}
