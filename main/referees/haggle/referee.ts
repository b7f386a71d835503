import type { Fault } from '../../contract/faults.ts'
import type { Ms } from '../../contract/clock.ts'
import type { Post, RefereeLimits, Table } from '../../contract/game/table.ts'
import type { SeatId } from '../../contract/ids.ts'
import { giveUpAfterMs } from '../../contract/limits.ts'
import type { Config } from './config.ts'
import type { Input } from './input.ts'
import type { Answer, StartMessage, TurnMessage } from './messages.ts'
import { moverOf, offered, type State } from './rules.ts'

type HaggleTable = Table<StartMessage | TurnMessage, Answer, Input, State>

/**
 * Conducts a session: constructs both sides at the same time, with a limit of its own, then asks them in turn. If both
 * constructors fail the first seat walks away: the original blamed whichever was faster. An unasked message from a
 * person, a program or a client of the game's own protocol can only be a walkaway.
 */
export async function referee(table: HaggleTable, _config: Config, limits: RefereeLimits): Promise<void> {
  const { state } = table
  const reasons = await startBoth(table, limits.startMs)
  const [first] = reasons
  if (first !== undefined) commit(table, { type: 'abort', seat: first[0], reason: first[1] })
  while (state.ending === null) commit(table, await turn(table, limits))
}

/** The reasons why seats cannot play, in seat order. */
async function startBoth(table: HaggleTable, limitMs: Ms): Promise<readonly (readonly [SeatId, string])[]> {
  const { state } = table
  const asked = new Map<SeatId, number>()
  const reasons = new Map<SeatId, string>()
  for (const { id } of table.seats) {
    const { counts, maxRounds } = state
    const message: StartMessage = { type: 'start', me: id, counts, values: state.values[id as 0 | 1], maxRounds }
    asked.set(id, table.ask({ post: postOf(id), message, limitMs, start: true }))
  }
  const deadline = table.now() + giveUpAfterMs(limitMs)
  while (asked.size > 0) {
    const arrival = await table.next(deadline)
    if (arrival === 'time') break
    const { seat } = arrival.post
    if (arrival.type === 'fault') reasons.set(seat, reasons.get(seat) ?? reasonOf(arrival.fault, state))
    else if (arrival.type === 'answer' && arrival.to === asked.get(seat)) {
      const reason = walkOf(arrival.value)
      if (reason !== null) reasons.set(seat, reason)
    } else if (arrival.type === 'said') {
      // A client whose constructor has finished may walk away before its partner's has.
      const reason = walkOf(arrival.value)
      if (reason === null) continue
      reasons.set(seat, reasons.get(seat) ?? reason)
    } else continue
    asked.delete(seat)
  }
  for (const [seat, question] of asked) {
    table.withdraw(question)
    reasons.set(seat, TIMEOUT)
  }
  return [...reasons].sort(([a], [b]) => a - b)
}

async function turn(table: HaggleTable, limits: RefereeLimits): Promise<Input> {
  const { state } = table
  const seat = moverOf(state)
  const limitMs = limits.moveMs
  const question = table.ask({ post: postOf(seat), message: { type: 'turn', offer: offered(state) }, limitMs })
  const deadline = table.now() + giveUpAfterMs(limitMs, limits)
  for (;;) {
    const arrival = await table.next(deadline)
    if (arrival === 'time') {
      table.withdraw(question)
      return { type: 'abort', seat, reason: TIMEOUT }
    }
    if (arrival.type === 'fault')
      return { type: 'abort', seat: arrival.post.seat, reason: reasonOf(arrival.fault, state) }
    if (arrival.type === 'answer' && arrival.to === question) {
      const reason = walkOf(arrival.value)
      if (reason !== null) return { type: 'abort', seat, reason }
      const odd = 'odd' in arrival.value ? arrival.value.odd : undefined
      if (odd !== undefined && state.invalidOffers === 'explained')
        return { type: 'abort', seat, reason: `Invalid offer: ${odd}` }
      return { type: 'answer', seat, value: 'value' in arrival.value ? arrival.value.value : null }
    }
    if (arrival.type === 'said') {
      const reason = walkOf(arrival.value)
      if (reason !== null) return { type: 'abort', seat: arrival.post.seat, reason }
    }
  }
}

function commit(table: HaggleTable, input: Input): void {
  const refusal = table.commit(input, 'public')
  if (refusal !== null) throw new Error(`the rules refused what they had asked for: ${refusal}`)
}

/** The original's wording. */
const TIMEOUT = 'AI timeout'

/** Why an answer counts as walking away; null: it does not. */
function walkOf(answer: Answer): string | null {
  if ('threw' in answer) return answer.threw
  return 'unwritable' in answer ? `The answer cannot be written as JSON: ${answer.unwritable}` : null
}

function reasonOf({ kind, text }: Fault, { invalidOffers }: State): string {
  if (kind === 'host') throw new Error(`a fault of the host reached the referee: ${text}`)
  if (kind === 'timeout' || kind === 'stall') return TIMEOUT
  if (kind !== 'invalid') return text.replace(OWN_WORDS, '')
  return invalidOffers === 'explained' ? `Invalid offer: ${text}` : 'Invalid offer'
}

/** The words of our host before an error of a script, and its place, which is in the fault; the original reported only the error. */
const OWN_WORDS =
  /^The agent (?:threw while (?:loading|answering)|cannot be compiled|cannot be used)(?: \(.*?, line \d+\)| \([^)]*\))?: /

const postOf = (seat: SeatId): Post => ({ seat, body: 0 })
