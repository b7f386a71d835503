import type { Game } from '../../contract/game/game.ts'
import { config, newContestSettings, type Config } from './config.ts'
import { input, type Input } from './input.ts'
import { programMessages } from './lines.ts'
import { answer, type Answer, type StartMessage, type TurnMessage } from './messages.ts'
import { native, nativeWire } from './native.ts'
import { referee } from './referee.ts'
import { rules, type State, type View, moverOf, onTable, scoresOf, worth } from './rules.ts'
import { script } from './script.ts'
import { spectatorView, narrator } from './narration/narrator.ts'
import { tables } from './tables/tables.ts'
import { wire } from './wire.ts'
import type { GameContests } from '../../contract/contests/contest-format.ts'
import type { Outliner, OutlineSwing } from '../../contract/game/outline.ts'

/** Each side's value of the last demand, turn by turn; after the end, of the deal. */
const outline: Outliner<State, Input> = {
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

/** The counts of contests of Haggling. */
export const contests: GameContests = {
  counts: [{ id: 'agreements', label: 'Agreed', per: 'Per agreement', of: ({ agreed }) => (agreed === true ? 1 : 0) }],
}

/** Haggling: the negotiation challenge of 2018, for two players. */
export const haggle: Game<Config, State, Input, StartMessage | TurnMessage, Answer, View> = {
  id: 'haggle',
  title: 'Haggling',
  version: 1,
  config,
  input,
  answer,
  programMessages,
  seats: (_config, entrants) =>
    entrants === 2
      ? [0, 1].map((id) => ({ id, entrant: id, role: 'negotiator', bodies: 1 }))
      : 'Haggling is for two players.',
  rules,
  referee,
  script,
  settings: { forNewContests: newContestSettings },
  dialogue: { wire, nativeWire, network: { plain: true, rejoins: false, native } },
  replay: {
    ready: ({ type }) => (type === 'start' ? { value: null } : null),
    // The recorded reason of a walkaway cannot be turned back into the side's answer.
    actions: (input) => (input.type === 'answer' ? [{ seat: input.seat, answer: { value: input.value } }] : []),
  },
  presentation: { outline, narrator, spectatorView },
  matches: { lanes: 2, length: ({ maxRounds }) => maxRounds },
  contests,
  agents: {
    example: { config: {}, agents: ['baby', 'conceder', 'hard', 'learner', 'tartaglia'], seats: 2 },
    keptFromKits: ['tartaglia'],
    byStrength: ['baby', 'conceder', 'learner', 'hard', 'tartaglia'],
  },
  tables,
}
