import type { Game } from '../../contract/game/game.ts'
import { config, newContestSettings, type Config } from './config.ts'
import { input, type Input } from './input.ts'
import { answer, type Answer, type StartMessage, type TurnMessage } from './messages.ts'
import { native, nativeWire } from './native.ts'
import { outline } from './outline.ts'
import { referee } from './referee.ts'
import { rules, type State, type View } from './rules.ts'
import { script } from './script.ts'
import { spectatorView, narrator } from './narration/narrator.ts'
import { wire } from './wire.ts'
import type { GameContests } from '../../contract/contests/contest-format.ts'

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
  agents: { keptFromKits: ['tartaglia'] },
}
