import type { Json } from '../../contract/json.ts'
import type { Game, PlayerAction } from '../../contract/game/game.ts'
import type { Seat } from '../../contract/game/table.ts'
import { choicesOf } from './choices.ts'
import { textOf } from './language/concrete.ts'
import { challengeOf, config, newContestSettings, renewed, type Config } from './config.ts'
import { encountersOf } from './analysis/encounters.ts'
import { input, type Input } from './input.ts'
import { ENERGY, type Bundle, type Message, type TurnMessage, programMessages } from './messages.ts'
import { outline } from './analysis/outline.ts'
import { predicateTable, predicateTrade } from './analysis/predicate-trade.ts'
import { answer } from './language/reading.ts'
import { referee } from './referee/referee.ts'
import { rules } from './rules.ts'
import { script } from './script.ts'
import { narrator } from './narration/narrator.ts'
import { protocolOf, type State } from './state.ts'
import type { PublicView } from './referee/views.ts'
import { tables } from './tables/tables.ts'
import { energy } from './trading/violations.ts'
import { wire } from './language/wire.ts'

/** Short matches of small problems. */
const sampleConfig = {
  challenge: 'max-csp',
  challengeConfig: { maxVars: 12, maxConstraints: 220, maxWeight: 10 },
  maxTurns: 8,
}

/** The Specker Challenge Game, sections 4 and 5, in all its variants, for two or more players. */
export const specker: Game<Config, State, Input, Message, Bundle, TurnMessage | PublicView> = {
  id: 'specker',
  title: 'Specker Challenge Game',
  version: 1,
  config,
  input,
  answer,
  programMessages,
  seats,
  rules,
  referee,
  script,
  settings: {
    forNewContests: newContestSettings,
    renewed,
    texts: { challenge: { kind: 'challenge', settings: 'challengeConfig' } },
    subject: challengeName,
  },
  dialogue: {
    wire: (config) => wire(() => textOf(challengeOf(config)), protocolOf(config)),
    network: { plain: true, rejoins: false },
  },
  replay: { ready: ({ type }) => (type === 'start' ? { actions: [] } : null), actions },
  contests: { scoreUnit: ENERGY, energy: true },
  presentation: { outline, narrator, scoreText: energy },
  matches: {
    timed: (config) => choicesOf(config).mode === 'asynchronous',
    length: ({ maxTurns }) => maxTurns,
  },
  agents: {
    trial: { config: sampleConfig },
    example: {
      config: sampleConfig,
      agents: ['baby', 'cautious', 'gambler', 'greedy', 'minmax', 'reoffer-only', 'sampler', 'tartaglia'],
      seats: 4,
    },
    unable,
    keptFromKits: ['tartaglia'],
    byStrength: ['gambler', 'baby', 'reoffer-only', 'greedy', 'sampler', 'cautious', 'minmax', 'tartaglia'],
  },
  analyses: { encounters: encountersOf, parts: predicateTrade, partsTable: predicateTable },
  tables,
}

/** The challenges of which `minmax` knows the break-even values: see agents/specker/knowledge/known.ts. */
const ANALYSED = ['max-csp', 'max-sat']

function unable(agent: string, config: Json): string | null {
  const name = challengeName(config)
  if (agent !== 'minmax' || name === null || ANALYSED.includes(name)) return null
  return `cannot play the challenge ${name}: it plays only ${ANALYSED.join(' and ')}`
}

function actions(input: Input): readonly PlayerAction<Bundle>[] {
  if (input.type === 'turn') return [{ seat: input.seat, answer: { actions: input.actions } }]
  if (input.type !== 'fault') return []
  const { seat, fault, ready } = input
  return [{ seat, fault, ...(ready === undefined ? {} : { ready }) }]
}

function seats(config: Config, entrants: number): readonly Seat[] | string {
  const { init } = config
  if (entrants < 2) return 'The Specker Challenge Game needs at least two players.'
  if (choicesOf(config).mode === 'mega-moves' && entrants > 2) return `Mega-moves are for two players, not ${entrants}.`
  if (!Number.isSafeInteger(init * entrants)) {
    return `With ${entrants} players the accounts add up to more than ${Number.MAX_SAFE_INTEGER}; choose a smaller init.`
  }
  return Array.from({ length: entrants }, (_, id) => ({ id, entrant: id, role: 'player', bodies: 1 }))
}

/** The name of the challenge in a config, which contains its name or its whole file; null: it has none. */
function challengeName(config: Json): string | null {
  if (typeof config !== 'object' || config === null || !('challenge' in config)) return null
  const { challenge } = config
  if (typeof challenge !== 'string') return null
  const [, named] = /^\s*challenge\s+([a-z][a-z0-9-]*)/m.exec(challenge) ?? []
  return named ?? (/^[a-z][a-z0-9-]*$/.test(challenge) ? challenge : null)
}
