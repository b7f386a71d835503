import type { Narrator } from '../../../contract/game/narration.ts'
import type { Input } from '../input.ts'
import { scoreOf, type State } from '../state.ts'
import { toldTurn } from './sentences.ts'

/** Every move, with the reason for a refused one; then the scores as they stand, futures included. */
export const narrator: Narrator<State, Input> = {
  input: (state, names) => (input) => [
    { text: `${names[input.seat] ?? ''} ${toldTurn(state, input).text}`, rule: null },
  ],
  standing: ({ punters }, names) => [
    `Scores: ${punters.map((punter, seat) => `${names[seat] ?? ''} ${scoreOf(punter)}`).join(', ')}.`,
  ],
}
