import { setImmediate as soon } from 'node:timers'
import type { Client } from './client.ts'
import { demandOf, reasonOf, type ClientFrame, type Log, type Side } from '../../referees/haggle/frames.ts'
import type { NegotiationEnding, Negotiation } from './negotiation.ts'

export interface SessionOptions {
  readonly negotiation: Negotiation
  /** By side. */
  readonly clients: readonly [Client, Client]
  /** ms for a turn, from the frame that says so to the answer. */
  readonly turnMs: number
  /** How the one who takes longer has walked away. */
  readonly tooLong: string
  /** ms that a client whose script is still at work when the session ends has for its answer. */
  readonly strayMs: number
  onEnd(ending: NegotiationEnding): void
}

/** Lets two clients negotiate, and sends both home. */
export function beginSession(options: SessionOptions): void {
  const { negotiation, clients, turnMs, tooLong, strayMs, onEnd } = options
  let clock: NodeJS.Timeout | undefined
  /** Turns that have begun. */
  let turns = 0
  /** Whose script has been asked and has not answered. */
  let asked: Side | null = null

  const awaitAnswer = (side: Side): void => {
    const turn = ++turns
    asked = side
    clearTimeout(clock)
    // An answer that has arrived while this process was busy is in time: two rounds of the event loop read it first.
    const late = (): void => {
      if (turn === turns) walk(side, tooLong)
    }
    clock = setTimeout(() => soon(() => soon(late)), turnMs)
  }
  const walk = (side: Side, reason: string): void => {
    negotiation.walk(side, reason)
    goOn(side)
  }
  /** What comes of what a side has just done. */
  const goOn = (side: Side): void => {
    const [partner, ending, shares] = [side === 0 ? 1 : 0, negotiation.ending(), negotiation.shares()] as const
    if (ending !== null) return finish(ending)
    if (shares !== null) clients[partner].send({ type: 'offer', offer: shares[partner] })
    awaitAnswer(partner)
  }
  const finish = (ending: NegotiationEnding): void => {
    turns += 1
    clearTimeout(clock)
    tell(negotiation, clients, ending)
    // When its partner accepts, an original client asks its script once more.
    if (ending.type === 'agreed') asked = ending.by === 0 ? 1 : 0
    for (const side of [0, 1] as const) {
      const reason = goodbye(ending, side)
      if (side === asked) clients[side].endAfterAnswer(reason, strayMs)
      else clients[side].end(reason)
    }
    onEnd(ending)
  }
  const frame = (side: Side, said: ClientFrame): void => {
    if (side === asked && (said.type === 'abort' || said.type === 'offer')) asked = null
    if (said.type === 'abort') return walk(side, reasonOf(said))
    // A second proof of work is as good as none; what scripts log stays with them.
    if (said.type !== 'offer') return
    if (negotiation.turn() !== side) return walk(side, 'Unexpected offer')
    negotiation.answer(side, demandOf(said))
    goOn(side)
  }

  for (const side of [0, 1] as const) {
    clients[side].listen({ frame: (said) => frame(side, said), left: (reason) => walk(side, reason) })
  }
  const { counts, values, maxRounds } = negotiation
  for (const me of [0, 1] as const) {
    clients[me].send({ type: 'start', opt: { me, counts, values: values[me], max_rounds: maxRounds } })
  }
  awaitAnswer(0)
}

/** Tells both how it ended, in the original's order. */
function tell(negotiation: Negotiation, clients: readonly [Client, Client], ending: NegotiationEnding): void {
  const both = (arg: Log): void => clients.forEach((client) => client.send({ type: 'log', arg }))
  if (ending.type === 'abort') {
    const { side, reason } = ending
    both(['abort', side, reason])
    return
  }
  const shares = negotiation.shares()
  const agreed = ending.type === 'agreed'
  if (agreed) clients[ending.by === 0 ? 1 : 0].send({ type: 'offer' })
  // The last demand of a failed session wants no answer, so it comes as a log.
  else if (shares !== null) clients[0].send({ type: 'log', arg: ['offer', 1, shares] })
  for (const side of [0, 1] as const) {
    both(['valuation', side, negotiation.values[side]])
    both(['score', side, ending.scores[side]])
  }
  both(['done', agreed])
}

/** Why a side is sent home. */
function goodbye(ending: NegotiationEnding, side: Side): string {
  if (ending.type === 'agreed') return 'The session is over: you agreed.'
  if (ending.type === 'not agreed') return 'The session is over: no agreement.'
  return `The session is over: ${ending.side === side ? 'you' : 'your partner'} walked away.`
}
