import type { Wire, WireEffect } from '../contract/game/wire.ts'
import { jsonLine, jsonLineReader, printedMark, type JsonObject } from './json-lines.ts'

/**
 * The dialogue of a game that has none of its own: one JSON object a line. A message is written with its fields, and where an
 * answer is wanted with `question`, its number, and `limitMs`. An answer is an object; its field `question` may state which question it
 * answers, without it the line answers the oldest open one. `"question": null` says something without having been asked.
 */
export function jsonWire<M extends JsonObject, A>(): Wire<M, A> {
  const lines = jsonLineReader()

  const read = (line: JsonObject | string): WireEffect<A> => {
    if (typeof line === 'string') return { ...fault(line), ...printedMark(line) }
    const { question, ...rest } = line
    // The game's own schema reads it.
    const value = rest as A
    if (question === null) return { type: 'said', value }
    if (question !== undefined && !Number.isSafeInteger(question))
      return fault('"question" must be the number of a question, or null.')
    return { type: 'answer', to: question === undefined ? null : Number(question), value }
  }

  return {
    joined() {
      lines.reset()
      return [{ type: 'ready' }]
    },
    receive: (chunk) => lines.read(chunk).map(read),
    left: () => [],
    send(message, question) {
      const asked = question === null ? {} : { question: question.number, limitMs: question.limitMs }
      return [{ type: 'write', bytes: jsonLine({ ...message, ...asked }) }]
    },
    withdrawn: () => [],
  }
}

function fault(text: string): { readonly type: 'fault' } & WireEffect<never> {
  return { type: 'fault', fault: { kind: 'protocol', text }, gone: false }
}
