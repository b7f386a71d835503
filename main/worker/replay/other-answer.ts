import { beginningOf } from '../../contract/beginning.ts'
import type { ErasedGame, PlayerAction } from '../../contract/game/game.ts'
import type { SeatRecord } from '../../contract/game/table.ts'
import type { Fault } from '../../contract/faults.ts'
import type { SeedDerivation } from '../../contract/histories/history.ts'
import { QUOTED_CHARACTERS_MAX, type AskedMessage, type OtherAnswer } from '../../contract/histories/other-answers.ts'
import type { GameId, SeatId, Sha256 } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import type { ClockMode, IsolationTier, Limits } from '../../contract/limits.ts'
import type { Player, PlayerEvent } from '../../contract/players/player.ts'
import { canonicalText } from '../../histories/canonical.ts'
import { seedOfPlayer } from '../../histories/derived-seeds.ts'
import { eventsAt, type MatchPlace } from '../../histories/segments/match-place.ts'
import { bankOf } from '../table.ts'
import {
  dialogueBefore,
  inputsAfter,
  playedBy,
  whyNotReplayed,
  type ReplayedMatch,
  type ToldMessage,
} from './dialogue.ts'

/** A question of a finished match for another agent, as described by the match's header, config and outcome. */
export interface OtherAnswerOrder {
  readonly place: MatchPlace
  readonly game: GameId
  readonly version: number
  readonly config: Json
  readonly seats: readonly SeatRecord[]
  readonly seed: Sha256
  readonly seeds: SeedDerivation
  readonly limits: Limits
  readonly clock: ClockMode
  readonly seat: SeatId
  /** The number of events that the viewer shows. */
  readonly position: number
  readonly agent: Sha256
  /** The tier in which the agent runs. */
  readonly isolation: IsolationTier
}

/** Reports of such a question: its progress (`part`: 0 to 1), then the answer, or why there is none. */
export type OtherAnswerReport =
  | { readonly type: 'part'; readonly part: number }
  | { readonly type: 'answered'; readonly answer: OtherAnswer }
  /** `reason`: a sentence. */
  | { readonly type: 'unanswered'; readonly reason: string }

/** Seats the agent; `seedOf`: the seed of each of its bodies. */
export type SeatAgent = (
  seat: SeatRecord,
  seedOf: (body: number) => string,
  emit: (event: PlayerEvent) => void,
) => Player

/** A match as far as it is needed: `event` is the index of each of its inputs among all events. */
interface ReadSoFar {
  readonly inputs: readonly Json[]
  readonly event: readonly number[]
  /** ms on the match clock, of each input. */
  readonly at: readonly number[]
  /** The input that records the answer in question; null: the seat has never answered. */
  readonly target: number | null
}

/** Inputs that are read beyond the question, for a referee that commits the answers of a round together. */
const AHEAD = 64
/** ms between two reports of progress. */
const REPORT_MS = 100
/** Printed lines that are kept, and characters of each. */
const CONSOLE_LINES = 20
const CONSOLE_CHARACTERS = 1_000

/**
 * Asks an agent the recorded questions of a seat, up to the moment that the viewer shows, and conducts the match one step on
 * with its answer. Rejects if the agent's process is killed from outside, or because of a bug.
 */
export async function otherAnswer(
  game: ErasedGame | undefined,
  order: OtherAnswerOrder,
  seatAgent: SeatAgent,
  report: (report: OtherAnswerReport) => void,
): Promise<void> {
  const answer = await answerOf(game, order, seatAgent, (part) => report({ type: 'part', part }))
  report(typeof answer === 'string' ? { type: 'unanswered', reason: answer } : { type: 'answered', answer })
}

