import type { Game, PlayerAction } from '../../contract/game/game.ts'
import type { Outliner } from '../../contract/game/outline.ts'
import { config, mapOf, type Config } from './config.ts'
import { input, type Input } from './input.ts'
import { readMap } from './maps/server-config.ts'
import { contests } from './maps/tournament.ts'
import { answer, type Answer, type Message, programMessages } from './messages.ts'
import { narrator } from './narration/narrator.ts'
import { referee } from './referee.ts'
import { rules } from './rules.ts'
import type { State } from './state.ts'
import { tables } from './tables/tables.ts'
import type { View } from './view.ts'
import { native, nativeWire } from './wire/native.ts'

const outline: Outliner<State, Input> = {
  levels: ({ scores }) => [...scores],
  input:
    ({ step }) =>
    () => ({ round: step + 1, seat: null, lines: 1, marks: [] }),
  swings({ scores }) {
    const before = [...scores]
    return () =>
      [0, 1].flatMap((seat) => (scores[seat]! > before[seat]! ? [{ seat, amount: scores[seat]! - before[seat]! }] : []))
  },
}

/** Cows and Herders: the Multi-Agent Programming Contest of 2008. */
export const cows: Game<Config, State, Input, Message, Answer, View> = {
  id: 'cows',
  title: 'Cows and Herders',
  version: 1,
  config,
  input,
  answer,
  programMessages,
  seats: (settings, entrants) =>
    entrants === 2
      ? [0, 1].map((id) => ({ id, entrant: id, role: 'team', bodies: mapOf(settings).herders[id as 0 | 1].length }))
      : 'Cows and Herders is for two teams.',
  rules,
  referee,
  script: {
    methods: ['act'],
    nodeGlobals: true,
    adapter: `(exported) => {
  if (exported === null || exported === undefined || typeof exported.act !== 'function')
    return 'module.exports must have a function act(body, perception, team); write "module.exports = { act: (body, perception, team) => \\'skip\\' }"'
  let team = null
  return (message, body) => {
    if (message.type === 'start') {
      team ??= message
      return { ready: true }
    }
    return { action: exported.act(body, message, team) }
  }
}`,
  },
  settings: { texts: { map: { kind: 'map', ending: 'json', byHash: true, problem: mapProblem } } },
  dialogue: { nativeWire, network: { plain: true, rejoins: true, native } },
  replay: { ready: (message) => (message.type === 'start' ? { ready: true } : null), actions },
  presentation: { outline, narrator },
  matches: { length: ({ steps }) => steps, limits: { startMs: 10_000, moveMs: 2_000 } },
  contests,
  agents: {
    trial: { config: { map: 'small', steps: 60 }, entrants: 2 },
    singleMatch: { map: 'small', steps: 150 },
    example: { config: { map: 'meadow', steps: 300 }, agents: ['baby', 'herder', 'tartaglia'], seats: 2 },
    keptFromKits: ['tartaglia'],
    byStrength: ['baby', 'herder', 'tartaglia'],
  },
  tables,
}

function mapProblem(text: string): string | null {
  const read = readMap(text)
  return 'map' in read ? null : (read.problems[0] ?? null)
}

/** The history does not say why a body has no action: a time-out stands for every fault. */
function actions(input: Input): readonly PlayerAction<Answer>[] {
  return input.actions.flatMap((team, seat) =>
    team.map((action, body): PlayerAction<Answer> => {
      if (action !== null) return { seat, body, answer: { action } }
      return { seat, body, fault: { kind: 'timeout', text: 'The history has no action.' } }
    }),
  )
}
