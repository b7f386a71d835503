import type { Fault } from '../../contract/faults.ts'
import type { Ms, Post, RefereeLimits, Table } from '../../contract/game.ts'
import type { SeatId } from '../../contract/ids.ts'
import type { Input } from './input.ts'
import type { Bundle, StartMessage, TurnMessage } from './messages.ts'
import type { State } from './state.ts'
import { startMessage, turnMessage } from './views.ts'

type SpeckerTable = Table<StartMessage | TurnMessage, Bundle, Input, State>

/** Players report their own time-outs; one who keeps silent even about that is given up after this long. */
const GRACE_MS: Ms = 1_000

/**
 * Conducts a synchronous match: asks all players to start, then each in turn for a bundle. A fault counts in the turn of
 * the player who had it, also one from before or from between his turns, so that the order of events does not depend on
 * when it came to light. What is said unasked or too late is not heard.
 */
export async function referee(table: SpeckerTable, _config: unknown, limits: RefereeLimits): Promise<void> {
  const { state } = table
  const faults = new Map<SeatId, Fault>()
  await startAll(table, faults, limits.startMs)
  while (state.turn !== null) {
    const input = await turnOf(table, faults, state.turn, limits.moveMs)
    const removals = state.removals.length
    const refusal = table.commit(input, 'public')
    if (refusal !== null) throw new Error(`the rules refused a turn that they had asked for: ${refusal}`)
    for (const { seat } of state.removals.slice(removals)) table.dismiss(seat)
  }
}

/** Puts the start to all players at once and waits until each is ready or has failed. */
async function startAll(table: SpeckerTable, faults: Map<SeatId, Fault>, limitMs: Ms): Promise<void> {
  const starting = new Map<SeatId, number>()
  for (const { id } of table.seats) {
    starting.set(id, table.ask({ post: postOf(id), message: startMessage(table.state, id), limitMs }))
  }
  const deadline = table.now() + limitMs + GRACE_MS
  while (starting.size > 0) {
    const arrival = await table.next(deadline)
    if (arrival === 'time') break
    const { seat } = arrival.post
    if (arrival.type === 'fault') noteFault(faults, seat, arrival.fault)
    if (arrival.type === 'fault' || (arrival.type === 'answer' && arrival.to === starting.get(seat))) {
      starting.delete(seat)
    }
  }
  for (const [seat, question] of starting) {
    table.withdraw(question)
    noteFault(faults, seat, timeout(limitMs))
  }
}

/** What a player does in his turn. */
async function turnOf(table: SpeckerTable, faults: Map<SeatId, Fault>, seat: SeatId, limitMs: Ms): Promise<Input> {
  const known = faults.get(seat)
  if (known !== undefined) return faulted(seat, known)
  const question = table.ask({ post: postOf(seat), message: turnMessage(table.state, seat), limitMs })
  const deadline = table.now() + limitMs + GRACE_MS
  for (;;) {
    const arrival = await table.next(deadline)
    if (arrival === 'time') {
      table.withdraw(question)
      return faulted(seat, timeout(limitMs))
    }
    if (arrival.type === 'fault') noteFault(faults, arrival.post.seat, arrival.fault)
    const fault = faults.get(seat)
    if (fault !== undefined) return faulted(seat, fault)
    if (arrival.type === 'answer' && arrival.to === question) return answered(seat, arrival)
  }
}

function answered(seat: SeatId, { value }: { readonly value: Bundle }): Input {
  return { type: 'turn', seat, actions: value.actions }
}

/** The time it took and what was written to stderr vary from run to run: they stay out of the input. */
function faulted(seat: SeatId, { kind, text }: Fault): Input {
  if (kind === 'host') throw new Error(`a fault of the host reached the referee: ${text}`)
  return { type: 'fault', seat, fault: { kind, text } }
}

/** The first fault of a player is the one that counts. */
function noteFault(faults: Map<SeatId, Fault>, seat: SeatId, fault: Fault): void {
  if (!faults.has(seat)) faults.set(seat, fault)
}

function timeout(limitMs: Ms): Fault {
  return { kind: 'timeout', text: `No answer came within ${limitMs} ms.` }
}

function postOf(seat: SeatId): Post {
  return { seat, body: 0 }
}
