import type { Wire, WireEffect } from '../../contract/wire.ts'
import type { Json } from '../../contract/json.ts'

type Effects = readonly WireEffect<Json>[]

const newline = 10

/**
 * A game's dialogue with a web application: a request for each question, whose answer is the response. What wants no answer is
 * not sent. A response is one message, on as many lines as it likes, and must answer; one that wants the question in other
 * words, where the game's dialogue has some, gets it once more. Expects a whole response in each `receive`.
 */
export function webWire(wire: Wire<Json, Json>): Wire<Json, Json> {
  /** The question of the newest request. */
  let posted = 0
  /** Whether its answer is still wanted. */
  let open = false
  let again = false

  const failed = (text: string): Effects => {
    open = false
    return [{ type: 'fault', to: posted, fault: { kind: 'protocol', text }, gone: false }]
  }

  return {
    joined: (at) => wire.joined(at),
    receive(response, at) {
      // Between a message's tokens an end of line is as good as a space, and within them there is none.
      const line = new Uint8Array(response.length + 1).fill(newline)
      line.set(response.map((byte) => (byte === newline ? 32 : byte)))
      const effects = wire.receive(line, at)
      const fault = effects.find(({ type }) => type === 'fault')
      // There is no second line in which a faulty one could be made good.
      if (fault?.type === 'fault') return open ? failed(fault.fault.text) : []
      const answer = effects.find(({ type }) => type === 'answer')
      if (answer?.type === 'answer') {
        if (answer.to !== null && answer.to !== posted)
          return open ? failed(`The response answers question ${answer.to} and was to answer ${posted}.`) : []
        open = false
        return [{ ...answer, to: posted }]
      }
      if (!open) return []
      if (again || effects.every(({ type }) => type !== 'write')) return failed('The response answered nothing.')
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
  }
}
