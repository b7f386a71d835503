import type { NativeDialogue, NativeWire } from '../../contract/game.ts'
import type { WireEffect } from '../../contract/wire.ts'
import type { Farewell, NativeSignIn } from '../../contract/native-dialogue.ts'
import type { Json } from '../../contract/json.ts'
import { endedBy } from '../framings.ts'
import { jsonLine } from '../json-lines.ts'
import type { Config } from './config.ts'
import { demandOf, readFrame, readHello, reasonOf, type Log, type ServerFrame, type Side } from './frames.ts'
import type { Answer, StartMessage, TurnMessage } from './messages.ts'
import { isShare, sharesOf, type View } from './rules.ts'

type Effects = readonly WireEffect<Answer>[]

const newline = 10

/** The protocol of the arena of 2018: a WebSocket a session, a JSON text a frame, the client's id in a header. */
export const native: NativeDialogue<Config, StartMessage | TurnMessage, Answer, View> = {
  transport: 'web-socket',
  connection: 'match',
  guide:
    'haggle.js of 2018, or whatever speaks like it: its --id is the credential. It plays one session and ends, so start it again in a loop.',
  // A frame has no end of its own: that is one byte more.
  framing: (most) => endedBy(newline, most + 1),
  signIn,
  wire,
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
    // The client prints why it is closed.
    refused: () => null,
    goodbye: () => null,
    settles(message) {
      const frame = readFrame(new TextDecoder().decode(message))
      // Its script may log something first.
      return typeof frame === 'string' || frame.type === 'offer' || frame.type === 'abort'
    },
  }
}

/**
 * The dialogue of a session. A client says nothing to `start`, and asks its script at once where it moves first: what it then
 * offers may come before the referee has asked for it, and is kept until then.
 */
function wire(): NativeWire<StartMessage | TurnMessage, Answer, View> {
  let session: (Pick<StartMessage, 'counts' | 'maxRounds'> & { readonly me: Side }) | null = null
  /** The turn that is asked for and has not been answered. */
  let open: number | null = null
  /** Whether its first offer may come before it has been asked for, and what it is. */
  let first: 'may come' | 'over' | { readonly offer: Answer } = 'over'
  let demands = 0
  /** What it has said ends the session: whatever follows is said after the end, even where the referee has not read that yet. */
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
    if (ended) return []
    const text = textOf(line)
    const frame = text === null ? 'A frame is not UTF-8.' : readFrame(text)
    if (typeof frame === 'string') return [gone(frame)]
    if (frame.type === 'info') return [{ type: 'console', text: `\u25b8 ${JSON.stringify(frame.text ?? null)}` }]
    // A proof of work that nobody has asked for is as good as none.
    if (frame.type === 'pow') return []
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
      // Whoever moves first has been asked by `start`.
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

/** How a side is told how it ended, in the original's order. `atWork`: its script owes an answer. */
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
  // Who accepted has moved last; then the original client asks its partner's script once more.
  const accepted = agreed && (offers.length - 1) % 2 !== me
  const shares = sharesOf({ offers, counts })
  const frames: readonly ServerFrame[] = [
    ...(accepted ? [{ type: 'offer' } as const] : []),
    // The last demand of a failed session wants no answer, so it comes as a log.
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
