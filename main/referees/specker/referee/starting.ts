import type { Fault } from '../../../contract/faults.ts'
import type { Ms } from '../../../contract/clock.ts'
import type { Post, RefereeLimits, Table } from '../../../contract/game/table.ts'
import type { SeatId } from '../../../contract/ids.ts'
import { giveUpAfterMs } from '../../../contract/limits.ts'
import type { Input } from '../input.ts'
import { unbookedAccount } from '../trading/ledger.ts'
import type { Bundle, Message } from '../messages.ts'
import type { State } from '../state.ts'
import { createPlayerMessages, type PlayerMessages } from './player-messages.ts'
import { energy } from '../trading/violations.ts'

/** A match as its referee sees it: the table, and the messages for its players. */
export interface Room {
  readonly table: Table<Message, Bundle, Input, State>
  readonly messages: PlayerMessages
}

export function roomOf(table: Room['table'], limits: RefereeLimits): Room {
  return { table, messages: createPlayerMessages(table.state, timeslotOf(table.state, limits)) }
}

/**
 * Registration: announces challenge and config to all players at once, waits until each is ready or has failed, and
 * removes those that have failed, in the order of their seats, with the reason. Returns the faults that players had
 * after they were ready: how long the slowest takes makes no difference to them.
 */
export async function startAll(room: Room, limitMs: Ms): Promise<Map<SeatId, Fault>> {
  const { absent, later } = await register(room, limitMs)
  for (const { id } of room.table.seats) {
    const fault = absent.get(id)
    if (fault !== undefined) commitStart(room, { ...faulted(id, fault), ready: false })
  }
  return later
}

/** Why players are not ready, and the faults of players that were. */
async function register(
  { table, messages }: Room,
  limitMs: Ms,
): Promise<{ readonly absent: ReadonlyMap<SeatId, Fault>; readonly later: Map<SeatId, Fault> }> {
  const absent = new Map<SeatId, Fault>()
  const later = new Map<SeatId, Fault>()
  const starting = new Map<SeatId, number>()
  for (const { id } of table.seats) {
    starting.set(id, table.ask({ post: postOf(id), message: messages.start(id), limitMs, start: true }))
  }
  const deadline = table.now() + giveUpAfterMs(limitMs)
  while (starting.size > 0) {
    const arrival = await table.next(deadline)
    if (arrival === 'time') break
    const { seat } = arrival.post
    if (arrival.type === 'fault') {
      if (starting.delete(seat)) absent.set(seat, arrival.fault)
      else if (!absent.has(seat)) noteFault(later, seat, arrival.fault)
    } else if (arrival.type === 'answer' && arrival.to === starting.get(seat)) {
      starting.delete(seat)
      const { protocol, actions } = arrival.value
      const { length } = actions
      messages.choose(seat, protocol)
      if (length > 0) absent.set(seat, { kind: 'protocol', text: tooEarly(length) })
    }
  }
  for (const [seat, question] of starting) {
    table.withdraw(question)
    absent.set(seat, timeout(limitMs))
  }
  return { absent, later }
}

function tooEarly(actions: number): string {
  const had = `${actions} ${actions === 1 ? 'action' : 'actions'}`
  return `the answer to "start" has ${had} and must be { "ready": true } or have none.`
}

/** Rule 8: the time for an answer, never longer than the contest allows. */
export function timeslotOf({ choices }: State, { moveMs }: RefereeLimits): Ms {
  return Math.min(moveMs, choices.timeslot ?? moveMs)
}

/**
 * Commits an input that the rules must accept, and dismisses the players that it removes, with the reason. Throws if an
 * account was changed outside the rules: the match cannot be judged then.
 */
export function commitStart({ table, messages }: Room, input: Input): void {
  const { removals } = table.state
  const before = removals.length
  const events = countOf(table.state)
  const refusal = table.commit(input, 'public')
  if (refusal !== null) throw new Error(`the rules refused an input that they had asked for: ${refusal}`)
  messages.note(input, events)
  const meddled = unbookedAccount(table.state)
  if (meddled !== null) {
    const { seat, account, booked } = meddled
    throw new Error(
      `the account of seat ${seat} has ${energy(account)}, and the rules have left ${energy(booked)} on it`,
    )
  }
  for (const removal of removals.slice(before)) {
    table.tell([postOf(removal.seat)], messages.removed(removal))
    table.dismiss(removal.seat)
  }
}

/** The input leaves out the time taken and the output to stderr, which vary from run to run. */
export function faulted(seat: SeatId, { kind, text }: Fault): Extract<Input, { type: 'fault' }> {
  if (kind === 'host') throw new Error(`a fault of the host reached the referee: ${text}`)
  return { type: 'fault', seat, fault: { kind, text } }
}

/** Only the first fault of a player counts. */
export function noteFault(faults: Map<SeatId, Fault>, seat: SeatId, fault: Fault): void {
  if (!faults.has(seat)) faults.set(seat, fault)
}

export function timeout(limitMs: Ms): Fault {
  return { kind: 'timeout', text: `No answer came within ${limitMs} ms.` }
}

/** The total number of public events so far. */
export function countOf({ dropped, events }: State): number {
  return dropped + events.length
}

export function postOf(seat: SeatId): Post {
  return { seat, body: 0 }
}
