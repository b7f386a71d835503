import type { Wire, WireEffect } from '../../contract/game.ts'
import { jsonLine, jsonLineReader, type JsonObject } from '../json-lines.ts'
import type { Bundle, Message } from './messages.ts'

type Effects = readonly WireEffect<Bundle>[]

/**
 * The dialogue of programs and network agents: one JSON value a line, UTF-8, in both directions. To the agent: the message of
 * messages.ts with `question`, its number, and `limitMs`, how long there is for the answer. From the agent: a bundle, which may
 * carry the number that it answers; without one it answers the oldest question that is open. With `"question": null` it is
 * said unasked, which the asynchronous game hears at any time. Whoever answers too late, or writes what is no line of this
 * kind, is told so in a line of type `refused`.
 */
export function wire(): Wire<Message, Bundle> {
  const lines = jsonLineReader()
  const refuse = (text: string, question: number | null): WireEffect<Bundle> => {
    return { type: 'write', bytes: jsonLine({ type: 'refused', question, text }) }
  }
  const strange = (text: string): Effects => [
    refuse(text, null),
    { type: 'fault', fault: { kind: 'protocol', text }, gone: false },
  ]

  const read = (line: JsonObject | string): Effects => {
    if (typeof line === 'string') return strange(line)
    const { question, ...bundle } = line
    // The game's own schema reads the bundle, behind the wire.
    const said = bundle as unknown as Bundle
    if (question === null) return [{ type: 'said', value: said }]
    if (question === undefined) return [{ type: 'answer', to: null, value: said }]
    if (Number.isSafeInteger(question)) return [{ type: 'answer', to: Number(question), value: said }]
    return strange('"question" must be the number of a question, or null for what is said unasked.')
  }

  return {
    joined() {
      lines.reset()
      return [{ type: 'ready' }]
    },
    receive: (chunk) => lines.read(chunk).flatMap(read),
    left: () => [],
    send(message, question) {
      const asked = question === null ? {} : { question: question.number, limitMs: question.limitMs }
      return [{ type: 'write', bytes: jsonLine({ ...message, ...asked }) }]
    },
    withdrawn: (question) => [refuse('The answer did not come in time; it is no longer waited for.', question)],
  }
}
