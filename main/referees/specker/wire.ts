import type { Wire, WireEffect } from '../../contract/game.ts'
import type { Json } from '../../contract/json.ts'
import type { Bundle, StartMessage, TurnMessage } from './messages.ts'

type Effects = readonly WireEffect<Bundle>[]

/**
 * The dialogue of programs and network agents: one JSON value a line, UTF-8, in both directions. To the agent: the message of
 * messages.ts with `question`, its number, and `limitMs`, how long there is for the answer. From the agent: a bundle, which may
 * carry the number that it answers; without one it answers the oldest question that is open. With `"question": null` it is
 * said unasked, which the asynchronous game hears at any time. Whoever answers too late, or writes what is no line of this
 * kind, is told so in a line of type `refused`.
 */
export function wire(): Wire<StartMessage | TurnMessage, Bundle> {
  const encoder = new TextEncoder()
  let decoder = new TextDecoder()
  let rest = ''
  const write = (value: Json): WireEffect<Bundle> => {
    return { type: 'write', bytes: encoder.encode(`${JSON.stringify(value)}\n`) }
  }
  const refuse = (text: string, question: number | null): WireEffect<Bundle> =>
    write({ type: 'refused', question, text })

  const read = (line: string): Effects => {
    const value = parse(line)
    if (value === null) {
      const text = 'A line is no JSON object.'
      return [refuse(text, null), { type: 'fault', fault: { kind: 'protocol', text }, gone: false }]
    }
    const { question, ...bundle } = value
    // The game's own schema reads the bundle, behind the wire.
    const said = bundle as unknown as Bundle
    if (question === null) return [{ type: 'said', value: said }]
    if (question === undefined) return [{ type: 'answer', to: null, value: said }]
    if (Number.isSafeInteger(question)) return [{ type: 'answer', to: Number(question), value: said }]
    const text = '"question" must be the number of a question, or null for what is said unasked.'
    return [refuse(text, null), { type: 'fault', fault: { kind: 'protocol', text }, gone: false }]
  }

  return {
    joined() {
      decoder = new TextDecoder()
      rest = ''
      return [{ type: 'ready' }]
    },
    receive(chunk) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      return lines.filter((line) => line.trim() !== '').flatMap(read)
    },
    left: () => [],
    send(message, question) {
      const asked = question === null ? {} : { question: question.number, limitMs: question.limitMs }
      return [write({ ...message, ...asked })]
    },
    withdrawn: (question) => [refuse('The answer did not come in time; it is no longer waited for.', question)],
  }
}

function parse(line: string): Readonly<Record<string, Json>> | null {
  try {
    const value = JSON.parse(line) as Json
    const object = typeof value === 'object' && value !== null && !Array.isArray(value)
    return object ? (value as Readonly<Record<string, Json>>) : null
  } catch {
    return null
  }
}
