import { setImmediate as soon } from 'node:timers'
import type { Client } from './client.ts'
import { demandOf, reasonOf, type ClientFrame, type Log } from './frames.ts'
import type { Ending, Negotiation, Side } from './negotiation.ts'

export interface SessionOptions {
  readonly negotiation: Negotiation
  /** By side. */
  readonly clients: readonly [Client, Client]
  /** ms for a turn, from the frame that says so to the answer. */
  readonly turnMs: number
  /** How the one who takes longer has walked away. */
  readonly tooLong: string
  onEnd(ending: Ending): void
}

/** Lets two clients negotiate, and sends both home. */
export function beginSession({ negotiation, clients, turnMs, tooLong, onEnd }: SessionOptions): void {
  let clock: NodeJS.Timeout | undefined
  /** Turns that have begun. */
  let turns = 0

  const awaitAnswer = (side: Side): void => {
    const turn = ++turns
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
  const finish = (ending: Ending): void => {
    turns += 1
    clearTimeout(clock)
    tell(negotiation, clients, ending)
    onEnd(ending)
  }
  const frame = (side: Side, said: ClientFrame): void => {
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

/** Tells both how it ended, in the original's order, and why they are sent home. */
function tell(negotiation: Negotiation, clients: readonly [Client, Client], ending: Ending): void {
  const both = (arg: Log): void => clients.forEach((client) => client.send({ type: 'log', arg }))
  if (ending.type === 'abort') {
    const { side, reason } = ending
    both(['abort', side, reason])
    clients[side].end('The session is over: you walked away.')
    clients[side === 0 ? 1 : 0].end('The session is over: your partner walked away.')
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
  for (const client of clients) client.end(`The session is over: ${agreed ? 'you agreed' : 'no agreement'}.`)
}
