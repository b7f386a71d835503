import type { Wire, WireEffect } from '../../contract/game/wire.ts'
import { mistakeInLine } from '../../contract/json-text.ts'
import type { Json } from '../../contract/json.ts'
import { whyUnreadable } from '../read-answer.ts'

type Effect = WireEffect<Json>
type Line = Readonly<Record<string, Json>>

const newline = 10

/**
 * The dialogue of one program that plays all bodies of a seat: those of its posts, whose lines are JSON objects, in one. Each
 * line to the program has one more field, `body`, from 0; each line from it says by the same field whose it is.
 */
export function bodiesWire(wires: readonly Wire<Json, Json>[]): Wire<Json, Json> {
  /** A line that is not whole. */
  let rest: Uint8Array[] = []
  /** Bodies whose greeting is not complete. */
  let greeting = new Set<number>()
  let greeted = false
  /** The last question of each body. */
  const asked = wires.map((): number | null => null)

  const ofBody = (effects: readonly Effect[], body: number): Effect[] =>
    effects.flatMap((effect): Effect[] => {
      if (effect.type === 'write') return [{ type: 'write', bytes: tagged(effect.bytes, body) }]
      if (effect.type === 'close') return [effect]
      // The other bodies share the input.
      if (effect.type === 'end-input') return []
      if (effect.type !== 'ready') return [{ ...effect, body }]
      greeting.delete(body)
      return []
    })

  /** The dialogue begins when all posts have been greeted. */
  const begun = (effects: Effect[]): Effect[] => {
    if (greeted || greeting.size > 0) return effects
    greeted = true
    return [...effects, { type: 'ready' }]
  }

  const hear = (bytes: Uint8Array, at: number): Effect[] => {
    const line = read(bytes)
    if (line === null) return []
    if (typeof line === 'string')
      return [line.startsWith(noObject) ? { ...strange(line), unreadable: true } : strange(line)]
    const { body, ...own } = line
    const wire = wires[typeof body === 'number' ? body : -1]
    if (wire === undefined) {
      return [strange(`"body" must say which body this is, from 0 to ${wires.length - 1}: ${beginning(bytes)}`)]
    }
    return ofBody(wire.receive(written(own), at), Number(body))
  }

  return {
    joined(at) {
      rest = []
      greeted = false
      greeting = new Set(wires.keys())
      return begun(wires.flatMap((wire, body) => ofBody(wire.joined(at), body)))
    },
    receive(chunk, at) {
      const effects: Effect[] = []
      let from = 0
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
        effects.push(...hear(Buffer.concat([...rest, chunk.subarray(from, end)]), at))
        from = end + 1
        rest = []
      }
      // A copy: the reader of the chunk may use it again.
      if (from < chunk.length) rest.push(chunk.slice(from))
      return begun(effects)
    },
    left: (at) => wires.flatMap((wire, body) => ofBody(wire.left(at), body)),
    send(message, question, at, body = 0) {
      if (question !== null) asked[body] = question.number
      return ofBody(wires[body]!.send(message, question, at), body)
    },
    withdrawn(question, at) {
      const body = asked.indexOf(question)
      return body === -1 ? [] : ofBody(wires[body]!.withdrawn(question, at), body)
    },
    unsent: (message, body = 0) => wires[body]!.unsent?.(message),
  }
}

const strange = (text: string): Extract<Effect, { type: 'fault' }> => ({
  type: 'fault',
  fault: { kind: 'protocol', text },
  gone: false,
})

const written = (line: Line): Uint8Array => Buffer.from(`${JSON.stringify(line)}\n`)

function tagged(bytes: Uint8Array, body: number): Uint8Array {
  const lines = Buffer.from(bytes).toString().split('\n')
  const whole = lines.filter((line) => line !== '').map((line) => written({ ...(JSON.parse(line) as Line), body }))
  return Buffer.concat(whole)
}

const noObject = 'A line is not a JSON object'

/** The object in a line; null: the line is empty; a sentence: it is not an object. */
function read(bytes: Uint8Array): Line | string | null {
  let text: string
  let value: Json
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (text.trim() === '') return null
    value = JSON.parse(text) as Json
  } catch {
    const mistake = mistakeInLine(Buffer.from(bytes).toString())
    return mistake === null
      ? `${noObject}: ${beginning(bytes)}`
      : `The line ${beginning(bytes)} is not JSON: ${mistake}.`
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return `${noObject}: ${beginning(bytes)}`
  }
  // Written anew below, such a value would be another one.
  const problem = whyUnreadable(value)
  return problem === null ? (value as Line) : `The agent sent ${problem}.`
}

function beginning(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, 60)).toString().toWellFormed()
  return bytes.length > 60 ? `${text}...` : text
}
