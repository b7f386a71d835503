import type { Fault } from '../../contract/faults.ts'
import type { Ms } from '../../contract/clock.ts'
import type { Arrival, RefereeLimits } from '../../contract/game.ts'
import type { SeatId } from '../../contract/ids.ts'
import { givenUpAfter } from '../../contract/limits.ts'
import type { Action, Bundle } from './messages.ts'
import { commitStart, countOf, faulted, postOf, timeout, type Room } from './starting.ts'
import { trading, type State } from './state.ts'
import { debtOf, dueDeliveries, dueReveals, dueSolutions, owing } from './trade.ts'
import { isOver } from './turns.ts'

/** A player who did nothing is asked again when something happens, and anyway after this long. */
const PAUSE_MS: Ms = 100

/** A player who does nothing is noted to know so many events more only now and then: events that all know are forgotten. */
const UNTOLD = 256

/** What the referee knows of one player. */
interface Seated {
  readonly seat: SeatId
  /** What he owes an answer to, and when he is given up. */
  question: { readonly number: number; readonly until: Ms } | null
  /** How many public events there were when he was last asked: he knows of so many. */
  seen: number
  /** When he is asked again although nothing has happened. */
  again: Ms
  /** By challenge: until when he must do what he was told that he owes. */
  readonly dues: Map<number, Due>
}

interface Due {
  readonly owes: 'delivery' | 'solution' | 'reveal'
  readonly until: Ms
}

/**
 * Conducts an asynchronous match (section 4.3: players can buy and sell at any time). Whoever owes no answer is asked as
 * soon as something has happened, so every public event is pushed to him; he answers with what he wants to do, be it
 * nothing, and programs may also speak unasked. Bundles are committed in the order in which they arrive. There are no turns,
 * so nobody has to trade (rules 2 and 3); what is owed must be done within the time slot after its debtor was told. When
 * the time for trading is over, it goes on until nothing is owed (rule 10).
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
  // Who is asked first has a small start; it is another one each time.
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
    // Before he is asked again: a debtor who always has a question to answer would have time for ever.
    giveUp(room, speaker, now, limitMs)
  }
}

function wantsAsking(state: State, { seat, question, seen, again }: Seated, now: Ms): boolean {
  if (question !== null || state.players[seat]!.removed) return false
  if (!trading(state) && !owing(state, seat)) return false
  return countOf(state) > seen || now >= again
}

function ask({ table, teller }: Room, player: Seated, limits: RefereeLimits): void {
  const limitMs = limits.moveMs
  const { state } = table
  const { seat, dues } = player
  const now = table.now()
  for (const deal of [...dueDeliveries(state, seat), ...dueSolutions(state, seat), ...dueReveals(state, seat)]) {
    const { owes } = debtOf(deal)
    if (dues.get(deal.challenge)?.owes !== owes) dues.set(deal.challenge, { owes, until: now + limitMs })
  }
  const message = teller.turn(seat, player.seen)
  player.seen = countOf(state)
  const number = table.ask({ post: postOf(seat), message, limitMs })
  player.question = { number, until: now + givenUpAfter(limitMs, limits) }
}

/** The next moment at which something is to be done although nothing arrives. */
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
 * Whoever is silent, or has not done in time what he knew that he owed. One who is still thinking has his answer's time, and
 * what he says unasked meanwhile does not give him more.
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
