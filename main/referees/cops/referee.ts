import type { Fault } from '../../contract/faults.ts'
import type { Audience, Post, RefereeLimits, Table } from '../../contract/game/table.ts'
import type { SeatId } from '../../contract/ids.ts'
import { askAtOnce, type PostReply } from '../ask-at-once.ts'
import type { Answer } from './answer.ts'
import type { Config } from './config.ts'
import type { Input } from './input.ts'
import type { Message } from './messages.ts'
import { COPS, isRobbersWorld, isTwist, ROBBER, roundSeats, type State } from './state.ts'
import { dirtyCops, questionsFor, skeletonMessage, tallyMessage, worldMessage } from './player-messages.ts'

type CopsTable = Table<Message, Answer, Input, State>

/**
 * Conducts a match: asks everybody whom a step waits for at once and sends nothing on before all have answered. A brain that was
 * rightly accused is told so and dismissed.
 */
export async function referee(table: CopsTable, _config: Config, limits: RefereeLimits): Promise<void> {
  const { state } = table
  /** Faults after which nothing more comes from a seat. */
  const lost = new Map<SeatId, Fault>()
  await step(table, limits.startMs, lost)
  const everybody = table.seats.map(({ id }) => id)
  if (state.end === null) for (const seat of everybody) table.tell([postOf(seat)], skeletonMessage(state, seat))
  while (state.end === null) {
    if (state.step === 'bribe') table.tell(dirtyCops(state).map(postOf), tallyMessage(state, null))
    const playing = COPS.filter((seat) => !state.brains[seat]!.out)
    await step(table, limits.moveMs, lost)
    for (const seat of playing.filter((each) => state.brains[each]!.out)) {
      table.tell([postOf(seat)], { type: 'accused', asks: null })
      table.dismiss(seat)
    }
  }
  if (state.end === 'escaped') table.tell([postOf(ROBBER)], worldMessage(state, ROBBER, null))
  const left = everybody.filter((seat) => !state.brains[seat]!.out)
  table.tell(left.map(postOf), { type: 'game-over', asks: null })
}

async function step(table: CopsTable, limitMs: number, lost: Map<SeatId, Fault>): Promise<void> {
  const { state } = table
  const { step: name, waiting } = state
  const audience = audiencesOf(state)
  const asked = waiting.filter((seat) => !lost.has(seat))
  const messages = questionsFor(state, asked)
  const replies = await askAtOnce(
    table,
    asked.map((seat, place) => ({ post: postOf(seat), message: messages[place]! })),
    limitMs,
    {
      ...(name === 'register' ? { start: true } : {}),
      other(arrival) {
        if (arrival.type === 'fault' && arrival.gone) lost.set(arrival.post.seat, arrival.fault)
      },
    },
  )
  for (const seat of waiting) {
    const before = lost.get(seat)
    const reply = before === undefined ? replies[asked.indexOf(seat)]! : { fault: before, gone: true }
    const refusal = table.commit(inputOf(seat, reply), audience(seat))
    if (refusal !== null) throw new Error(`the rules refused what they had asked for: ${refusal}`)
  }
}

function inputOf(seat: SeatId, reply: PostReply<Answer>): Input {
  if ('value' in reply) return { type: 'said', seat, answer: reply.value }
  const { kind, text } = reply.fault
  return { type: 'fault', seat, fault: { kind, text }, gone: reply.gone }
}

/** The audience of a seat's words in the current step. A ballot is for the server alone, and so is a cop's decision in the twist. */
function audiencesOf(state: State): (seat: SeatId) => Audience {
  const twist = isTwist(state)
  switch (state.step) {
    case 'register':
      return () => 'public'
    case 'inform':
    case 'plan': {
      const seats = roundSeats(state)
      return () => seats
    }
    case 'move':
      if (!isRobbersWorld(state)) return twist ? (seat) => [seat] : () => 'public'
      return (seat) => [seat]
    default:
      return (seat) => [seat]
  }
}

const postOf = (seat: SeatId): Post => ({ seat, body: 0 })
