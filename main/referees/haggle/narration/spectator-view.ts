import type { SpectatorView } from '../../../contract/game/live-match.ts'
import type { Config } from '../config.ts'
import type { Input } from '../input.ts'
import { rules, type State, type View } from '../rules.ts'
import { narrator } from './narrator.ts'

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
