import type { Rules } from '../../../../main/contract/game/game.ts'
import { eraseStory, type Digest, type GameWindow, type ScenePart } from '../../../../renderer/games/game.ts'
import { foldStretch, type Reader } from '../../../../renderer/games/fold.ts'
import Total from './total.svelte'

interface State {
  total: number
  turns: number
}
type Input = { readonly seat: number; readonly add: number }
interface Count extends Digest {
  readonly seat: number
  readonly add: number
}
export type CountingPart = ScenePart<State, Count, { readonly unit: string }>

/** Two players add numbers below ten; a round is a turn of each. */
const rules: Rules<null, State, Input, State> = {
  initial: () => ({ total: 0, turns: 0 }),
  apply(state, { add }) {
    if (add > 9) return 'that is too much.'
    state.total += add
    state.turns += 1
    return null
  },
  view: (state) => ({ ...state }),
  save: ({ total, turns }) => ({ total, turns }),
  load: (saved) => ({ ...(saved as unknown as State) }),
  outcome: () => null,
}

const reader: Reader<State, Count, number> = {
  before: ({ turns }) => turns,
  after(_, { at, ...event }, turns) {
    const { seat, add } = event.kind === 'input' ? (event.input as unknown as Input) : { seat: 0, add: 0 }
    return { at, round: 1 + Math.floor(turns / 2), seat, add }
  },
}

/** A game that nobody plays but this test: the screens know nothing of it. */
export const counting: GameWindow = {
  id: 'counting',
  title: 'Counting',
  settings: () => Promise.reject(new Error('nobody sets it up')),
  story: () =>
    Promise.resolve(({ config, seed, facts }, viewer) =>
      eraseStory<State, Count, { readonly unit: string }>({
        stretch: (from, saved, events) =>
          foldStretch(rules, { config, seed, seats: facts.seats }, viewer, reader, from, saved, events),
        kept: { unit: 'Sum' },
        lines: ({ add }) => (add === 0 ? 1 : 2),
        line: ({ seat, add }, part, amounts) => ({
          seat,
          text: part === 0 ? `${facts.seats[seat]!.name} adds ${add}.` : `Told ${amounts}.`,
          rule: { name: 'Rule 1', title: '' },
          tone: 'plain',
        }),
        swing: (_, { seat, amount }) => `${facts.seats[seat]!.name} spends ${-amount}.`,
        state: ({ add }) => `After ${add}.`,
        amount: (level) => `${level} counted`,
        seats: ({ turns }) => ({ turn: turns % 2, out: new Set() }),
        picture: { title: 'The sum', note: 'over time', component: Total, table: Total },
        panels: [{ id: 'sum', label: 'Sum', count: ({ total }) => total, component: Total }],
        detail: Total,
      }),
    ),
}
