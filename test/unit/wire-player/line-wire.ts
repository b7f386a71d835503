import type { Wire, WireEffect } from '../../../main/contract/game/wire.ts'
import type { Json } from '../../../main/contract/json.ts'

const text = new TextEncoder()

export interface LineWireOptions {
  /** The first line must be `hello`. */
  readonly greets?: boolean
  /** `q NUMBER MESSAGE` and `a NUMBER VALUE` instead of `q MESSAGE` and `a VALUE`. */
  readonly numbered?: boolean
  /** Closes after each answer, and when a question is over. */
  readonly processAMove?: boolean
}

/** A wire of lines, with everything that the wires of the five games do: greeting, pings, numbers, a process a move. */
export function lineWire(options: LineWireOptions = {}): Wire<Json, Json> & { readonly log: string[] } {
  const log: string[] = []
  let buffer = ''
  const write = (line: string): WireEffect<Json> => ({ type: 'write', bytes: text.encode(`${line}\n`) })

  const read = (line: string): WireEffect<Json>[] => {
    const [word = '', ...rest] = line.split(' ')
    const tail = rest.join(' ')
    if (word === 'hello') return [{ type: 'ready' }]
    if (word === 'say') return [{ type: 'said', value: tail }]
    if (word === 'odd') {
      // Half a surrogate pair, and a number beyond all range: JSON.parse lets both through.
      return [tail === 'say' ? { type: 'said', value: '\ud800' } : { type: 'answer', to: null, value: [Infinity] }]
    }
    if (word === 'print') return [{ type: 'console', text: tail }]
    if (word === 'ping') return [write(`pong ${tail}`)]
    if (word === 'bye') return [{ type: 'close' }]
    if (word === 'die') return [{ type: 'fault', fault: { kind: 'protocol', text: 'It said die.' }, gone: true }]
    if (word === 'deep') return read(line)
    if (word === 'throw') throw new Error('a mistake in the wire')
    if (word !== 'a') return [{ type: 'fault', fault: { kind: 'protocol', text: `No message: ${line}.` }, gone: false }]
    const answer: WireEffect<Json> =
      options.numbered === true
        ? { type: 'answer', to: Number(rest[0]), value: rest.slice(1).join(' ') }
        : { type: 'answer', to: null, value: tail }
    return options.processAMove === true ? [answer, { type: 'close' }] : [answer]
  }

  return {
    log,
    joined() {
      log.push('joined')
      buffer = ''
      return options.greets === true ? [] : [{ type: 'ready' }]
    },
    receive(chunk) {
      buffer += new TextDecoder('latin1').decode(chunk)
      const lines = buffer.split('\n')
      buffer = lines.pop() ?? ''
      return lines.flatMap(read)
    },
    left() {
      log.push('left')
      if (buffer === '') return []
      return [{ type: 'fault', fault: { kind: 'protocol', text: 'It ended within a line.' }, gone: false }]
    },
    send(message, question) {
      const number = options.numbered === true && question !== null ? `${String(question.number)} ` : ''
      return [write(question === null ? `t ${message as string}` : `q ${number}${message as string}`)]
    },
    withdrawn(question) {
      log.push(`withdrawn ${String(question)}`)
      return options.processAMove === true ? [{ type: 'close' }] : []
    },
  }
}
