import type { MoveWireHost, Wire, WireEffect } from '../../contract/game/wire.ts'
import type { Json } from '../../contract/json.ts'
import { lengthPrefixed } from '../framings.ts'
import type { Config } from './config.ts'
import { brokenOff, fieldOf, framed, nameIn, noted, readFramed, unreadable } from './frames.ts'
import { officialOf, type Answer, type Message, type MoveMessage, type Move } from './messages.ts'
import type { SubmittedFiles, SubmittedProgram } from '../../contract/game/game.ts'

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
    if (typeof found === 'string') return [unreadable(found)]
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
      return typeof found === 'string' ? [unreadable(found)] : found.flatMap(read)
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

/** Lines of ./PACKAGES that are read, and characters of each. */
const PACKAGES_MAX = 200
const NAME_MAX = 200

/**
 * Reads a submission as section 7 of the specification describes it: `install` is run once and may make `punter`, which
 * speaks the offline protocol, and `PACKAGES` lists what both need, one package a line. null: it is another kind of package. Files for
 * the judges alone, `src` and `README`, may be missing, and so may an `install` with nothing to do. A string: the files that it lacks.
 */
export function readSubmittedPunter(files: SubmittedFiles): SubmittedProgram | string | null {
  const installs = files.has('install')
  if (!files.has('punter')) {
    const lists = files.has('PACKAGES')
    if (installs && !lists)
      return 'it has ./install, but no ./punter, and no ./PACKAGES (an empty one is enough) as submissions of 2017 have'
    if (!installs && lists) return 'it has ./PACKAGES, but neither ./punter nor ./install, which makes it'
    if (!installs) return null
  }
  return {
    command: ['./punter'],
    ...(installs ? { build: ['./install'] } : {}),
    process: 'move',
    packages: packagesIn(files.text('PACKAGES') ?? ''),
  }
}

function packagesIn(text: string): string[] {
  const names = text.split('\n').map((line) => line.replace(/#.*/, '').trim().slice(0, NAME_MAX))
  return [...new Set(names.filter((name) => name !== ''))].slice(0, PACKAGES_MAX)
}
