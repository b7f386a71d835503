import type { Game, PlayerAction } from '../../contract/game/game.ts'
import type { Seat } from '../../contract/game/table.ts'
import { answer, type Answer } from './answer.ts'
import { config, mapProblem, newContestSettings, type Config } from './config.ts'
import { contests } from './contests/pods.ts'
import { input, type Input } from './input.ts'
import { programMessages, type Message } from './messages.ts'
import { inPoints } from './points.ts'
import { referee } from './referee.ts'
import { rules } from './rules.ts'
import { script } from './script.ts'
import { tables } from './tables/tables.ts'
import { COPS, type State, foundOf } from './state.ts'
import { narrator } from './narration/narrator.ts'
import type { View } from './view.ts'
import { copsWire } from './wire/wire.ts'
import type { Outliner, OutlineMark } from '../../contract/game/outline.ts'

/** The robber's level is its loot as every cop knows it, without what pushes have cost; a cop's is its evidence and the elections of its brain. A round is a world. */
export const outline: Outliner<State, Input> = {
  levels: (state) => [state.loot, ...COPS.map((seat) => foundOf(state, seat) + state.brains[seat]!.elected)],
  input({ world, brains }) {
    return ({ seat, type }) => ({ round: world + 1, seat, lines: 1, marks: marksOf({ brains }, seat, type) })
  },
  /** The change of the robber's loot. */
  swings(state) {
    const before = state.loot
    return () => {
      const amount = state.loot - before
      return amount === 0 ? [] : [{ seat: 0, amount }]
    }
  },
}

function marksOf({ brains }: Pick<State, 'brains'>, seat: number, type: Input['type']): readonly OutlineMark[] {
  const { disqualified, refused, out } = brains[seat]!
  if (disqualified !== null || out) return [{ seat, kind: 'removed' }]
  if (type === 'fault') return [{ seat, kind: 'fault' }]
  return refused === null ? [] : [{ seat, kind: 'voided' }]
}

/** Cops & Robbers: the programming contest of ICFP 2005. */
export const cops: Game<Config, State, Input, Message, Answer, View> = {
  id: 'cops',
  title: 'Cops & Robbers',
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
    // The first phase has one reading.
    renewed: (older) => (older.rules === '2005-twist' ? { ...newContestSettings, ...older } : older),
    texts: { map: { kind: 'map', ending: 'wsk', byHash: true, problem: mapProblem } },
  },
  dialogue: { wire: copsWire },
  replay: { ready, actions },
  presentation: { outline, narrator, scoreText: (score) => String(inPoints(score)) },
  matches: { length: ({ lastWorld }) => lastWorld, limits: { startMs: 10_000, moveMs: 5_000 } },
  contests,
  agents: {
    trial: { config: { map: 'hamlet', lastWorld: 60 }, againstItself: true },
    example: { config: { map: 'hamlet' }, agents: ['baby', 'house', 'tartaglia'], seats: 2 },
    keptFromKits: ['tartaglia'],
    byStrength: ['baby', 'house', 'tartaglia'],
  },
  tables,
}

/**
 * Seat 0 is the robber's. With fewer than six entrants the last one takes the cops that are left; with `first: 'cop'` the first entrant is the
 * first cop and the second one the robber.
 */
function seats({ first }: Config, entrants: number): readonly Seat[] | string {
  if (entrants < 2 || entrants > 6) return 'Cops & Robbers is for two to six entrants.'
  const swapped = first === 'cop' && entrants < 6
  const cops = COPS.map((_, place) => Math.min(place + 1, entrants - 1))
  const order = swapped ? [1, 0, ...cops.slice(1).map((entrant) => entrant)] : [0, ...cops]
  return order.map((entrant, id) => ({ id, entrant, role: id === 0 ? 'robber' : 'cop', bodies: 1 }))
}

/** A person registers at once: at the hq a cop may still choose how it moves. */
function ready(message: Message): Answer | null {
  if (message.type !== 'register') return null
  return message.role === 'robber'
    ? { type: 'register', bot: 'Robber', ptype: 'robber' }
    : { type: 'register', bot: 'Cop', ptype: 'cop-foot' }
}

function actions(input: Input): readonly PlayerAction<Answer>[] {
  const { seat } = input
  if (input.type === 'fault') return [{ seat, fault: input.fault, gone: input.gone }]
  return [{ seat, answer: input.answer, ...(input.answer.type === 'register' ? { ready: true as const } : {}) }]
}
