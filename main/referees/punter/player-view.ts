import { config } from './config.ts'
import {
  type Answer,
  type MapMessage,
  type Message,
  type MoveMessage,
  type SetupMessage,
  type StopMessage,
  moveOf,
  type Move,
} from './messages.ts'
import { futuresOf } from './futures.ts'
import { rules } from './rules.ts'
import { isOver, scoreOf, turnOf, type State } from './state.ts'
import { viewOf, type View } from './view.ts'

export type { Move }

/** A line of a punter's dialogue: what it was told, or what it answered. */
export type DialogueLine = { readonly told: Message } | { readonly answered: Answer }

/** A match as one punter knows it: everything but the futures of others. */
export interface PlayerView {
  readonly me: number
  readonly state: State
  readonly view: View
  readonly map: MapMessage
  /** All moves so far, as everybody is told them; the seat of one follows from its number. */
  readonly moves: readonly Move[]
  /** The final scores; null: the match is not over. */
  readonly scores: StopMessage['scores'] | null
  /** Problems of the punter's last message, a sentence each. */
  readonly notes: readonly string[]
}

/** The effects of a move in the punter's turn. */
interface MovePreview {
  /** Why it would be a pass; null: it is legal. */
  readonly refusal: string | null
  /** The points that it adds to the score. */
  readonly gain: number
}

/**
 * Folds a punter's dialogue through the rules. A move that was answered and not yet reported counts as made, since the rules
 * decide it here as they do at the table. null: the match has not begun.
 */
export function playerViewFrom(dialogue: readonly DialogueLine[]): PlayerView | null {
  const setup = dialogue.flatMap((line) => ('told' in line && line.told.type === 'setup' ? [line.told] : []))[0]
  if (setup === undefined) return null
  const me = setup.punter
  const state = begun(setup, dialogue)
  const moves: Move[] = []
  const play = (move: Move): void => {
    moves.push(moveOf(turnOf(state), move))
    applyMove(state, move)
  }
  /** Plays the moves of the others until it is the punter's turn. */
  const playOthers = (told: readonly Move[]): void => {
    while (!isOver(state) && turnOf(state) !== me) play(told[turnOf(state)]!)
  }
  let last: MoveMessage | StopMessage | null = null
  /** The punter's answer to the last message; null: none yet. */
  let pending: Move | null = null
  for (const line of dialogue) {
    if ('answered' in line) {
      if (!('ready' in line.answered) && !('stopped' in line.answered)) pending = line.answered
    } else if (line.told.type !== 'setup') {
      const own = line.told.type === 'stop' ? pending : null
      if (last !== null && !isOver(state)) play(own ?? line.told.moves[me]!)
      playOthers(line.told.moves)
      last = line.told
      pending = null
    }
  }
  if (pending !== null && !isOver(state) && turnOf(state) === me) play(pending)
  return {
    me,
    state,
    view: viewOf(state, me),
    map: setup.map,
    moves,
    scores: last?.type === 'stop' ? last.scores : null,
    notes: last?.notes ?? [],
  }
}

/** The effects of a move in the punter's turn. The state stays as it is. */
export function previewMove({ state, me }: Pick<PlayerView, 'state' | 'me'>, move: Move): MovePreview {
  const copy = rules.load(rules.save(state), state.config, seatsOf(state.punters.length))
  applyMove(copy, move)
  const gain = scoreOf(copy.punters[me]!) - scoreOf(state.punters[me]!)
  return { refusal: copy.punters[me]!.refused, gain }
}

/** The futures that count, by the numbers of sites, and the faults of the others. */
export function previewFutures(
  { state }: Pick<PlayerView, 'state'>,
  futures: readonly { readonly source: number; readonly target: number }[],
): ReturnType<typeof futuresOf> {
  return futuresOf(futures, state.course)
}

/** The match in which everybody is ready, the punter with its futures. */
function begun({ map, punter, punters, settings }: SetupMessage, dialogue: readonly DialogueLine[]): State {
  const seats = seatsOf(punters)
  const state = rules.initial(config.parse({ map: JSON.stringify(map), ...settings }), seats, '')
  const futures = dialogue.flatMap((line) =>
    'answered' in line && 'ready' in line.answered ? (line.answered.futures ?? []) : [],
  )
  for (const { id } of seats) rules.apply(state, { type: 'ready', seat: id, futures: id === punter ? futures : [] })
  return state
}

function applyMove(state: State, move: Move): void {
  rules.apply(state, { type: 'move', seat: turnOf(state), move })
}

const seatsOf = (punters: number) =>
  Array.from({ length: punters }, (_, id) => ({ id, entrant: id, role: 'punter', bodies: 1 }))
