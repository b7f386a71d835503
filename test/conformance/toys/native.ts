import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import type { ErasedGame, NativeWire } from '../../../main/contract/game/game.ts'
import type { WireEffect } from '../../../main/contract/game/wire.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { NativeEntry, NativeStep } from '../../../main/contract/game/native-dialogue.ts'
import { endedBy, lengthPrefixed } from '../../../main/referees/framings.ts'
import { doubling } from './reconnect.ts'

type Answer = { readonly double: number }
type Native = NativeEntry & { wire(): NativeWire<Json, Answer, Json> }

const encoder = new TextEncoder()
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** A message as an online punter writes it: its length in bytes, a colon, JSON. */
export function prefixed(value: Json): Uint8Array {
  const body = encoder.encode(JSON.stringify(value))
  return encoder.encode(`${body.length}:${textOf(body)}`)
}

/** The JSON of a whole message; null: it is invalid. */
export function unprefixed(message: Uint8Array): Record<string, Json> | null {
  try {
    return JSON.parse(textOf(message).replace(/^\d+:/, '')) as Record<string, Json>
  } catch {
    return null
  }
}

const broken: WireEffect<Answer> = { type: 'fault', fault: { kind: 'protocol', text: 'No message.' }, gone: true }

/** After Lambda Punter: `n:json`, a handshake by name, places in the order of arrival, a connection a match, no numbers. */
const inOrder: Native = {
  transport: 'tcp',
  connection: 'match',
  guide: 'Connect and say your name.',
  framing: lengthPrefixed,
  signIn: () => ({
    joined: () => ({}),
    receive(message): NativeStep {
      const name = unprefixed(message)?.['me']
      if (typeof name !== 'string') return { refusal: 'The first message must be {"me": NAME}.' }
      return { write: prefixed({ you: name }), claim: { by: 'arrival', name } }
    },
    accepted: () => null,
    refused: (text) => prefixed({ refused: text }),
    goodbye: (text) => prefixed({ goodbye: text }),
  }),
  wire() {
    const framing = lengthPrefixed(65_536)
    const write = (value: Json): WireEffect<Answer> => ({ type: 'write', bytes: prefixed(value) })
    return {
      joined: () => [{ type: 'ready' }],
      receive(chunk) {
        const messages = framing.read(chunk)
        if (typeof messages === 'string') return [broken]
        return messages.map((message) => {
          const value = unprefixed(message)
          return value === null ? broken : { type: 'answer', to: null, value: value as unknown as Answer }
        })
      },
      left: () => [],
      send: (message) => [write(message)],
      withdrawn: () => [],
      over: (view) => ({ messages: [prefixed({ stop: (view as { scores: Json }).scores })] }),
    }
  },
}

/** The attributes of a message, `type` among them. */
export function attributes(message: Uint8Array): Record<string, string> {
  return Object.fromEntries([...textOf(message).matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!]))
}

export function tagged(values: Readonly<Record<string, string | number>>): Uint8Array {
  const words = Object.entries(values).map(([name, value]) => `${name}="${value}"`)
  return encoder.encode(`<message ${words.join(' ')}/>\0`)
}

/** After Cows and Herders: messages in XML that end with NUL, user and password, pings at any time, many matches a connection. */
const byPassword: Native = {
  transport: 'tcp',
  connection: 'contest',
  guide: 'The user is the name, the password the credential.',
  framing: (most) => endedBy(0, most),
  signIn: () => ({
    joined: () => ({}),
    receive(message): NativeStep {
      const { type, user, password } = attributes(message)
      if (type !== 'auth-request' || user === undefined || password === undefined)
        return { refusal: 'The first message must be an auth-request.' }
      return { claim: { by: 'credential', user, password } }
    },
    accepted: () => tagged({ type: 'auth-response', result: 'ok' }),
    refused: (text) => tagged({ type: 'auth-response', result: 'fail', text }),
    goodbye: () => tagged({ type: 'bye' }),
    idle: (message) => {
      const { type, payload = '' } = attributes(message)
      return type === 'ping' ? tagged({ type: 'pong', payload }) : null
    },
  }),
  wire() {
    const framing = endedBy(0, 65_536)
    let start: Uint8Array | null = null
    const read = (message: Uint8Array): WireEffect<Answer> => {
      const { type, payload = '', id, double } = attributes(message)
      if (type === 'ping') return { type: 'write', bytes: tagged({ type: 'pong', payload }) }
      return { type: 'answer', to: Number(id), value: { double: Number(double) } }
    }
    return {
      joined: () => [...(start === null ? [] : [{ type: 'write', bytes: start } as const]), { type: 'ready' }],
      receive(chunk) {
        const messages = framing.read(chunk)
        return typeof messages === 'string' ? [broken] : messages.map(read)
      },
      left: () => [],
      send(message, question) {
        const bytes = tagged({ ...(message as Record<string, string>), ...(question && { id: question.number }) })
        if ((message as Record<string, Json>)['type'] === 'start') start = bytes
        return [{ type: 'write', bytes }]
      },
      withdrawn: () => [],
      over: (view) => ({ messages: [tagged({ type: 'sim-end', scores: String((view as { scores: Json }).scores) })] }),
    }
  },
}

function withNative(id: string, { wire: nativeWire, ...native }: Native, rejoins: boolean): ErasedGame {
  return eraseGame({
    ...doubling,
    id,
    dialogue: { ...doubling.dialogue, nativeWire, network: { plain: true, rejoins, native } },
  })
}

export const punters = withNative('toy-in-order', inOrder, false)
export const herders = withNative('toy-by-password', byPassword, true)
