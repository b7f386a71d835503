import type { Arrival, PlayerAction, ErasedGame, Post, RawTable, Seat } from '../../../contract/game/game.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import type { Json } from '../../../contract/json.ts'
import { canonicalText } from '../../../histories/canonical.ts'

/** A match that has been played. */
export interface ReplayedMatch {
  readonly game: ErasedGame
  /** Complete, with defaults. */
  readonly config: Json
  readonly seats: readonly Seat[]
  readonly seed: Sha256
  readonly inputs: readonly Json[]
}

/** A message to a body of a seat. `wants`: which answer was expected; `reply`: that answer. */
export interface ToldMessage {
  readonly body: number
  readonly message: Json
  readonly wants: 'nothing' | 'readiness' | 'move'
  /** null: no answer was expected, or the match ended before. */
  readonly reply: PlayerAction<Json> | null
}

interface OpenQuestion {
  readonly post: Post
  readonly question: number
  /** The answer to a message that starts an agent; null: it asks for a move. */
  readonly ready: Json | null
  /** Its place among the messages to the seat; -1: it is to another one. */
  readonly at: number
}

/** Thrown to end the match early. */
class StopReplay extends Error {
  override readonly name = 'StopReplay'
}

/**
 * The messages to a seat up to and including the one that asks the post for its `move`th move (from 1), with the seat's
 * replies. The game's referee conducts the match again while all players repeat what the history records. A string says
 * that there is no such move, or that the history contains something that cannot be replayed.
 */
export async function dialogueOf(
  match: ReplayedMatch,
  { seat, body }: Post,
  move: number,
): Promise<readonly ToldMessage[] | string> {
  const { game, config, seats, seed, inputs } = match
  const { replay } = game
  if (replay === undefined) return `Matches of ${game.title} cannot be replayed: the game has no \`replay\`.`
  if (game.matches.timed(config))
    return 'This match cannot be replayed, because it depends on when its players answered.'
  const told: { body: number; message: Json; wants: ToldMessage['wants']; reply: PlayerAction<Json> | null }[] = []
  /** The open questions by post. */
  const asked = new Map<string, OpenQuestion>()
  const beginnings = beginningsIn(inputs, replay)
  let questions = 0
  let moves = 0
  /** Inputs that the referee has committed. */
  let done = 0
  /** Inputs whose answers it was given: more, where it commits the answers of a round together. */
  let given = 0
  /** Answers of the last one of these that it was not given yet. */
  let left: readonly PlayerAction<Json>[] = []
  /** How many messages the seat was told with that of the move. */
  let last = 0

  const tell = (post: Post, message: Json, wants: ToldMessage['wants']): number =>
    post.seat === seat ? told.push({ body: post.body, message, wants, reply: null }) - 1 : -1

  const table: RawTable = {
    seats,
    now: () => 0,
    // Referees of turn-based games use no randomness; their rules do.
    random: () => () => 0,
    ask({ post, message }) {
      const ready = replay.ready(message)
      const at = tell(post, message, ready === null ? 'move' : 'readiness')
      asked.set(keyOf(post), { post, question: ++questions, ready, at })
      if (post.seat === seat && post.body === body && ready === null && ++moves === move) last = told.length
      return questions
    },
    withdraw: () => undefined,
    tell(to, message) {
      for (const post of to) tell(post, message, 'nothing')
    },
    next() {
      for (const [key, { post, question, ready, at }] of asked) {
        if (ready === null) continue
        asked.delete(key)
        const action = beginnings.get(key) ?? { ...post, answer: ready }
        if (at >= 0) told[at]!.reply = action
        return Promise.resolve(arrivalOf(action, question))
      }
      if (left.length === 0) {
        given = Math.max(given, done)
        const input = inputs[given++]
        left = input === undefined ? [] : replay.actions(input)
      }
      const [action, ...others] = left
      if (action === undefined) throw new StopReplay('the next input of the history is not an action of a player')
      left = others
      const key = keyOf(postOf(action))
      const waiting = asked.get(key)
      if (waiting === undefined) throw new StopReplay('in the history a player answers that was not asked')
      asked.delete(key)
      if (waiting.at >= 0) told[waiting.at]!.reply = action
      if (waiting.at >= 0 && waiting.at === last - 1) throw new StopReplay('')
      return Promise.resolve(arrivalOf(action, waiting.question))
    },
    dismiss: () => undefined,
    input(_at, _audience, input) {
      if (canonicalText(input) !== canonicalText(inputs[done] ?? null))
        throw new StopReplay('the current rules give a different result')
      done++
    },
    fault: () => undefined,
    console: () => undefined,
  }

  let why = ''
  try {
    await game.conduct(table, config, seed, { startMs: 1, moveMs: 1 })
  } catch (error) {
    if (!(error instanceof StopReplay)) throw error
    why = error.message
  }
  if (moves >= move) return told.slice(0, last)
  const bodies = seats[seat]?.bodies ?? 1
  const had = `Seat ${seat}${bodies > 1 ? `, body ${body}` : ''} has ${moves} ${moves === 1 ? 'move' : 'moves'} in this match`
  return why === '' ? `${had}.` : `${had} that can be replayed: ${why}.`
}

/** The actions of players during start-up, as far as inputs record it; such inputs come before all others. */
function beginningsIn(
  inputs: readonly Json[],
  { actions }: NonNullable<ErasedGame['replay']>,
): ReadonlyMap<string, PlayerAction<Json>> {
  const beginnings = new Map<string, PlayerAction<Json>>()
  for (const input of inputs) {
    const found = actions(input)
    if (found.length === 0 || found.some(({ ready }) => ready === undefined)) break
    for (const beginning of found) beginnings.set(keyOf(postOf(beginning)), beginning)
  }
  return beginnings
}

const keyOf = ({ seat, body }: Post): string => `${seat}:${body}`
const postOf = ({ seat, body = 0 }: PlayerAction<Json>): Post => ({ seat, body })

function arrivalOf(action: PlayerAction<Json>, question: number): Arrival<Json> {
  const post = postOf(action)
  return 'fault' in action
    ? { at: 0, post, type: 'fault', to: question, fault: action.fault, gone: action.gone ?? false }
    : { at: 0, post, type: 'answer', to: question, late: false, value: action.answer, tookMs: 0 }
}
