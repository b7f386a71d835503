import type { SeatId } from '../../contract/ids.ts'
import { passOf, type Move, type MapMessage, type Settings, type SetupMessage, type StopMessage } from './messages.ts'
import { scoreOf, type State } from './state.ts'

/** The first message to each seat; the map is one object for all. */
export function setupMessages(state: State): readonly SetupMessage[] {
  const map = mapMessage(state)
  const settings = settingsOf(state)
  return state.punters.map((_, punter) => ({
    type: 'setup',
    punter,
    punters: state.punters.length,
    map,
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  }))
}

function mapMessage({ course: { file, ids, rivers, mines }, config: { coordinates } }: State): MapMessage {
  return {
    sites: file.sites.map(({ id, x, y }) =>
      coordinates && x !== undefined && y !== undefined ? { id, x, y } : { id },
    ),
    rivers: rivers.map(({ source, target }) => ({ source: ids[source]!, target: ids[target]! })),
    mines: mines.map((mine) => ids[mine]!),
  }
}

const settingsOf = ({ config: { futures, splurges, options } }: State): Settings => ({
  ...(futures ? { futures } : {}),
  ...(splurges ? { splurges } : {}),
  ...(options ? { options } : {}),
})

/** The last move of each punter. */
export const lastMoves = ({ punters }: State): readonly Move[] => punters.map(({ last }) => last)

/**
 * The last message to a punter. Its own last move, and those that it was told when it made that, are passes; edition 1.0
 * hides none of them, as its sample play has it.
 */
export function stopMessage(state: State, seat: SeatId): Omit<StopMessage, 'notes'> {
  const { punters, config } = state
  const known = punters[seat]!.lastAt
  return {
    type: 'stop',
    moves: punters.map(({ last, lastAt }, other) =>
      config.edition === '1.0' || lastAt > known ? last : passOf(other),
    ),
    scores: punters.map((punter, other) => ({ punter: other, score: scoreOf(punter) })),
  }
}
