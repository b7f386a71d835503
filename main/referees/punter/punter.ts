import type { Game, PlayerAction } from '../../contract/game/game.ts'
import { config, courseOf, type Config } from './config.ts'
import { contests } from './rounds/rounds.ts'
import { input, type Input } from './input.ts'
import { answer, type Answer, type Message, programMessages } from './messages.ts'
import { readMapFile } from './map-file.ts'
import { native, onlineWire } from './online.ts'
import { offlineWire, readSubmittedPunter } from './offline.ts'
import { referee } from './referee.ts'
import { rules } from './rules.ts'
import { script } from './script.ts'
import { tables } from './tables/tables.ts'
import { type State, isSetUp, scoreOf } from './state.ts'
import { spectatorView, narrator } from './narration/narrator.ts'
import type { View } from './view.ts'
import type { Seat } from '../../contract/game/table.ts'
import type { Outliner, OutlineMark } from '../../contract/game/outline.ts'

/** Scores as they stand, futures among them. A round is a turn of each punter. */
export const outline: Outliner<State, Input> = {
  levels: ({ punters }) => punters.map(scoreOf),
  input(state) {
    const round = isSetUp(state) ? 1 + Math.floor(state.moves / state.punters.length) : 1
    return ({ seat, type }) => ({ round, seat, lines: 1, marks: marksOf(state, seat, type) })
  },
  /** The change of the punter's score by a move. Futures that are named are not kept yet, and not a loss. */
  swings({ punters }, { seat, type }) {
    const punter = punters[seat]
    if (punter === undefined || type === 'ready') return () => []
    const before = scoreOf(punter)
    return () => {
      const amount = scoreOf(punter) - before
      return amount === 0 ? [] : [{ seat, amount }]
    }
  },
}

function marksOf({ punters }: State, seat: number, type: Input['type']): readonly OutlineMark[] {
  const { zombie, refused } = punters[seat]!
  if (zombie !== null) return [{ seat, kind: 'removed' }]
  if (type === 'fault') return [{ seat, kind: 'fault' }]
  return type === 'move' && refused !== null ? [{ seat, kind: 'voided' }] : []
}

/** Lambda Punter: the programming contest of ICFP 2017. */
export const punter: Game<Config, State, Input, Message, Answer, View> = {
  id: 'punter',
  title: 'Lambda Punter',
  version: 1,
  config,
  input,
  answer,
  programMessages,
  seats: (_config, entrants) => seatsFor(entrants),
  rules,
  referee,
  script,
  settings: { texts: { map: { kind: 'map', ending: 'json', byHash: true, problem: mapProblem } } },
  dialogue: {
    moveWire: (settings, _post, _seats, host) => offlineWire(settings, host),
    nativeWire: onlineWire,
    network: { plain: true, rejoins: false, native },
  },
  // Futures are chosen at the beginning.
  replay: { ready, asksPerson: (message) => message.type === 'setup' && message.settings?.futures === true, actions },
  presentation: { outline, narrator, spectatorView },
  matches: {
    // A match ends when every river has had its turn.
    length: (settings) => Math.max(1, courseOf(settings).rivers.length),
    limits: { startMs: 10_000, moveMs: 1_000, stateBytes: 16_777_216 },
  },
  contests,
  agents: {
    trial: { config: { map: 'sample' } },
    example: { config: { map: 'grid' }, agents: ['baby', 'greedy', 'tartaglia'], seats: 3 },
    keptFromKits: ['tartaglia'],
    byStrength: ['baby', 'greedy', 'tartaglia'],
    submission: readSubmittedPunter,
  },
  tables,
}

/** A map whose faults can be repaired is a map; whether they are is a setting of the contest. */
function mapProblem(text: string): string | null {
  const read = readMapFile(text, true)
  return 'file' in read ? null : (read.problems[0] ?? null)
}

function ready(message: Message): Answer | null {
  if (message.type === 'setup') return { ready: message.punter }
  return message.type === 'stop' ? { stopped: true } : null
}

function actions(input: Input): readonly PlayerAction<Answer>[] {
  const { seat } = input
  if (input.type === 'move') return [{ seat, answer: input.move }]
  if (input.type === 'fault') {
    const { fault, gone, ready: isReady } = input
    return [{ seat, fault, gone, ...(isReady === undefined ? {} : { ready: isReady }) }]
  }
  const futures = input.futures.length === 0 ? {} : { futures: input.futures }
  return [{ seat, answer: { ready: seat, ...futures }, ready: true }]
}

/** As many as a history can hold. */
export const PUNTERS_MAX = 1_000

/** A seat for each punter; a string: why that number cannot play. */
function seatsFor(punters: number): readonly Seat[] | string {
  if (punters < 2) return 'Lambda Punter is for two punters and more.'
  if (punters > PUNTERS_MAX) return `Lambda Punter is for ${PUNTERS_MAX} punters at most.`
  return Array.from({ length: punters }, (_, id) => ({ id, entrant: id, role: 'punter', bodies: 1 }))
}
