import type { Wire, WireEffect } from '../../contract/game/wire.ts'
import { jsonLine, jsonLineReader, printedMark, quoted, type JsonObject } from '../json-lines.ts'
import type { ToldLine } from './lines.ts'
import type { Answer, StartMessage, TurnMessage } from './messages.ts'

type Effects = readonly WireEffect<Answer>[]

/**
 * The dialogue of programs: the messages of the arena of 2018, one JSON object per line. To the program: `start` with
 * the constructor's arguments, then `offer` with what the partner leaves it (without `offer`: it is the first turn).
 * From the program: `ready` as the answer to `start`, then one `offer` per turn with its demand (without `offer`: it
 * accepts), `abort` with a `reason` at any time, and `info` for its own team. Each question has its number as
 * `question`, and `limitMs`; an answer may carry the number that it answers, and without one answers the oldest open
 * question.
 */
export function wire(): Wire<StartMessage | TurnMessage, Answer> {
  const lines = jsonLineReader()

  const read = (line: JsonObject | string): Effects => {
    if (typeof line === 'string') return [{ ...fault(line), ...printedMark(line) }]
    const { type, question, offer, reason, arg } = line
    if (type === 'info') return [{ type: 'console', text: `\u25b8 ${JSON.stringify(arg ?? null)}` }]
    if (type === 'abort') return [{ type: 'answer', to: null, value: { threw: wordsOf(reason) } }]
    if (type !== 'ready' && type !== 'offer') return [fault(noSuchType(line))]
    if (question !== undefined && !Number.isSafeInteger(question)) {
      return [fault('"question" must be the number of a question.')]
    }
    // The value comes from JSON text.
    const value = { value: offer ?? null } as Answer
    return [{ type: 'answer', to: question === undefined ? null : Number(question), value }]
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
      return [{ type: 'write', bytes: jsonLine({ ...told(message), ...asked }) }]
    },
    withdrawn: () => [],
  }
}

function told(message: StartMessage | TurnMessage): ToldLine {
  if (message.type === 'turn')
    return { type: 'offer', ...(message.offer === null ? {} : { offer: [...message.offer] }) }
  const { me, counts, values, maxRounds } = message
  return { type: 'start', opt: { me, counts: [...counts], values: [...values], max_rounds: maxRounds } }
}

/** A message of another type than those of the dialogue. */
function noSuchType({ type }: JsonObject): string {
  const found = type === undefined ? 'no "type"' : `"type": ${quoted(JSON.stringify(type))}`
  return `A line must have "type": "ready", "offer", "info" or "abort", and one has ${found}.`
}

const fault = (text: string): Extract<WireEffect<Answer>, { type: 'fault' }> => {
  return { type: 'fault', fault: { kind: 'protocol', text }, gone: false }
}

/** A program's reason for walking away. */
function wordsOf(reason: unknown): string {
  return typeof reason === 'string' && reason !== '' ? reason.slice(0, 400).toWellFormed() : 'Session canceled'
}