async function answerOf(
  game: ErasedGame | undefined,
  order: OtherAnswerOrder,
  seatAgent: SeatAgent,
  onPart: (part: number) => void,
): Promise<OtherAnswer | string> {
  const { version, config, seats, seed, limits, seat } = order
  if (game === undefined || game.version !== version)
    return `The rules of ${order.game}, version ${version}, are not available.`
  const why = whyNotReplayed({ game, config })
  if (why !== null) return why
  const read = readSoFar(game, order)
  const { inputs, event, target } = read
  if (target === null) return 'This seat was never asked for a move that the history records.'
  const plain = seats.map(({ id, entrant, role, bodies }) => ({ id, entrant, role, bodies }))
  const match: ReplayedMatch = { game, config, seats: plain, seed, inputs, limits }
  const told = await dialogueBefore(match, seat, target)
  if (typeof told === 'string') return told
  const asked = await askAgent(order, told, seatAgent, onPart)
  const moves = told.filter(({ input }) => input !== null)
  const differing = told.flatMap(({ input, reply }, at) => {
    const given = asked.replies[at]
    return input === null || given === undefined || isSame(given, reply) ? [] : [input]
  })
  /** The first question that it did not answer because nothing more came from it. */
  const failedAt = told.findIndex(({ input }, at) => {
    const given = asked.replies[at]
    return input !== null && (given === undefined || ('fault' in given && given.gone === true))
  })
  const { fault } = asked
  const answers = answersAt(told, asked.replies, target)
  const wanted = playedBy(match, seat, target).length
  const isAsked = answers.size === wanted
  const next = isAsked ? await inputsAfter(match, seat, target, answers) : { from: target, inputs: [] }
  if (typeof next === 'string') return next
  const at = read.at[target] ?? 0
  const changed = next.inputs.flatMap(({ input }, index) => {
    const recorded = inputs[next.from + index]
    const isChanged = recorded === undefined || canonicalText(recorded) !== canonicalText(input)
    return isChanged || next.from + index === target ? [index] : []
  })
  const broke = isAsked ? [...answers.values()].find((each) => 'fault' in each) : undefined
  const failure = broke !== undefined && 'fault' in broke ? broke.fault : isAsked ? null : fault
  return {
    event: event[target]!,
    moves: moves.length,
    asked: askedAt(told, asked.replies, target),
    isolation: order.isolation,
    same: isAsked && !differing.includes(target),
    differs: differing.length === 0 ? null : event[Math.min(...differing)]!,
    failed:
      failure === null ? null : { event: event[isAsked ? target : (told[failedAt]?.input ?? target)]!, fault: failure },
    first: event[next.from]!,
    events: next.inputs.map(({ input, audience }, index) => ({
      ...{ n: index, at, kind: 'input' as const, input },
      ...(audience === 'public' ? {} : { audience }),
    })),
    shown: changed,
    console: asked.console,
  }
}

/** Reads the match up to the question: the answer of the seat in the event shown, else its next one, else its last one. */
function readSoFar(game: ErasedGame, { place, seat, position }: OtherAnswerOrder): ReadSoFar {
  const inputs: Json[] = []
  const event: number[] = []
  const at: number[] = []
  let target: number | null = null
  let index = -1
  for (const { line, kind } of eventsAt(place)) {
    index++
    if (kind !== 'input') continue
    if (target !== null && inputs.length > target + AHEAD) break
    const { b: body } = JSON.parse(line.toString('utf8')) as {
      readonly b: { readonly at: number; readonly input: Json }
    }
    inputs.push(body.input)
    event.push(index)
    at.push(body.at)
    const isShown = target === null && index >= position - 1
    if (isShown && playedBy({ game, inputs }, seat, inputs.length - 1).length > 0) target = inputs.length - 1
  }
  if (target === null) {
    const last = inputs.findLastIndex((_, input) => playedBy({ game, inputs }, seat, input).length > 0)
    if (last !== -1) target = last
  }
  return { inputs, event, at, target }
}

/** The agent's reaction to the messages. */
interface Asked {
  /** By message; absent: no answer was expected, or the agent had failed before. */
  readonly replies: readonly (PlayerAction<Json> | undefined)[]
  /** The fault after which it played no more; null: none. */
  readonly fault: Fault | null
  readonly console: readonly string[]
}

/** An agent that is being asked. */
interface Conversation {
  readonly seat: SeatId
  readonly told: readonly ToldMessage[]
  readonly replies: (PlayerAction<Json> | undefined)[]
  /** Resolved when the message is answered, or the agent has failed. By message. */
  readonly open: Map<number, PromiseWithResolvers<void>>
  readonly interrupted: PromiseWithResolvers<never>
  fault: Fault | null
  readonly console: string[]
}

