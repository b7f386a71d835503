import type { Fault } from '../../contract/faults.ts'
import type { Arrival, Post, RefereeLimits, Table } from '../../contract/game/table.ts'
import type { SeatId } from '../../contract/ids.ts'
import { giveUpAfterMs } from '../../contract/limits.ts'
import { askAtOnce, type PostReply } from '../ask-at-once.ts'
import type { Config } from './config.ts'
import type { Input } from './input.ts'
import {
  type Answer,
  type Message,
  type StopMessage,
  namedIn,
  passOf,
  type Move,
  type MapMessage,
  type Settings,
  type SetupMessage,
} from './messages.ts'
import { isOver, turnOf, type State, scoreOf } from './state.ts'

type PunterTable = Table<Message, Answer, Input, State>

/**
 * Conducts a match: everybody is set up at once, then asked in turn, and told the end, beginning with the one after the last
 * mover. A zombie is sent away and neither asked nor told anything.
 */
export async function referee(table: PunterTable, config: Config, limits: RefereeLimits): Promise<void> {
  const { state } = table
  const strays = createStrays()
  await setUp(table, config, limits, strays)
  const notes = new Map(state.punters.map(({ notes: own }, seat) => [seat, own]))
  const taken = (seat: SeatId) => {
    const all = [...(notes.get(seat) ?? []), ...strays.take(seat)]
    return all.length === 0 ? {} : { notes: all }
  }
  while (!isOver(state)) {
    const seat = turnOf(state)
    const message = { type: 'move', moves: lastMoves(state), ...taken(seat) } as const
    const input = inputOf(seat, await turn(table, seat, message, limits, strays))
    commit(table, input)
    notes.set(seat, notesOn(state, input))
    if (state.punters[seat]!.zombie !== null) table.dismiss(seat)
  }
  await stop(table, taken, limits)
}

async function setUp(
  table: PunterTable,
  { futures }: Config,
  { startMs }: RefereeLimits,
  strays: Strays,
): Promise<void> {
  const { state } = table
  const messages = setupMessages(state)
  const replies = await askAtOnce(
    table,
    table.seats.map(({ id }) => ({ post: postOf(id), message: messages[id]! })),
    startMs,
    { start: true, other: strays.note },
  )
  for (const { id } of table.seats) {
    const input = beginningOf(id, replies[id]!)
    // Others may not read futures.
    commit(table, input, futures && input.type === 'ready' ? [id] : 'public')
  }
  for (const { id } of table.seats) if (state.punters[id]!.zombie !== null) table.dismiss(id)
}

function beginningOf(seat: SeatId, reply: PostReply<Answer>): Input {
  if ('fault' in reply) return { ...faultInput(seat, reply.fault, true), ready: false }
  if ('ready' in reply.value) return { type: 'ready', seat, futures: reply.value.futures ?? [] }
  const fault = { kind: 'invalid', text: 'The answer to the map is not {"ready": PUNTER}.' } as const
  return { ...faultInput(seat, fault, true), ready: false }
}

type Answered = { readonly value: Answer } | { readonly fault: Fault; readonly gone: boolean }

/** The result of a question. Messages of others meanwhile, and answers to older questions, do not count. */
async function turn(
  table: PunterTable,
  seat: SeatId,
  message: Message,
  limits: RefereeLimits,
  strays: Strays,
): Promise<Answered> {
  const question = table.ask({ post: postOf(seat), message, limitMs: limits.moveMs })
  const deadline = table.now() + giveUpAfterMs(limits.moveMs, limits)
  for (;;) {
    const arrival = await table.next(deadline)
    if (arrival === 'time') {
      table.withdraw(question)
      return { fault: { kind: 'timeout', text: 'No answer came in time.' }, gone: false }
    }
    if (!concerns(arrival, seat, question)) {
      strays.note(arrival)
      continue
    }
    if (arrival.type === 'answer') return { value: arrival.value }
    if (arrival.type === 'fault') return { fault: arrival.fault, gone: arrival.gone }
  }
}

const concerns = (arrival: Arrival<Answer>, seat: SeatId, question: number): boolean =>
  ('to' in arrival && arrival.to === question) ||
  (arrival.type === 'fault' && arrival.gone && arrival.post.seat === seat)

function inputOf(seat: SeatId, answered: Answered): Input {
  if ('fault' in answered) return faultInput(seat, answered.fault, answered.gone)
  const { value } = answered
  if (!('ready' in value) && !('stopped' in value)) return { type: 'move', seat, move: value }
  return faultInput(seat, { kind: 'invalid', text: 'The answer is no move.' }, false)
}

function faultInput(seat: SeatId, { kind, text }: Fault, gone: boolean) {
  return { type: 'fault', seat, fault: { kind, text }, gone } as const
}

/** The message to the punter about its move. */
function notesOn(state: State, input: Input): readonly string[] {
  if (input.type !== 'move') return []
  const { seat, move } = input
  const { refused, lastAt } = state.punters[seat]!
  const named = namedIn(move)
  return [
    ...(refused === null ? [] : [`Your move ${lastAt} was a pass: ${refused}`]),
    ...(named === undefined || named === seat ? [] : [`You called yourself punter ${named}; you are ${seat}.`]),
  ]
}

async function stop(
  table: PunterTable,
  taken: (seat: SeatId) => Pick<StopMessage, 'notes'>,
  { moveMs }: RefereeLimits,
): Promise<void> {
  const { state } = table
  const first = state.course.rivers.length % state.punters.length
  const order = [...table.seats.slice(first), ...table.seats.slice(0, first)]
  const alive = order.filter(({ id }) => state.punters[id]!.zombie === null)
  const questions = alive.map(({ id }) => ({
    post: postOf(id),
    message: { ...stopMessage(state, id), ...taken(id) },
  }))
  await askAtOnce(table, questions, moveMs, { start: true })
}

function commit(table: PunterTable, input: Input, audience: 'public' | readonly SeatId[] = 'public'): void {
  const refusal = table.commit(input, audience)
  if (refusal !== null) throw new Error(`the rules refused what they had asked for: ${refusal}`)
}

const postOf = (seat: SeatId): Post => ({ seat, body: 0 })

/** Messages that did not count because nothing was open that they could answer. */
interface Strays {
  /** Counts the arrival if it is one. */
  note(arrival: Arrival<Answer>): void
  /** A punter's stray messages since it was last informed, a sentence for each kind. */
  take(seat: SeatId): readonly string[]
}

function createStrays(): Strays {
  const late = new Map<SeatId, number>()
  const unasked = new Map<SeatId, number>()
  const count = (counts: Map<SeatId, number>, seat: SeatId): void => void counts.set(seat, (counts.get(seat) ?? 0) + 1)
  const taken = (counts: Map<SeatId, number>, seat: SeatId): number => {
    const number = counts.get(seat) ?? 0
    counts.delete(seat)
    return number
  }
  return {
    note(arrival) {
      const { seat } = arrival.post
      if (arrival.type === 'answer') count(late, seat)
      else if (arrival.type === 'said') count(unasked, seat)
    },
    take: (seat) => [
      ...sentence(taken(late, seat), 'answer', 'came after the time limit and did not count.'),
      ...sentence(taken(unasked, seat), 'message', 'came when no answer was owed and did not count.'),
    ],
  }
}

const sentence = (number: number, what: string, rest: string): readonly string[] =>
  number === 0 ? [] : [`${number === 1 ? `One ${what}` : `${number} ${what}s`} of yours ${rest}`]

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
