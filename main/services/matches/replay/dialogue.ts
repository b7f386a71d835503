import type { Arrival, Deed, ErasedGame, Post, RawTable, Seat } from '../../../contract/game.ts'
import type { SeatId, Sha256 } from '../../../contract/ids.ts'
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

/** A message to a seat. `wants`: which answer was expected; `reply`: that answer. */
export interface ToldMessage {
  readonly message: Json
  readonly wants: 'nothing' | 'readiness' | 'move'
  /** null: no answer was expected, or the match ended before. */
  readonly reply: Deed<Json> | null
}

/** Thrown to end the match early. */
class StopReplay extends Error {
  override readonly name = 'StopReplay'
}

/**
 * The messages to a seat up to and including its `move`th move (from 1), with its replies. The game's referee conducts
 * the match again while all players repeat what the history records. A string says that there is no such move, or that
 * the history contains something that cannot be replayed.
 */
export async function dialogueOf(
  match: ReplayedMatch,
  seat: SeatId,
  move: number,
): Promise<readonly ToldMessage[] | string> {
  const { game, config, seats, seed, inputs } = match
  const { retelling } = game
  if (retelling === undefined) return `Matches of ${game.title} cannot be replayed: the game has no \`retelling\`.`
  if (game.timed(config)) return 'This match cannot be replayed, because it depends on when its players answered.'
  const told: { message: Json; wants: ToldMessage['wants']; reply: Deed<Json> | null }[] = []
  /** The open questions by seat. */
  const asked = new Map<SeatId, { readonly question: number; readonly ready: Json | null; readonly at: number }>()
  const beginnings = beginningsIn(inputs, retelling)
  let questions = 0
  let moves = 0
  /** Inputs that the referee has committed. */
  let done = 0
  /** Inputs whose answers it was given: more, where it commits the answers of a round together. */
  let given = 0

  const tell = (post: Post, message: Json, wants: ToldMessage['wants']): number =>
    post.seat === seat ? told.push({ message, wants, reply: null }) - 1 : -1

  const table: RawTable = {
    seats,
    now: () => 0,
    // Referees of turn-based games use no randomness; their rules do.
    random: () => () => 0,
    ask({ post, message }) {
      const ready = retelling.ready(message)
      const at = tell(post, message, ready === null ? 'move' : 'readiness')
      asked.set(post.seat, { question: ++questions, ready, at })
      if (post.seat === seat && ready === null) moves++
      return questions
    },
    withdraw: () => undefined,
    tell(to, message) {
      for (const post of to) tell(post, message, 'nothing')
    },
    next() {
      for (const [who, { question, ready, at }] of asked) {
        if (ready === null) continue
        asked.delete(who)
        const deed = beginnings.get(who) ?? { seat: who, answer: ready }
        if (at >= 0) told[at]!.reply = deed
        return Promise.resolve(arrivalOf(deed, question))
      }
      given = Math.max(given, done)
      const input = inputs[given]
      const deed = input === undefined ? null : retelling.deed(input)
      if (deed === null) throw new StopReplay('the next input of the history is not an action of a player')
      const waiting = asked.get(deed.seat)
      if (waiting === undefined) throw new StopReplay('in the history a player answers that was not asked')
      asked.delete(deed.seat)
      given++
      if (waiting.at >= 0) told[waiting.at]!.reply = deed
      if (deed.seat === seat && moves >= move) throw new StopReplay('')
      return Promise.resolve(arrivalOf(deed, waiting.question))
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
  if (moves >= move) return told
  const had = `Seat ${seat} has ${moves} ${moves === 1 ? 'move' : 'moves'} in this match`
  return why === '' ? `${had}.` : `${had} that can be replayed: ${why}.`
}

/** What players did during start-up, as far as inputs record it; such inputs come before all others. */
function beginningsIn(
  inputs: readonly Json[],
  { deed }: NonNullable<ErasedGame['retelling']>,
): ReadonlyMap<SeatId, Deed<Json>> {
  const beginnings = new Map<SeatId, Deed<Json>>()
  for (const input of inputs) {
    const beginning = deed(input)
    if (beginning?.ready === undefined) break
    beginnings.set(beginning.seat, beginning)
  }
  return beginnings
}

function arrivalOf(deed: Deed<Json>, question: number): Arrival<Json> {
  const post = { seat: deed.seat, body: 0 }
  return 'fault' in deed
    ? { at: 0, post, type: 'fault', to: question, fault: deed.fault, gone: deed.gone ?? false }
    : { at: 0, post, type: 'answer', to: question, late: false, value: deed.answer, tookMs: 0 }
}
