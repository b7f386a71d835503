import type { Wire, WireEffect } from '../../../contract/game/wire.ts'
import { lineReader, printedMark, type JsonObject } from '../../json-lines.ts'
import { json, type Language } from './concrete.ts'
import type { Bundle, Message, Protocol } from '../messages.ts'

type Effects = readonly WireEffect<Bundle>[]

/** The line that requests the text of specker.cd from now on. */
const TEXT = 'language text'

/**
 * The dialogue of programs and network agents: one value per line, UTF-8, in both directions. To the agent: the
 * messages of messages.ts with `question`, its number, and `limitMs`, the time for the answer. From the agent: a
 * bundle, which may carry the number that it answers; without one it answers the oldest open question. A bundle with
 * `"question": null` is unasked, which asynchronous games accept at any time. A late answer or an invalid line gets a
 * line of type `refused`. Every line to the agent states the protocol.
 *
 * The values are JSON until the agent writes the line `language text`: from then on both sides use the text of
 * specker.cd, and open questions are written again. `text`: that language. `first`: the protocol with which the match
 * begins.
 */
export function wire(text: () => Language = () => json, first: Protocol = 1): Wire<Message, Bundle> {
  const encoder = new TextEncoder()
  const lines = lineReader((line) => ({ line }))
  let language = json
  let protocol = first
  let open = new Map<number, JsonObject>()

  const write = (message: JsonObject): WireEffect<Bundle> => {
    return { type: 'write', bytes: encoder.encode(`${language.tell(message)}\n`) }
  }
  const refuse = (why: string, question: number | null): WireEffect<Bundle> =>
    write({ type: 'refused', protocol, question, text: why })
  const strange = (why: string): Effects => [
    refuse(why, null),
    { type: 'fault', fault: { kind: 'protocol', text: why }, gone: false },
  ]
  const unreadable = (why: string): Effects => [
    refuse(why, null),
    { type: 'fault', fault: { kind: 'protocol', text: why }, gone: false, ...printedMark(why) },
  ]

  const hear = (line: string): Effects => {
    if (line.trim() === TEXT) {
      language = text()
      return [...open.values()].map(write)
    }
    const heard = language.hear(line)
    if (typeof heard === 'string') return unreadable(heard)
    const { question, ...bundle } = heard
    // The game's own schema parses the bundle after the wire.
    const said = bundle as unknown as Bundle
    if (question === null) return [{ type: 'said', value: said }]
    if (question === undefined) {
      const [oldest] = open.keys()
      if (oldest !== undefined) open.delete(oldest)
      return [{ type: 'answer', to: null, value: said }]
    }
    if (!Number.isSafeInteger(question)) {
      const found = JSON.stringify(question).slice(0, 60).toWellFormed()
      return strange(`"question" is ${found} and must be the number of a question, or null for what is said unasked.`)
    }
    open.delete(Number(question))
    return [{ type: 'answer', to: Number(question), value: said }]
  }

  return {
    joined() {
      lines.reset()
      language = json
      protocol = first
      open = new Map()
      return [{ type: 'ready' }]
    },
    receive: (chunk) =>
      lines.read(chunk).flatMap((line) => (typeof line === 'string' ? unreadable(line) : hear(line.line))),
    left: () => [],
    send(message, question) {
      ;({ protocol } = message)
      const asked = question === null ? {} : { question: question.number, limitMs: question.limitMs }
      const told: JsonObject = { ...message, ...asked }
      if (question !== null) open.set(question.number, told)
      return [write(told)]
    },
    withdrawn(question) {
      open.delete(question)
      return [refuse('The answer did not come in time; it is no longer waited for.', question)]
    },
  }
}
