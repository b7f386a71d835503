import type { Deed, Game } from '../../contract/game/game.ts'
import { config, mapOf, type Config } from './config.ts'
import { input, type Input } from './input.ts'
import { readMap } from './maps/read-map.ts'
import { contests } from './maps/tournament.ts'
import { answer, type Answer, type Message } from './messages.ts'
import { referee } from './referee.ts'
import { rules } from './rules.ts'
import type { State } from './state.ts'
import type { View } from './view.ts'
import { native } from './wire/native.ts'

/** Cows and Herders: the Multi-Agent Programming Contest of 2008. */
export const cows: Game<Config, State, Input, Message, Answer, View> = {
  id: 'cows',
  title: 'Cows and Herders',
  version: 1,
  config,
  input,
  answer,
  length: ({ steps }) => steps,
  seats: (settings, entrants) =>
    entrants === 2
      ? [0, 1].map((id) => ({ id, entrant: id, role: 'team', bodies: mapOf(settings).herders[id as 0 | 1].length }))
      : 'Cows and Herders is for two teams.',
  rules,
  outline: {
    levels: ({ scores }) => [...scores],
    input:
      ({ step }) =>
      () => ({ round: step + 1, seat: null, lines: 1, marks: [] }),
    swings({ scores }) {
      const before = [...scores]
      return () =>
        [0, 1].flatMap((seat) =>
          scores[seat]! > before[seat]! ? [{ seat, amount: scores[seat]! - before[seat]! }] : [],
        )
    },
  },
  referee,
  script: {
    methods: ['act'],
    nodeGlobals: true,
    adapter: `(exported) => {
  if (typeof exported.act !== 'function') return 'module.exports must have a function act(body, perception, team)'
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
  retelling: { ready: (message) => (message.type === 'start' ? { ready: true } : null), deeds },
  limits: { startMs: 10_000, moveMs: 2_000 },
  trial: { config: { map: 'small', steps: 60 }, entrants: 2 },
  example: { config: { map: 'meadow', steps: 300 }, agents: ['baby', 'herder', 'tartaglia'], seats: 2 },
  keptFromKits: ['tartaglia'],
  texts: {
    map: {
      kind: 'map',
      ending: 'json',
      byHash: true,
      problem(text) {
        const read = readMap(text)
        return 'map' in read ? null : (read.problems[0] ?? null)
      },
    },
  },
  network: { plain: true, rejoins: true, native },
  contests,
}

/** Of a body without an action the history tells nothing else: a time-out stands for every fault. */
function deeds({ actions }: Input): readonly Deed<Answer>[] {
  return actions.flatMap((team, seat) =>
    team.map((action, body): Deed<Answer> => {
      if (action !== null) return { seat, body, answer: { action } }
      return { seat, body, fault: { kind: 'timeout', text: 'The history has no action.' } }
    }),
  )
}