async function askAgent(
  { seats, seat, seed, seeds, limits, agent }: OtherAnswerOrder,
  told: readonly ToldMessage[],
  seatAgent: SeatAgent,
  onPart: (part: number) => void,
): Promise<Asked> {
  const talk: Conversation = {
    ...{ seat, told, replies: [], open: new Map(), interrupted: Promise.withResolvers<never>() },
    ...{ fault: null, console: [] },
  }
  talk.interrupted.promise.catch(() => undefined)
  const bank = bankOf(limits)
  const seedOf = (body: number): string => seedOfPlayer(seed, { seat, body }, seeds)
  const player = seatAgent({ ...seats[seat]!, agent }, seedOf, (event) => hear(talk, event))
  let reported = performance.now()
  try {
    await Promise.race([player.ready(), talk.interrupted.promise])
    for (const [at, { message, wants, body, limitMs }] of told.entries()) {
      await answersBefore(talk, at)
      if (talk.fault !== null) break
      if (wants === 'nothing') player.tell(message, body)
      else {
        talk.open.set(at, Promise.withResolvers())
        player.ask(at + 1, message, limitMs, wants === 'move' ? bank : undefined, body)
      }
      if (performance.now() - reported < REPORT_MS) continue
      reported = performance.now()
      onPart(at / told.length)
    }
    await answersBefore(talk, Infinity)
  } finally {
    player.close()
  }
  const { replies, fault, console } = talk
  return { replies, fault, console }
}

/** Waits for the answers that had come before a message of the match. */
async function answersBefore({ told, open, interrupted }: Conversation, at: number): Promise<void> {
  for (const [asked, { promise }] of [...open])
    if (told[asked]!.repliedAfter <= at && told[asked]!.repliedAfter !== Infinity)
      await Promise.race([promise, interrupted.promise])
}

function hear(talk: Conversation, event: PlayerEvent): void {
  if (event.type === 'console') {
    talk.console.push(event.text.slice(0, CONSOLE_CHARACTERS).toWellFormed())
    if (talk.console.length > CONSOLE_LINES) talk.console.shift()
  } else if (event.type === 'interrupted') talk.interrupted.reject(new Error(event.reason))
  else if (event.type === 'answer') reply(talk, event.to - 1, (post) => ({ ...post, answer: event.value }))
  else if (event.type === 'fault') {
    const { fault, gone, to } = event
    if (gone) talk.fault ??= fault
    if (to !== undefined) reply(talk, to - 1, (post) => ({ ...post, fault, gone }))
    // Nothing more comes from it.
    if (gone) for (const at of [...talk.open.keys()]) reply(talk, at, (post) => ({ ...post, fault, gone }))
  }
}

function reply(
  { seat, told, replies, open }: Conversation,
  at: number,
  action: (post: { readonly seat: SeatId; readonly body: number }) => PlayerAction<Json>,
): void {
  const waiting = open.get(at)
  if (waiting === undefined) return
  open.delete(at)
  replies[at] = action({ seat, body: told[at]!.body })
  waiting.resolve()
}

/** The agent's answers to the question, by body. */
function answersAt(
  told: readonly ToldMessage[],
  replies: Asked['replies'],
  input: number,
): ReadonlyMap<number, PlayerAction<Json>> {
  const answers = new Map<number, PlayerAction<Json>>()
  for (const [at, message] of told.entries()) {
    const given = replies[at]
    if (message.input === input && given !== undefined) answers.set(message.body, given)
  }
  return answers
}

/** The messages that asked for the answers that an input records, with what was answered. */
function askedAt(told: readonly ToldMessage[], replies: Asked['replies'], input: number): readonly AskedMessage[] {
  return told.flatMap((each, at) =>
    each.input === input
      ? {
          body: each.body,
          message: beginningOf(canonicalText(each.message), QUOTED_CHARACTERS_MAX),
          recorded: quoted(each.reply),
          given: quoted(replies[at] ?? null),
        }
      : [],
  )
}

function quoted(action: PlayerAction<Json> | null): string | null {
  if (action === null) return null
  const text = 'fault' in action ? `${action.fault.kind}: ${action.fault.text}` : canonicalText(action.answer)
  return beginningOf(text, QUOTED_CHARACTERS_MAX).toWellFormed()
}

function isSame(given: PlayerAction<Json>, recorded: PlayerAction<Json> | null): boolean {
  if (recorded === null) return true
  if ('fault' in given || 'fault' in recorded)
    return 'fault' in given && 'fault' in recorded && given.fault.kind === recorded.fault.kind
  return canonicalText(given.answer) === canonicalText(recorded.answer)
}
