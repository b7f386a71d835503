import type { NativeWire } from '../../../contract/game/game.ts'
import type { SeatId } from '../../../contract/ids.ts'
import type { WireEffect, WireHost } from '../../../contract/game/wire.ts'
import type { Config } from '../config.ts'
import type { Answer, Message, StartMessage } from '../messages.ts'
import type { View } from '../view.ts'
import { nulFraming } from './nul-framing.ts'
import { MESSAGE_BYTES, readClientMessage } from './xml-message.ts'
import { pong, requestAction, simEnd, simStart } from './xml-text.ts'

type Effects = readonly WireEffect<Answer>[]
type Effect = WireEffect<Answer>

export interface XmlWireOptions {
  readonly seat: SeatId
  readonly profile: Config['profile']
  readonly host: WireHost
  /** The names of the simulation and of the other team for clients. Absent: `0`, and what the referee calls it. */
  readonly names?: { readonly simulation: string; readonly opponent: string }
  /** Requests of earlier simulations over the same connections: identifiers go on behind them. Absent: none. */
  readonly requestsBefore?: number
}

/** A ping with a longer payload is not answered (spec 3.4.9). */
const PAYLOAD_CHARACTERS = 100
/** Characters of an answer's action that a fault may quote. */
const ACTION_CHARACTERS = 40

/**
 * Messages of one connection that answer no request: the number allowed at once, and the number added each second. Beyond that the connection
 * ends, because it floods the server (spec 4.2).
 */
const FREE_MESSAGES = 500
const FREE_MESSAGES_A_SECOND = 50

/** A whole message that means nothing; without an effect it would count as a part of an unfinished one. */
const ignored: Effects = [{ type: 'console', text: '' }]

const discarded = (reason: string): Effects => [{ type: 'console', text: `\u25b8 A message was discarded: ${reason}.` }]

/**
 * The dialogue of 2008 of one body within one simulation (spec 3.4): XML documents that end with NUL. A message that cannot be
 * read, or that answers no open request, is discarded and shown to the team; the request stays open. A client that reconnects gets
 * `sim-start` once more as it was, and then the next request.
 */
export function xmlWire({
  seat,
  profile,
  host,
  names,
  requestsBefore = 0,
}: XmlWireOptions): NativeWire<Message, Answer, View> {
  let framing = nulFraming(MESSAGE_BYTES)
  let start: Uint8Array | null = null
  /** The request that may be answered. */
  let open: { readonly question: number; readonly id: string } | null = null
  let flood = { messages: 0, at: 0 }

  const begin = ({ opponent, steps, width, height, corral }: StartMessage): Uint8Array => {
    const told = { simulation: names?.simulation ?? '0', opponent: names?.opponent ?? opponent }
    start = simStart({ ...told, steps, width, height, corral }, host.unixNow())
    return start
  }
  const act = (attributes: Readonly<Record<string, string>> | null): Effects => {
    const { id, type } = attributes ?? {}
    if (id === undefined) return discarded('an action needs the attribute "id"')
    // Clients of 2008 answer `sim-start` like this.
    if (type === undefined) return ignored
    if (open === null || open.id !== id)
      return discarded(`no open request has the id "${id.slice(0, ACTION_CHARACTERS)}"`)
    const { question } = open
    open = null
    // Any other word is refused by the game's schema and counts as a skip.
    const value = { action: type.slice(0, ACTION_CHARACTERS) } as Answer
    return [{ type: 'answer', to: question, value }]
  }
  const reply = (bytes: Uint8Array): Effects => {
    const message = readClientMessage(bytes)
    if (message === null) return discarded(`it is empty or has more than ${MESSAGE_BYTES} bytes`)
    if (typeof message === 'string') return discarded(message)
    if (message.type === 'action') return act(message.attributes)
    if (message.type !== 'ping') return discarded('it is neither an action nor a ping')
    const payload = message.attributes?.['value']
    if (payload === undefined) return discarded('a ping needs an element "payload" with the attribute "value"')
    return payloadFits(payload) ? [{ type: 'write', bytes: pong(payload, host.unixNow()) }] : ignored
  }
  /** True if a message that answers no request is one too many. */
  const floods = (at: number): boolean => {
    const messages = Math.max(0, flood.messages - ((at - flood.at) / 1_000) * FREE_MESSAGES_A_SECOND) + 1
    flood = { messages, at }
    return messages > FREE_MESSAGES
  }
  const heard = (message: Uint8Array, at: number): Effects => {
    const effects = reply(message.subarray(0, -1))
    return effects[0]?.type === 'answer' || !floods(at) ? effects : flooded
  }

  return {
    joined() {
      framing = nulFraming(MESSAGE_BYTES)
      flood = { messages: 0, at: 0 }
      return [...(start === null ? [] : [{ type: 'write', bytes: start } as const]), { type: 'ready' }]
    },
    receive(chunk, at) {
      const messages = framing.read(chunk)
      if (typeof messages === 'string') return broken(messages)
      const effects: Effect[] = []
      for (const message of messages) {
        effects.push(...heard(message, at))
        if (effects.at(-1)?.type === 'close') break
      }
      return effects
    },
    left: () => [],
    send(message, question) {
      if (question === null) return []
      if (message.type === 'start') {
        const answer: Effect = { type: 'answer', to: question.number, value: { ready: true } }
        return [{ type: 'write', bytes: begin(message) }, answer]
      }
      const now = host.unixNow()
      const id = String(requestsBefore + message.step + 1)
      open = { question: question.number, id }
      const bytes = requestAction(message, id, now + Math.max(0, Math.round(question.limitMs)), now)
      return [{ type: 'write', bytes }]
    },
    withdrawn(question) {
      if (open?.question === question) open = null
      return []
    },
    unsent(message) {
      // A client that comes later gets it first of all.
      if (message.type === 'start') begin(message)
    },
    over: ({ scores }) => ({
      messages: start === null ? [] : [simEnd(resultOf(scores, seat, profile), scores[seat]!, host.unixNow())],
    }),
  }
}

/** True if a ping is answered. */
export const payloadFits = (payload: string): boolean => Array.from(payload).length <= PAYLOAD_CHARACTERS

const broken = (text: string): Effects => [
  { type: 'fault', fault: { kind: 'protocol', text }, gone: false },
  { type: 'close' },
]

const flooded = broken(
  `The agent sent more than ${FREE_MESSAGES} messages that answer no request, and more than ${FREE_MESSAGES_A_SECOND} a second: its connection was closed.`,
)

function resultOf(scores: readonly number[], seat: SeatId, profile: Config['profile']): Parameters<typeof simEnd>[0] {
  const lead = scores[seat]! - scores[1 - seat]!
  if (lead === 0) return 'draw'
  if (lead > 0) return 'win'
  return profile === 'document' ? 'lose' : 'loose'
}
