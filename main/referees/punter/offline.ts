import type { MoveWireHost, Wire, WireEffect } from '../../contract/game/wire.ts'
import type { Json } from '../../contract/json.ts'
import { lengthPrefixed } from '../framings.ts'
import type { Config } from './config.ts'
import { brokenOff, fieldOf, framed, nameIn, noted, readFramed } from './frames.ts'
import { officialOf, type Answer, type Message, type MoveMessage } from './messages.ts'
import type { Move } from './moves.ts'

type Effects = readonly WireEffect<Answer>[]

/**
 * The offline mode: a process for each message, which greets, is greeted, gets one message with its state and answers with its new
 * one. The state and the moves that it has not heard of outlive the processes: who does not answer is told them with the next
 * turn, before those of that turn.
 */
export function offlineWire(
  { edition, endInput }: Pick<Config, 'edition' | 'endInput'>,
  { state }: MoveWireHost,
): Wire<Message, Answer> {
  const greets = edition !== '1.0'
  let messages = lengthPrefixed(Infinity)
  /** True once this process has said its name. */
  let greeted = false
  let asked: { readonly number: number; readonly type: Message['type'] } | null = null
  let unheard: readonly Move[] = []

  const read = (message: Uint8Array): Effects => {
    const found = readFramed(message)
    if (typeof found === 'string') return [brokenOff(found)]
    if (!greeted) return greeting(found.value)
    if (asked === null) return []
    const last = asked.type === 'stop'
    return [...answered(found.value, asked), { type: 'close', ...(last ? { last } : {}) }]
  }
  const greeting = (value: Json): Effects => {
    const name = nameIn(value)
    if (name === null) return [brokenOff('A process must begin with {"me": NAME}.')]
    greeted = true
    return [{ type: 'write', bytes: framed({ you: name }) }, { type: 'ready' }]
  }
  const answered = (value: Json, { number, type }: NonNullable<typeof asked>): Effects => {
    asked = null
    if (type === 'stop') return [{ type: 'answer', to: number, value: { stopped: true } }]
    unheard = []
    const text = state.keep(fieldOf(value, 'state') ?? null)
    if (text !== null) return [{ type: 'fault', to: number, fault: { kind: 'protocol', text }, gone: false }]
    // The game's own schema reads it.
    return [{ type: 'answer', to: number, value: answerIn(value) as Answer }]
  }
  const miss = ({ moves }: MoveMessage): void => {
    unheard = [...unheard, ...moves]
  }
  /** With the moves of the turns that it has missed. */
  const whole = (message: MoveMessage): MoveMessage => {
    miss(message)
    return { ...message, moves: unheard }
  }

  return {
    joined() {
      messages = lengthPrefixed(Infinity)
      greeted = !greets
      asked = null
      return greeted ? [{ type: 'ready' }] : []
    },
    receive(chunk) {
      const found = messages.read(chunk)
      return typeof found === 'string' ? [brokenOff(found)] : found.flatMap(read)
    },
    /** A process may end without a word once it was told that the match is over. */
    left() {
      if (asked?.type !== 'stop') return []
      return [{ type: 'answer', to: asked.number, value: { stopped: true } }]
    },
    send(message, question) {
      if (question === null) return []
      asked = { number: question.number, type: message.type }
      const ends: Effects = endInput ? [{ type: 'end-input' }] : []
      if (message.type === 'setup') return [{ type: 'write', bytes: framed(officialOf(message)) }, ...ends]
      const told = message.type === 'move' ? whole(message) : message
      const bytes = framed({ ...officialOf(told), state: state.value })
      return [...noted(message.notes), { type: 'write', bytes }, ...ends]
    },
    withdrawn: () => [{ type: 'close' }],
    unsent(message) {
      if (message.type === 'move') miss(message)
    },
  }
}

/** Without the state, which no history needs. */
function answerIn(value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'state'))
}
