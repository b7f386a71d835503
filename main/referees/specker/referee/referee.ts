import type { Fault } from '../../../contract/faults.ts'
import type { RefereeLimits } from '../../../contract/game/table.ts'
import type { SeatId } from '../../../contract/ids.ts'
import { giveUpAfterMs } from '../../../contract/limits.ts'
import { conductAsynchronous } from './asynchronous.ts'
import type { Input } from '../input.ts'
import {
  commitStart,
  faulted,
  noteFault,
  postOf,
  roomOf,
  startAll,
  timeout,
  timeslotOf,
  type Room,
} from './starting.ts'

/** Conducts a match: asks all players to start, then plays in the match's mode. */
export async function referee(table: Room['table'], _config: unknown, limits: RefereeLimits): Promise<void> {
  const room = roomOf(table, limits)
  const faults = await startAll(room, limits.startMs)
  const moveMs = timeslotOf(table.state, limits)
  if (table.state.choices.mode === 'asynchronous') await conductAsynchronous(room, faults, { ...limits, moveMs })
  else await conductInTurns(room, faults, { ...limits, moveMs })
}

/**
 * Asks each player in turn for a bundle. A fault counts in the next turn of its player, even if it happened before or
 * between its turns, so that the order of inputs does not depend on when it was noticed. Unasked and late messages are
 * ignored.
 */
async function conductInTurns(room: Room, faults: Map<SeatId, Fault>, limits: RefereeLimits): Promise<void> {
  const { state } = room.table
  while (state.turn !== null) commitStart(room, await turnOf(room, faults, state.turn, limits))
}

/** Asks a player for its turn. */
async function turnOf(
  { table, messages }: Room,
  faults: Map<SeatId, Fault>,
  seat: SeatId,
  limits: RefereeLimits,
): Promise<Input> {
  const known = faults.get(seat)
  if (known !== undefined) return faulted(seat, known)
  const limitMs = limits.moveMs
  const question = table.ask({ post: postOf(seat), message: messages.turn(seat), limitMs })
  const deadline = table.now() + giveUpAfterMs(limitMs, limits)
  for (;;) {
    const arrival = await table.next(deadline)
    if (arrival === 'time') {
      table.withdraw(question)
      return faulted(seat, timeout(limitMs))
    }
    if (arrival.type === 'fault') noteFault(faults, arrival.post.seat, arrival.fault)
    const fault = faults.get(seat)
    if (fault !== undefined) return faulted(seat, fault)
    if (arrival.type === 'answer' && arrival.to === question) {
      return { type: 'turn', seat, actions: arrival.value.actions }
    }
  }
}
