import type { Seat } from '../../../contract/game/table.ts'
import type { SeatId } from '../../../contract/ids.ts'
import type { Input } from '../../../referees/punter/input.ts'
import { rules } from '../../../referees/punter/rules.ts'
import { futureScore, isOver, scoreOf, turnOf, type State } from '../../../referees/punter/state.ts'
import type { GameLog, LoggedTurn } from './game-log.ts'
import { punterConfig } from './settings.ts'

/** The scores of a logged game under the rules, by seat, and the differences from the official server's. */
export interface Rescored {
  readonly scores: readonly number[]
  readonly futures: readonly number[]
  readonly credits: readonly number[]
  readonly options: readonly number[]
  /** A sentence for each difference, and for each move that the rules refuse. */
  readonly differences: readonly string[]
}

/** Replays a logged game under the rules. `map`: the text of its map. Throws ExpectedError 'usage' if the map cannot be played. */
export function rescore(log: GameLog, map: string): Rescored {
  const seats: readonly Seat[] = Array.from({ length: log.punters }, (_, id) => ({
    id,
    entrant: id,
    role: 'punter',
    bodies: 1,
  }))
  const state = rules.initial(punterConfig({ map, ...log.settings }), seats, '')
  const differences: string[] = []
  const apply = (input: Input): void => {
    const refusal = rules.apply(state, input)
    if (refusal !== null) differences.push(refusal)
  }
  for (const { id } of seats) {
    apply(log.failed.has(id) ? faultOf(id, 'gone') : { type: 'ready', seat: id, futures: [...log.futures[id]!] })
  }
  for (const [number, turn] of log.turns.entries()) {
    // The rules pass for zombies.
    if (number < state.moves) continue
    if (isOver(state)) {
      if (turn.type === 'move' && !('pass' in turn.move)) differences.push(`Move ${number} comes after the end.`)
      continue
    }
    const seat = turnOf(state)
    apply(inputOf(seat, turn))
    const { refused } = state.punters[seat]!
    if (turn.type === 'move' && refused !== null) differences.push(`Move ${number}, of punter ${seat}: ${refused}`)
  }
  if (!isOver(state)) differences.push(`The game ends after ${state.moves} of ${state.course.rivers.length} moves.`)
  const found = resultOf(state)
  return { ...found, differences: [...differences, ...differencesOf(found, log)] }
}

function inputOf(seat: SeatId, turn: LoggedTurn): Input {
  return turn.type === 'move' ? { type: 'move', seat, move: turn.move } : faultOf(seat, turn.type)
}

function faultOf(seat: SeatId, type: 'timeout' | 'gone'): Input {
  const kind = type === 'gone' ? 'crash' : 'timeout'
  return { type: 'fault', seat, fault: { kind, text: `In the log: ${type}.` }, gone: type === 'gone' }
}

function resultOf({ punters }: State): Omit<Rescored, 'differences'> {
  return {
    scores: punters.map(scoreOf),
    futures: punters.map(futureScore),
    credits: punters.map(({ credit }) => credit),
    options: punters.map(({ options }) => options),
  }
}

function differencesOf(found: Omit<Rescored, 'differences'>, { official }: GameLog): readonly string[] {
  return (['scores', 'futures', 'credits', 'options'] as const).flatMap((field) =>
    official[field].flatMap((value, seat) => {
      const own = found[field][seat]!
      return value === null || value === own ? [] : [`Punter ${seat}, ${field}: ${own}, officially ${value}.`]
    }),
  )
}
