import { randomUUID } from 'node:crypto'
import type { Wire, WireEffect } from '../../contract/game/wire.ts'
import type { Json } from '../../contract/json.ts'
import type { Limits } from '../../contract/limits.ts'
import type { Player, PlayerEvent } from '../../contract/players/player.ts'
import type { SeatBudget } from '../printed-output.ts'
import { wirePlayer } from '../wire-player.ts'
import type { WebAgent } from './address.ts'
import { webChannel } from './web-channel.ts'

/** A web application and its seat in one match. */
export interface WebSeat {
  readonly agent: WebAgent
  /** Any text, which is sent to the application so that equal seeds can give equal matches. */
  readonly seed: string
  /** The game's dialogue for this post; it must not need a greeting. */
  readonly wire: Wire<Json, Json>
  readonly limits: Limits
  /** The budget that it shares with the other bodies of its seat. Absent: it has its own. */
  readonly budget?: SeatBudget
  readonly emit: (event: PlayerEvent) => void
}

/**
 * Seats an agent that runs elsewhere as a web application (section 2.2): every question is a request. One application
 * may play several matches at a time; `tartaglia-session` identifies the requests of one match.
 */
export function seatWeb({ agent, seed, wire, limits, budget, emit }: WebSeat): Player {
  const headers = { 'tartaglia-session': randomUUID(), 'tartaglia-seed': seed }
  const channel = webChannel({ agent, headers, responseBytes: limits.messageBytes })
  return wirePlayer({
    wire: webWire(wire),
    channels: { reopens: 'never', open: (up) => up(channel), close: () => channel.close() },
    limits,
    budget,
    emit,
  })
}

type Effects = readonly WireEffect<Json>[]

const newline = 10

/**
 * A game's dialogue with a web application: one request per question, with the answer as its response. Messages without
 * an answer are not sent. A response is one message on any number of lines and must contain the answer. If the game's
 * dialogue asks a question again in other words, it is posted once more. Each `receive` expects a complete response.
 */
function webWire(wire: Wire<Json, Json>): Wire<Json, Json> {
  /** The question of the newest request. */
  let posted = 0
  /** True while its answer is expected. */
  let open = false
  let again = false

  const failed = (text: string): Effects => {
    open = false
    return [{ type: 'fault', to: posted, fault: { kind: 'protocol', text }, gone: false }]
  }

  return {
    joined: (at) => wire.joined(at),
    receive(response, at) {
      // A newline between tokens of a message is equivalent to a space, and tokens contain none.
      const line = new Uint8Array(response.length + 1).fill(newline)
      line.set(response.map((byte) => (byte === newline ? 32 : byte)))
      const effects = wire.receive(line, at)
      const fault = effects.find(({ type }) => type === 'fault')
      // There is no second line that could correct a faulty one.
      if (fault?.type === 'fault') return open ? failed(fault.fault.text) : []
      const answer = effects.find(({ type }) => type === 'answer')
      if (answer?.type === 'answer') {
        if (answer.to !== null && answer.to !== posted)
          return open ? failed(`The response answers question ${answer.to} instead of ${posted}.`) : []
        open = false
        return [{ ...answer, to: posted }]
      }
      if (!open) return []
      if (again || effects.every(({ type }) => type !== 'write')) return failed('The response contains no answer.')
      again = true
      return effects
    },
    left: (at) => wire.left(at),
    send(message, question, at) {
      if (question === null) return []
      posted = question.number
      open = true
      again = false
      return wire.send(message, question, at)
    },
    withdrawn(question, at) {
      if (question === posted) open = false
      return wire.withdrawn(question, at).filter(({ type }) => type !== 'write')
    },
    unsent: (message) => wire.unsent?.(message),
  }
}
