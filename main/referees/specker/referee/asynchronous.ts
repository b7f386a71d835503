import type { Fault } from '../../../contract/faults.ts'
import type { Ms } from '../../../contract/clock.ts'
import type { Arrival, RefereeLimits } from '../../../contract/game/table.ts'
import type { SeatId } from '../../../contract/ids.ts'
import { giveUpAfterMs } from '../../../contract/limits.ts'
import type { Action, Bundle } from '../messages.ts'
import { commitStart, countOf, faulted, postOf, timeout, type Room } from './starting.ts'
import { trading, type State } from '../state.ts'
import { debtOf, dueDeliveries, dueReveals, dueSolutions, owing } from '../trading/trade.ts'
import { isOver } from '../turns/turns.ts'

/** A player that did nothing is asked again when something happens, or after this time. */
const PAUSE_MS: Ms = 100

/**
 * When a player does nothing, what it knows is recorded only after this many events; events that all players know are
 * forgotten.
 */
const UNTOLD = 256

/** The referee's record of one player. */
interface Seated {
  readonly seat: SeatId
  /** Its open question and when that expires. */
  question: { readonly number: number; readonly until: Ms } | null
  /** The number of public events when it was last asked; it knows these. */
  seen: number
  /** When it is asked again although nothing has happened. */
  again: Ms
  /** By challenge: the deadline of a debt that it was told of. */
  readonly dues: Map<number, Due>
}

interface Due {
  readonly owes: 'delivery' | 'solution' | 'reveal'
  readonly until: Ms
}

/**
 * Conducts an asynchronous match (section 4.3: players can buy and sell at any time). A player without an open question
 * is asked as soon as something has happened, so every public event is sent to it; it answers with its actions,
 * possibly none, and programs may also act unasked. Bundles are committed in the order of arrival. There are no turns,
 * so nobody has to trade (rules 2 and 3); a debt must be settled within the time slot after the debtor was told of it.
 * After the time for trading the match continues until nothing is owed (rule 10).
 */
export async function conductAsynchronous(
  room: Room,
  faults: ReadonlyMap<SeatId, Fault>,
  limits: RefereeLimits,
): Promise<void> {
  const { table } = room
  const { state } = table
  const limitMs = limits.moveMs
  const closing = table.now() + state.choices.duration
  const players = table.seats.map(({ id }): Seated => {
    return { seat: id, question: null, seen: 0, again: 0, dues: new Map() }
  })
  for (const { id } of table.seats) {
    const fault = faults.get(id)
    if (fault !== undefined && !isOver(state)) commitStart(room, faulted(id, fault))
  }
  // The player asked first has a small advantage, so the first player changes each time.
  for (let first = 0; !isOver(state); first++) {
    for (let nth = 0; nth < players.length; nth++) {
      const player = players[(first + nth) % players.length]!
      if (wantsAsking(state, player, table.now())) ask(room, player, limits)
    }
    const arrival = await table.next(nextMoment(state, players, closing))
    const now = arrival === 'time' ? table.now() : arrival.at
    if (trading(state) && now >= closing) commitStart(room, { type: 'close' })
    for (const player of players) giveUp(room, player, now, limitMs)
    if (arrival === 'time' || isOver(state)) continue
    const speaker = players[arrival.post.seat]!
    hear(room, speaker, arrival)
    // Before it is asked again: otherwise a debtor with an open question would always have more time.
    giveUp(room, speaker, now, limitMs)
  }
}

function wantsAsking(state: State, { seat, question, seen, again }: Seated, now: Ms): boolean {
  if (question !== null || state.players[seat]!.removed) return false
  if (!trading(state) && !owing(state, seat)) return false
  return countOf(state) > seen || now >= again
}

function ask({ table, messages }: Room, player: Seated, limits: RefereeLimits): void {
  const limitMs = limits.moveMs
  const { state } = table
  const { seat, dues } = player
  const now = table.now()
  for (const deal of [...dueDeliveries(state, seat), ...dueSolutions(state, seat), ...dueReveals(state, seat)]) {
    const { owes } = debtOf(deal)
    if (dues.get(deal.challenge)?.owes !== owes) dues.set(deal.challenge, { owes, until: now + limitMs })
  }
  const message = messages.turn(seat, player.seen)
  player.seen = countOf(state)
  const number = table.ask({ post: postOf(seat), message, limitMs })
  player.question = { number, until: now + giveUpAfterMs(limitMs, limits) }
}

/** The next moment at which the referee must act although nothing arrives. */
function nextMoment(state: State, players: readonly Seated[], closing: Ms): Ms {
  let next = trading(state) ? closing : Infinity
  for (const { seat, question, again, dues } of players) {
    if (state.players[seat]!.removed) continue
    if (question !== null) next = Math.min(next, question.until)
    else {
      if (trading(state) || owing(state, seat)) next = Math.min(next, again)
      for (const { until } of dues.values()) next = Math.min(next, until)
    }
  }
  return next
}

/**
 * Removes a player that has not answered, or has not settled a known debt in time. A player that is still computing has
 * the full time for its answer; unasked messages do not extend it.
 */
function giveUp(room: Room, player: Seated, now: Ms, limitMs: Ms): void {
  const { table } = room
  const { state } = table
  const { seat, question, dues } = player
  const gone = (): boolean => isOver(state) || state.players[seat]!.removed
  if (question !== null) {
    if (now < question.until || gone()) return
    table.withdraw(question.number)
    return commitStart(room, faulted(seat, timeout(limitMs)))
  }
  for (const [challenge, { owes, until }] of dues) {
    if (gone()) return
    const deal = state.deals.get(challenge)
    const debt = deal === undefined ? null : debtOf(deal)
    if (debt?.debtor !== seat || debt.owes !== owes) dues.delete(challenge)
    else if (now >= until) commitStart(room, { type: 'overdue', challenge })
  }
}

function hear(room: Room, player: Seated, arrival: Arrival<Bundle>): void {
  const { table } = room
  const { seat } = player
  if (table.state.players[seat]!.removed) return
  if (arrival.type === 'fault') return commitStart(room, faulted(seat, arrival.fault))
  if (arrival.type === 'answer' && arrival.to === player.question?.number) {
    player.question = null
    player.again = table.now() + (arrival.value.actions.length > 0 ? 0 : PAUSE_MS)
    act(room, player, arrival.value.actions)
  } else if (arrival.type === 'said') act(room, player, arrival.value.actions)
}

function act(room: Room, { seat, seen }: Seated, actions: readonly Action[]): void {
  const untold = seen - room.table.state.players[seat]!.told
  if (actions.length > 0 || untold >= UNTOLD) commitStart(room, { type: 'turn', seat, actions: [...actions], seen })
}
