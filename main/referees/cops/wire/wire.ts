import { readMessage, type Reading } from '../../../../grammars/cops/index.ts'
import type { Wire, WireEffect } from '../../../contract/game/wire.ts'
import type { Answer } from '../answer.ts'
import { bytesOf } from './lines.ts'
import type { Message } from '../messages.ts'
import { tooLong } from '../../framings.ts'

type Effects = readonly WireEffect<Answer>[]
type Heard = Reading<Answer>

/** A question that the brain may still answer. */
interface Asked {
  readonly number: number
  readonly wants: Message['asks']
  readonly over: boolean
}

/** The beginning of a message, be it malformed; other lines were printed for people. */
const messageStart = /^\s*[a-z]+(?::|\\)/

/** Messages that a brain may send before it is asked. The first of them is its registration. */
const AHEAD_MAX = 8

/** The dialogue of section 3 over stdin and stdout: a program registers, then reads and writes messages in lines. */
export function copsWire(): Wire<Message, Answer> {
  let messages = messageReader()
  let isReady = false
  let ahead: readonly (readonly [heard: Heard, text: string])[] = []
  let asked: readonly Asked[] = []
  /** The answer that a malformed message has used up. The real one may follow at once, and is dropped. */
  let spoiled: Message['asks'] | null = null

  /** A late message answers a question that is over: its type says so. */
  const questionOf = (heard: Heard): Asked | undefined => {
    const type = 'value' in heard ? heard.value.type : null
    return asked.find(({ over, wants }) => !over || wants === type)
  }
  const answered = (heard: Heard, text: string): Effects => {
    const question = questionOf(heard)
    if (question === undefined) {
      const comesAfterMalformed = spoiled !== null && 'value' in heard && heard.value.type === spoiled
      if (comesAfterMalformed) {
        spoiled = null
        return []
      }
      ahead = [...ahead, [heard, text]]
      return ahead.length > AHEAD_MAX
        ? [broken(`More than ${AHEAD_MAX} messages came before they were asked for.`)]
        : []
    }
    asked = asked.slice(asked.indexOf(question) + 1)
    const to = question.number
    spoiled = 'value' in heard ? null : question.wants
    if ('value' in heard) return [{ type: 'answer', to, value: heard.value }]
    const printed = messageStart.test(text) ? {} : { unreadable: true as const }
    return [{ type: 'fault', to, fault: { kind: 'protocol', text: heard.problem }, gone: false, ...printed }]
  }
  const read = (text: string): Effects => {
    const effects = answered(readMessage(text), text)
    if (isReady) return effects
    isReady = true
    return [{ type: 'ready' }, ...effects]
  }

  return {
    greeting: 'its registration such as “reg: Fox robber”',
    joined() {
      messages = messageReader()
      isReady = false
      ahead = []
      asked = []
      spoiled = null
      return []
    },
    receive(chunk) {
      const found = messages.read(chunk)
      return typeof found === 'string' ? [broken(found)] : found.flatMap(read)
    },
    left: () => [],
    send(message, question) {
      const bytes = bytesOf(message)
      const written: Effects = bytes.length === 0 ? [] : [{ type: 'write', bytes }]
      const isLast = message.type === 'game-over' || message.type === 'accused'
      if (isLast) return [...written, { type: 'end-input', last: true }]
      if (question === null) return written
      asked = [...asked, { number: question.number, wants: message.asks, over: false }]
      const [next, ...rest] = ahead
      if (next === undefined) return written
      ahead = rest
      return [...written, ...answered(...next)]
    },
    withdrawn(number) {
      asked = asked.map((each) => (each.number === number ? { ...each, over: true } : each)).slice(-AHEAD_MAX)
      return []
    },
  }
}

function broken(text: string): WireEffect<Answer> {
  return { type: 'fault', fault: { kind: 'protocol', text }, gone: true }
}

/** Bytes of a line: a word, five tokens of 100 characters and what separates them, with room for what is malformed. */
const LINE_BYTES = 1_000

/** Characters of a message: two sections of 1000 lines, with room for what is malformed. */
const MESSAGE_CHARACTERS = 2_100_000

/** Cuts a stream of bytes into messages. */
interface MessageReader {
  /** The messages that are complete, with their line ends; a string: why nothing more can be read. */
  read(chunk: Uint8Array): readonly string[] | string
}

/**
 * A message is one line or, if its first word ends with a backslash, the lines up to the one that closes it; whether it is well
 * formed is for the grammar to say. The text around these words is not looked at here, so that a message with a space too many
 * is found malformed at once, as one. Bytes above 127 become characters that no token has.
 */
export function messageReader(): MessageReader {
  const decoder = new TextDecoder('latin1')
  /** The whole lines of a message that is not complete, and the beginning of its next line. */
  let text = ''
  let rest = ''
  let end: string | null = null
  return {
    read(chunk) {
      // A byte is a character.
      const said = rest + decoder.decode(chunk)
      const messages: string[] = []
      let from = 0
      for (let at = said.indexOf('\n'); at !== -1; at = said.indexOf('\n', from)) {
        const line = said.slice(from, at + 1)
        from = at + 1
        if (line.length > LINE_BYTES) return tooLong(LINE_BYTES)
        const word = line.trimStart()
        const opened = end === null ? /^[a-z]+(?=\\)/i.exec(word) : null
        if (opened !== null) end = `${opened[0]}/`
        text += line
        if (text.length > MESSAGE_CHARACTERS) return `A message has more than ${MESSAGE_CHARACTERS} characters.`
        if (end !== null && !word.startsWith(end)) continue
        messages.push(text)
        text = ''
        end = null
      }
      rest = said.slice(from)
      return rest.length > LINE_BYTES ? tooLong(LINE_BYTES) : messages
    },
  }
}
