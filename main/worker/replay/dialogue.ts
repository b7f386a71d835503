import type { ErasedGame, PlayerAction } from '../../contract/game/game.ts'
import type { Arrival, Audience, Post, RawTable, RefereeLimits, Seat } from '../../contract/game/table.ts'
import type { SeatId, Sha256 } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import { canonicalText } from '../../histories/canonical.ts'

/** A match that has been played. */
export interface ReplayedMatch {
  readonly game: ErasedGame
  /** Complete, with defaults. */
  readonly config: Json
  readonly seats: readonly Seat[]
  readonly seed: Sha256
  /** From the beginning, at least as far as the match is conducted again. */
  readonly inputs: readonly Json[]
  /** Those of the match; absent: the limits of the messages do not matter. */
  readonly limits?: RefereeLimits
}

/** A message to a body of a seat. `wants`: which answer was expected; `reply`: that answer. */
export interface ToldMessage {
  readonly body: number
  readonly message: Json
  readonly wants: 'nothing' | 'readiness' | 'move'
  /** null: no answer was expected, or the match ended before. */
  readonly reply: PlayerAction<Json> | null
  /** For the answer, in ms. 0: none is expected. */
  readonly limitMs: number
  /** The number of messages to the seat that came before the answer. Infinity: none came. */
  readonly repliedAfter: number
  /** The index of the input that records the answer; null: none does. */
  readonly input: number | null
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

/** The purpose for which a match is conducted again. */
interface Purpose {
  /** The seat whose messages are collected. */
  readonly seat: SeatId
  /** A question was asked. `at`: its place among the messages to the seat; -1: to another one. */
  asked(post: Post, wants: ToldMessage['wants']): void
  /** The recorded answer to the message at this place was given. True: the match is not conducted any further. */
  answered(at: number): boolean
  /** The action that is given instead of a recorded one. */
  instead(action: PlayerAction<Json>, input: number): PlayerAction<Json>
  /** Called before the referee gets the next action. True: the match is not conducted any further. */
  isEnough(): boolean
  /** The referee commits an input that is not compared with the history. False: it is. */
  takes(input: Json, audience: Audience): boolean
}

/** A match that is being conducted again, while all players repeat what the history records. */
interface Rerun {
  readonly match: ReplayedMatch
  readonly replay: NonNullable<ErasedGame['replay']>
  readonly purpose: Purpose
  readonly told: ToldMessage[]
  /** The open questions by post. */
  readonly asked: Map<string, OpenQuestion>
  /** The actions of players during start-up. */
  readonly beginnings: ReadonlyMap<string, PlayerAction<Json>>
  questions: number
  /** Inputs that the referee has committed. */
  done: number
  /** Inputs whose answers it was given: more, where it commits the answers of a round together. */
  given: number
  /** Answers of the last one of these that it was not given yet. */
  left: readonly PlayerAction<Json>[]
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
  const why = whyNotReplayed(match)
  if (why !== null) return why
  let moves = 0
  /** How many messages the seat was told with that of the move. */
  let last = 0
  const rerun = createRerun(match, {
    ...asRecorded,
    seat,
    asked(post, wants) {
      const isOwn = post.seat === seat && post.body === body && wants === 'move'
      if (isOwn && ++moves === move) last = rerun.told.length
    },
    answered: (at) => at === last - 1,
  })
  const stopped = await conduct(rerun)
  if (moves >= move) return rerun.told.slice(0, last)
  const bodies = match.seats[seat]?.bodies ?? 1
  const had = `Seat ${seat}${bodies > 1 ? `, body ${body}` : ''} has ${moves} ${moves === 1 ? 'move' : 'moves'} in this match`
  return stopped === '' ? `${had}.` : `${had} that can be replayed: ${stopped}.`
}

/**
 * The messages to a seat up to the answers that an input of the history records. A string says why the match cannot be
 * conducted again so far.
 */
export async function dialogueBefore(
  match: ReplayedMatch,
  seat: SeatId,
  input: number,
): Promise<readonly ToldMessage[] | string> {
  const why = whyNotReplayed(match)
  if (why !== null) return why
  const answers = playedBy(match, seat, input).length
  let answered = 0
  const rerun = createRerun(match, {
    ...asRecorded,
    seat,
    answered: (at) => rerun.told[at]?.input === input && ++answered === answers,
  })
  const stopped = await conduct(rerun)
  if (answered < answers || answers === 0)
    return `The match cannot be replayed up to there: ${stopped || 'it ends before'}.`
  const last = rerun.told.findLastIndex((each) => each.input === input)
  return rerun.told.slice(0, last + 1)
}

/** An input that a referee committed. */
export interface CommittedInput {
  readonly input: Json
  readonly audience: Audience
}

/**
 * The inputs that the referee commits when a seat gives these answers, by body, instead of those that an input of the
 * history records: up to its next wait for an answer. `from`: the number of inputs before the first one. A string says why
 * the match cannot be conducted again so far.
 */
export async function inputsAfter(
  match: ReplayedMatch,
  seat: SeatId,
  input: number,
  answers: ReadonlyMap<number, PlayerAction<Json>>,
): Promise<{ readonly from: number; readonly inputs: readonly CommittedInput[] } | string> {
  const inputs: CommittedInput[] = []
  let replaced = 0
  let from = 0
  const wanted = playedBy(match, seat, input).length
  const rerun = createRerun(match, {
    ...asRecorded,
    seat,
    instead(action, index) {
      if (index !== input || action.seat !== seat) return action
      if (replaced++ === 0) from = rerun.done
      return answers.get(action.body ?? 0) ?? action
    },
    isEnough: () => inputs.length > 0 && rerun.left.length === 0,
    takes(committed, audience) {
      if (replaced === 0) return false
      inputs.push({ input: committed, audience })
      return true
    },
  })
  const stopped = await conduct(rerun)
  if (replaced < wanted || inputs.length === 0)
    return `The match cannot be replayed up to there: ${stopped || 'it ends before'}.`
  return { from, inputs }
}

/** The actions of a seat that an input records, without those of start-up. */
export function playedBy(
  { game, inputs }: Pick<ReplayedMatch, 'game' | 'inputs'>,
  seat: SeatId,
  input: number,
): readonly PlayerAction<Json>[] {
  const recorded = inputs[input]
  if (recorded === undefined || game.replay === undefined) return []
  return game.replay.actions(recorded).filter((action) => action.seat === seat && action.ready === undefined)
}

/** Why matches of a game with this config are not replayed, in a sentence; null: they are. */
export function whyNotReplayed({ game, config }: Pick<ReplayedMatch, 'game' | 'config'>): string | null {
  if (game.replay === undefined) return `Matches of ${game.title} cannot be replayed: the game has no \`replay\`.`
  if (game.matches.timed(config))
    return 'This match cannot be replayed, because it depends on when its players answered.'
  return null
}

const asRecorded: Omit<Purpose, 'seat'> = {
  asked: () => undefined,
  answered: () => false,
  instead: (action) => action,
  isEnough: () => false,
  takes: () => false,
}

function createRerun(match: ReplayedMatch, purpose: Purpose): Rerun {
  const replay = match.game.replay!
  return {
    ...{ match, replay, purpose, told: [], asked: new Map(), beginnings: beginningsIn(match.inputs, replay) },
    ...{ questions: 0, done: 0, given: 0, left: [] },
  }
}

/** Conducts the match until the purpose is reached, or it cannot go on. Returns why it stopped; '': no reason. */
async function conduct(rerun: Rerun): Promise<string> {
  const { game, config, seats, seed, limits = { startMs: 1, moveMs: 1 } } = rerun.match
  const table: RawTable = {
    seats,
    now: () => 0,
    // Referees of turn-based games use no randomness; their rules do.
    random: () => () => 0,
    ask: ({ post, message, limitMs }) => ask(rerun, post, message, limitMs),
    withdraw: () => undefined,
    tell(to, message) {
      for (const post of to) tell(rerun, post, message, 'nothing', 0)
    },
    next: () => Promise.resolve(nextArrival(rerun)),
    dismiss: () => undefined,
    input(_at, audience, input) {
      if (rerun.purpose.takes(input, audience)) return
      if (canonicalText(input) !== canonicalText(rerun.match.inputs[rerun.done] ?? null))
        throw new StopReplay('the current rules give a different result')
      rerun.done++
    },
    fault: () => undefined,
    console: () => undefined,
  }
  try {
    await game.conduct(table, config, seed, limits)
    return ''
  } catch (error) {
    if (error instanceof StopReplay) return error.message
    throw error
  }
}

/** The message's place among those to the seat; -1: it is to another one. */
function tell(rerun: Rerun, post: Post, message: Json, wants: ToldMessage['wants'], limitMs: number): number {
  if (post.seat !== rerun.purpose.seat) return -1
  const none = { reply: null, repliedAfter: Infinity, input: null }
  return rerun.told.push({ body: post.body, message, wants, limitMs, ...none }) - 1
}

function ask(rerun: Rerun, post: Post, message: Json, limitMs: number): number {
  const ready = rerun.replay.ready(message)
  const wants = ready === null ? 'move' : 'readiness'
  const at = tell(rerun, post, message, wants, limitMs)
  const question = ++rerun.questions
  rerun.asked.set(keyOf(post), { post, question, ready, at })
  rerun.purpose.asked(post, wants)
  return question
}

function nextArrival(rerun: Rerun): Arrival<Json> {
  const { asked, beginnings, match, replay, purpose } = rerun
  for (const [key, { post, question, ready, at }] of asked) {
    if (ready === null) continue
    asked.delete(key)
    const action = beginnings.get(key) ?? { ...post, answer: ready }
    note(rerun, at, action, null)
    return arrivalOf(action, question)
  }
  if (purpose.isEnough()) throw new StopReplay('')
  if (rerun.left.length === 0) {
    rerun.given = Math.max(rerun.given, rerun.done)
    const input = match.inputs[rerun.given++]
    rerun.left = input === undefined ? [] : replay.actions(input)
  }
  const [recorded, ...others] = rerun.left
  if (recorded === undefined) throw new StopReplay('the next input of the history is not an action of a player')
  rerun.left = others
  const key = keyOf(postOf(recorded))
  const waiting = asked.get(key)
  if (waiting === undefined) throw new StopReplay('in the history a player answers that was not asked')
  asked.delete(key)
  const input = rerun.given - 1
  note(rerun, waiting.at, recorded, input)
  if (waiting.at >= 0 && purpose.answered(waiting.at)) throw new StopReplay('')
  return arrivalOf(purpose.instead(recorded, input), waiting.question)
}

/** Notes the answer to the message at this place. */
function note({ told }: Rerun, at: number, reply: PlayerAction<Json>, input: number | null): void {
  if (at >= 0) told[at] = { ...told[at]!, reply, input, repliedAfter: told.length }
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
