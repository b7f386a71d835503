import type { Narrator } from '../../../contract/game/narration.ts'
import type { Input } from '../input.ts'
import { shareInWords } from '../objects.ts'
import { onTable, sharesOf, type State, rules, type View } from '../rules.ts'
import type { SpectatorView } from '../../../contract/game/live-match.ts'
import type { Config } from '../config.ts'

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

/** The objects and the demands, which both sides know. */
export type Scene = Pick<View, 'counts' | 'maxRounds' | 'offers' | 'turn'>

/** Values are secret until the end, and so is the scenario's number, from which they follow. */
export const spectatorView: SpectatorView<Config, State, Input> = {
  ground: () => ({}),
  scene(state) {
    const { counts, maxRounds, offers, turn } = rules.view(state, 'public')
    return { counts, maxRounds, offers, turn } satisfies Scene
  },
  input: (state, names) => narrator.input(state, names),
}
