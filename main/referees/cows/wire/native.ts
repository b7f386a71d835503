import type { NativeWire } from '../../../contract/game/game.ts'
import type { Post, Seat } from '../../../contract/game/table.ts'
import type { NativeEntry, NativeSignIn, NativeStep } from '../../../contract/game/native-dialogue.ts'
import type { WireHost } from '../../../contract/game/wire.ts'
import type { Config } from '../config.ts'
import type { Answer, Message } from '../messages.ts'
import type { View } from '../view.ts'
import { nulFraming } from './nul-framing.ts'
import { MESSAGE_BYTES, readClientMessage } from './xml-message.ts'
import { authResponse, bye, pong } from './xml-text.ts'
import { payloadFits, xmlWire } from './xml-wire.ts'

/** The protocol of 2008: a plain connection for each herder, which stays for all matches. */
export const native: NativeEntry = {
  transport: 'tcp',
  connection: 'contest',
  guide:
    'Clients of 2008 connect one herder each: the username is the entrant\u2019s name, for the second herder and those after it with " (post 1)" and so on behind it; the password is the credential.',
  framing: (most) => nulFraming(Math.min(most, MESSAGE_BYTES)),
  signIn,
}

export function nativeWire(
  { profile }: Config,
  { seat }: Post,
  _seats: readonly Seat[],
  host: WireHost,
): NativeWire<Message, Answer, View> {
  return xmlWire({ seat, profile, host })
}

function signIn(host: WireHost): NativeSignIn {
  return {
    joined: () => ({}),
    receive: claimed,
    accepted: () => authResponse('ok', host.unixNow()),
    refused: () => authResponse('fail', host.unixNow()),
    goodbye: (_text, why) => (why === 'over' ? bye(host.unixNow()) : null),
    idle(message) {
      const read = readClientMessage(message.subarray(0, -1))
      if (read === null || typeof read === 'string' || read.type !== 'ping') return null
      const payload = read.attributes?.['value']
      return payload === undefined || !payloadFits(payload) ? null : pong(payload, host.unixNow())
    },
  }
}

/** The first message must be an `auth-request` (spec 3.4.2). */
function claimed(message: Uint8Array): NativeStep {
  const read = readClientMessage(message.subarray(0, -1))
  if (read === null || typeof read === 'string' || read.type !== 'auth-request')
    return { refusal: 'The first message must be an auth-request.' }
  const { username, password } = read.attributes ?? {}
  if (username === undefined || password === undefined)
    return {
      refusal: 'An auth-request needs an element "authentication" with the attributes "username" and "password".',
    }
  return { claim: { by: 'credential', user: username, password } }
}
