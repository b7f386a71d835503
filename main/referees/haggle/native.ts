import type { NativeWire } from '../../contract/game/game.ts'
import type { WireEffect } from '../../contract/game/wire.ts'
import type { Farewell, NativeEntry, NativeSignIn } from '../../contract/game/native-dialogue.ts'
import type { Json } from '../../contract/json.ts'
import { endedBy } from '../framings.ts'
import { jsonLine } from '../json-lines.ts'
import { demandOf, readFrame, readHello, reasonOf, type Log, type ServerFrame, type Side } from './frames.ts'
import type { Answer, StartMessage, TurnMessage } from './messages.ts'
import { isShare, sharesOf, type View } from './rules.ts'

type Effects = readonly WireEffect<Answer>[]

const newline = 10
/** A whole message that means nothing; without an effect it would count as a part of an unfinished one. */
const ignored: Effects = [{ type: 'console', text: '' }]

/**
 * The protocol of the arena of 2018: one WebSocket per session, one JSON text per frame, the client's id in a header.
 */
export const native: NativeEntry = {
  transport: 'web-socket',
  connection: 'match',
  guide:
    'Use haggle.js of 2018 or a compatible client; its --id is the credential. It exits after each session, so start it in a loop.',
  // The transport adds one byte to the end of each frame.
  framing: (most) => endedBy(newline, most + 1),
  signIn,
}

function signIn(): NativeSignIn {
  return {
    joined(request) {
      const hello = readHello(request?.headers ?? {})
      return 'refusal' in hello ? hello : { claim: { by: 'credential', password: hello.id } }
    },
    receive: () => ({}),
    accepted: ({ entrant }) =>
      written({ type: 'log', arg: ['network', `Connected as ${entrant}, waiting for a partner...`] }),
    // The client prints the reason why the connection closes.
    refused: () => null,
    goodbye: () => null,
    settles(message) {
      const frame = readFrame(new TextDecoder().decode(message))
      // Its script may log something before it moves.
      return typeof frame === 'string' || frame.type === 'offer' || frame.type === 'abort'
    },
  }
}

/**
 * The dialogue of a session. A client does not answer `start`. If it moves first it calls its script at once, so its
 * offer may arrive before the referee has asked for it and is kept until then.
 */
export function nativeWire(): NativeWire<StartMessage | TurnMessage, Answer, View> {
  let session: (Pick<StartMessage, 'counts' | 'maxRounds'> & { readonly me: Side }) | null = null
  /** The open question; null: none. */
  let open: number | null = null
  /** The client's first offer, if it arrived before it was requested; `may come`: it still may. */
  let first: 'may come' | 'over' | { readonly offer: Answer } = 'over'
  let demands = 0
  /**
   * Its last message ends the session: anything that follows comes after the end, even if the referee has not read that
   * message yet.
   */
  let ended = false

  const offered = (demand: Json, { me, counts, maxRounds }: NonNullable<typeof session>): Effects => {
    if (open === null && first !== 'may come') {
      ended = true
      return [{ type: 'said', value: { threw: 'Unexpected offer' } }]
    }
    demands += 1
    ended = !isShare(demand, counts) || (me === 1 && demands === maxRounds)
    const answer = { value: demand } as Answer
    if (open !== null) return answered(answer)
    first = { offer: answer }
    return []
  }
  const answered = (value: Answer): Effects => {
    const to = open
    open = null
    return [{ type: 'answer', to, value }]
  }
  const read = (line: Uint8Array): Effects => {
    if (ended) return ignored
    const text = textOf(line)
    const frame = text === null ? 'A frame is not UTF-8.' : readFrame(text)
    if (typeof frame === 'string') return [gone(frame)]
    if (frame.type === 'info') return [{ type: 'console', text: `\u25b8 ${JSON.stringify(frame.text ?? null)}` }]
    // A proof of work that was not requested is ignored.
    if (frame.type === 'pow') return ignored
    if (frame.type === 'offer') {
      return session === null ? [gone('The session has not begun.')] : offered(demandOf(frame), session)
    }
    ended = true
    const walk = { threw: reasonOf(frame) }
    return open === null ? [{ type: 'said', value: walk }] : answered(walk)
  }
  const lines = endedBy(newline, Infinity)

  return {
    joined: () => [{ type: 'ready' }],
    receive(chunk) {
      const messages = lines.read(chunk)
      return typeof messages === 'string' ? [gone(messages)] : messages.flatMap(read)
    },
    left: () => [],
    send(message, question) {
      if (question === null) return []
      if (message.type === 'start') {
        const { counts, values, maxRounds } = message
        const me = message.me === 0 ? 0 : 1
        session = { me, counts, maxRounds }
        first = me === 0 ? 'may come' : 'over'
        return [
          { type: 'write', bytes: written({ type: 'start', opt: { me, counts, values, max_rounds: maxRounds } }) },
          { type: 'answer', to: question.number, value: { value: null } },
        ]
      }
      open = question.number
      // The side that moves first was asked by `start`.
      if (message.offer !== null) {
        return [{ type: 'write', bytes: written({ type: 'offer', offer: message.offer }) }]
      }
      const early = typeof first === 'object' ? first.offer : null
      first = 'over'
      return early === null ? [] : answered(early)
    },
    withdrawn: () => [],
    over: (view) =>
      session === null ? { messages: [] } : farewell(view, session.me, open !== null || first === 'may come'),
  }
}

/**
 * The messages at the end of a session, in the original's order. `atWork`: whether the side's script still owes an
 * answer.
 */
function farewell({ ending, offers, counts, values, scores }: View, me: Side, atWork: boolean): Farewell {
  const log = (arg: Log): ServerFrame => ({ type: 'log', arg })
  if (ending === null || scores === null) return { messages: [] }
  if (ending.type === 'abort') {
    const who = ending.seat === me ? 'you' : 'your partner'
    return {
      messages: [written(log(['abort', sideOf(ending.seat), ending.reason]))],
      reason: `The session is over: ${who} walked away.`,
      awaits: atWork,
    }
  }
  const agreed = ending.type === 'agreed'
  // The side that accepted moved last; the original client then calls the script of its partner once more.
  const accepted = agreed && (offers.length - 1) % 2 !== me
  const shares = sharesOf({ offers, counts })
  const frames: readonly ServerFrame[] = [
    ...(accepted ? [{ type: 'offer' } as const] : []),
    // The last demand of a failed session needs no answer, so it is sent as a log.
    ...(!agreed && me === 0 && shares !== null ? [log(['offer', 1, shares])] : []),
    ...([0, 1] as const).flatMap((side) => [
      log(['valuation', side, values[side]!]),
      log(['score', side, scores[side]]),
    ]),
    log(['done', agreed]),
  ]
  return {
    messages: frames.map(written),
    reason: `The session is over: ${agreed ? 'you agreed' : 'no agreement'}.`,
    awaits: atWork || accepted,
  }
}

const sideOf = (seat: number): Side => (seat === 0 ? 0 : 1)

function written(frame: ServerFrame): Uint8Array {
  return jsonLine(frame as Parameters<typeof jsonLine>[0])
}

const gone = (text: string): WireEffect<Answer> => ({ type: 'fault', fault: { kind: 'protocol', text }, gone: true })

function textOf(line: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(line)
  } catch {
    return null
  }
}
