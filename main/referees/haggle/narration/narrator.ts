import type { Narrator } from '../../../contract/game/narration.ts'
import type { Input } from '../input.ts'
import { shareInWords } from '../objects.ts'
import { onTable, sharesOf, type State } from '../rules.ts'

/** Every demand with what it leaves to the other side, and its value to both sides. */
export const narrator: Narrator<State, Input> = {
  input: (state, names) => (input) => {
    const { ending } = state
    const [who, other] = [names[input.seat] ?? '', names[1 - input.seat] ?? '']
    if (ending?.type === 'abort') return [{ text: `${who} walks away: ${ending.reason}`, rule: null }]
    if (state.offers.at(-1) === null) return [{ text: `${who} accepts.`, rule: null }]
    const shares = sharesOf(state)
    const [own, rest] = [shares?.[input.seat] ?? [], shares?.[1 - input.seat] ?? []]
    const end = ending === null ? [] : [{ text: 'That was the last turn: there is no agreement.', rule: null }]
    return [
      { text: `${who} wants ${shareInWords(own)} and leaves ${other} ${shareInWords(rest)}.`, rule: null },
      ...end,
    ]
  },
  standing(state, names) {
    if (state.ending !== null || state.offers.length === 0) return []
    return [
      `On the table: ${onTable(state)
        .map((worth, seat) => `$${worth} for ${names[seat] ?? ''}`)
        .join(', ')}.`,
    ]
  },
}
