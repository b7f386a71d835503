import type { Arrival, Deed, ErasedGame, Post, RawTable, Seat } from '../../../contract/game.ts'
import type { SeatId, Sha256 } from '../../../contract/ids.ts'
import type { Json } from '../../../contract/json.ts'
import { canonicalText } from '../../../histories/canonical.ts'

/** A match that has been played. */
export interface ReplayedMatch {
  readonly game: ErasedGame
  /** Complete: defaults filled in. */
  readonly config: Json
  readonly seats: readonly Seat[]
  readonly seed: Sha256
  readonly inputs: readonly Json[]
}

/** Something that a seat was told. `wants`: an answer was wanted, which was `reply`. */
export interface ToldMessage {
  readonly message: Json
  readonly wants: 'nothing' | 'readiness' | 'move'
  /** null: nothing was wanted, or the match ended before. */
  readonly reply: Deed<Json> | null
}

/** Ends the conducting when enough is known. */
class Enough extends Error {
  override readonly name = 'Enough'
}

/**
 * What a seat was told up to its `move`th move (from 1), that one included, with what it said then: the match is conducted
 * again by the game's own referee, and everybody says what the history has. A sentence where there is no such move, or where
 * the history has something that cannot be told back.
 */
export async function dialogueOf(
  match: ReplayedMatch,
  seat: SeatId,
  move: number,
): Promise<readonly ToldMessage[] | string> {
  const { game, config, seats, seed, inputs } = match
  const { retelling } = game
  if (retelling === undefined || game.timed(config)) return 'A match of this kind cannot be conducted again.'
  const told: { message: Json; wants: ToldMessage['wants']; reply: Deed<Json> | null }[] = []
  /** The questions that wait, by seat. */
  const asked = new Map<SeatId, { readonly question: number; readonly ready: Json | null; readonly at: number }>()
  const beginnings = beginningsIn(inputs, retelling)
  let questions = 0
  let moves = 0
  let done = 0

  const tell = (post: Post, message: Json, wants: ToldMessage['wants']): number =>
    post.seat === seat ? told.push({ message, wants, reply: null }) - 1 : -1

  const table: RawTable = {
    seats,
    now: () => 0,
    // No referee of a game that is turn by turn draws lots: its rules do.
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
      const input = inputs[done]
      const deed = input === undefined ? null : retelling.deed(input)
      if (deed === null) throw new Enough('the history goes on with something that players did not say')
      const waiting = asked.get(deed.seat)
      if (waiting === undefined) throw new Enough('the history has a player speak who was not asked')
      asked.delete(deed.seat)
      if (waiting.at >= 0) told[waiting.at]!.reply = deed
      if (deed.seat === seat && moves >= move) throw new Enough('')
      return Promise.resolve(arrivalOf(deed, waiting.question))
    },
    dismiss: () => undefined,
    input(_at, _audience, input) {
      if (canonicalText(input) !== canonicalText(inputs[done] ?? null))
        throw new Enough('the rules of today lead elsewhere')
      done++
    },
    fault: () => undefined,
    console: () => undefined,
  }

  let why = ''
  try {
    await game.conduct(table, config, seed, { startMs: 1, moveMs: 1 })
  } catch (error) {
    if (!(error instanceof Enough)) throw error
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
