import type { Wire, WireEffect, WireQuestion } from '../../contract/game/wire.ts'
import { lengthPrefixed } from '../framings.ts'
import { framed, framedText, noted, readFramed, nameIn, unreadable } from './frames.ts'
import { officialOf, type Answer, type Message, type Move } from './messages.ts'
import type { NativeEntry, NativeSignIn } from '../../contract/game/native-dialogue.ts'

type Effects = readonly WireEffect<Answer>[]

/**
 * The dialogue of the online mode after its handshake. Answers have no numbers: they come in the order of the questions, so the
 * oldest open one is answered. A punter that still owes an answer when it is its turn again is asked as soon as that has come,
 * and has what is left of the turn; if it has not come by the end of the turn, the next question is put all the same. Thus a late
 * answer never counts for a later turn. A punter that has left a question out, so that each of its answers seems to be late, is
 * even again as soon as it has kept silent for two more turns: what it owes then will not come.
 */
export function onlineWire(): Wire<Message, Answer> {
  const messages = lengthPrefixed(Infinity)
  /** Written and not answered, the oldest first. */
  const asked: WireQuestion[] = []
  /** Waits for the answer that is owed. */
  let held: { readonly question: WireQuestion; readonly message: Message } | null = null
  /** A whole turn was waited for what is owed. */
  let patient = true
  /** Since the last question was put, an older one was answered. */
  let caughtUp = false
  /** Moves of questions that were held until their turn was over. */
  let missed: readonly Move[] = []

  const put = (message: Message, question: WireQuestion): Effects => {
    if (caughtUp && !patient) asked.length = 0
    asked.push(question)
    patient = true
    caughtUp = false
    return [{ type: 'write', bytes: framed(officialOf(withMissed(message))) }]
  }
  /** The moves that the punter was never told of come before those of the message. */
  const withMissed = (message: Message): Message => {
    if (message.type !== 'move' || missed.length === 0) return message
    const moves = [...missed, ...message.moves]
    missed = []
    return { ...message, moves }
  }
  const read = (message: Uint8Array): Effects => {
    const found = readFramed(message)
    if (typeof found === 'string') return [unreadable(found)]
    // The game's own schema reads it.
    const value = found.value as Answer
    const question = asked.shift()
    if (question === undefined) return [{ type: 'said', value }]
    const effects: Effects = [{ type: 'answer', to: question.number, value }]
    caughtUp = asked.length > 0
    if (caughtUp || held === null) return effects
    const next = held
    held = null
    return [...effects, ...put(next.message, next.question)]
  }

  return {
    joined: () => [{ type: 'ready' }],
    receive(chunk) {
      const found = messages.read(chunk)
      return typeof found === 'string' ? [unreadable(found)] : found.flatMap(read)
    },
    left: () => [],
    send(message, question) {
      if (question === null) return []
      if (message.type === 'setup') return put(message, question)
      if (message.type === 'stop') {
        // Nobody answers it.
        return [
          ...noted(message.notes),
          { type: 'write', bytes: framed(officialOf(message)) },
          { type: 'answer', to: question.number, value: { stopped: true } },
        ]
      }
      if (asked.length === 0 || !patient) return [...noted(message.notes), ...put(message, question)]
      held = { question, message }
      return noted(message.notes)
    },
    withdrawn(number) {
      const over = held?.question.number === number ? held.question : asked.find((each) => each.number === number)
      if (over === undefined) return []
      if (held?.question.number === number) {
        if (held.message.type === 'move') missed = [...missed, ...held.message.moves]
        held = null
        patient = false
      }
      return [{ type: 'write', bytes: framedText(`{"timeout":${seconds(over.limitMs)}}`) }]
    },
  }
}

/** A float, as edition 1.3 has it. */
function seconds(ms: number): string {
  const value = ms / 1_000
  return Number.isInteger(value) ? value.toFixed(1) : String(value)
}

/** The online mode of 2017: a plain connection a match, seats in the order in which punters say their names. */
export const native: NativeEntry = {
  transport: 'tcp',
  connection: 'match',
  guide:
    'Punters of 2017 connect in online mode and need no credential: they get their seats in the order in which they come. A connection is for one match.',
  framing: (most) => lengthPrefixed(most + PREFIX),
  signIn,
}

/** Nine digits and a colon. */
const PREFIX = 10

function signIn(): NativeSignIn {
  let name = ''
  return {
    joined: () => ({}),
    receive(message) {
      const found = readFramed(message)
      if (typeof found === 'string') return { refusal: found }
      const me = nameIn(found.value)
      if (me === null) return { refusal: 'The first message must be {"me": NAME}.' }
      name = me
      return { claim: { by: 'arrival', name } }
    },
    accepted: () => framed({ you: name }),
    // The protocol of 2017 has no words for it.
    refused: () => null,
    goodbye: () => null,
  }
}
