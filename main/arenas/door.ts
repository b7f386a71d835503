import type { NetworkPost } from '../contract/players/arena.ts'
import type { NativeEntry, NativeStep } from '../contract/game/native-dialogue.ts'
import { networkOf } from '../contract/networks.ts'
import { createUnidentified } from '../http/server.ts'
import type { ChannelListener } from '../players/channels/channel.ts'
import { makeFault } from '../players/make-fault.ts'
import { wireHost } from '../players/wires/wire-host.ts'
import { closeCodes } from './closing.ts'
import type { Door, GateLimits } from './gate.ts'
import type { ConnectionKind } from './post-line.ts'
import type { SignIn } from './sign-in.ts'
import type { Link } from './socket-link.ts'
import { everythingRead } from './reading-turns.ts'

/** How connections of one gate say who they are. */
export interface DoorDialogue extends Pick<NativeEntry, 'framing' | 'signIn'> {
  /** Bytes that may come before the claim, and what somebody is told who sends more. */
  readonly first: { readonly bytes: number; readonly tooMuch: string }
}

export interface DoorOptions {
  readonly dialogue: DoorDialogue
  readonly way: ConnectionKind
  readonly desk: SignIn
  readonly messageBytes: number
  readonly limits: Pick<GateLimits, 'signInMs' | 'waiting'>
  /** A connection was sent away before it signed in: why, in a sentence that may quote it. Absent: nobody needs to know. */
  onRefused?(address: string, text: string): void
}

/**
 * Reads of each connection who it is, and hands it to its post, message by message. A connection that does not say it in time, or says too
 * much before, is sent away. There are no more than `waiting` of them at a time: beyond that, the connection that has waited
 * longest of the address with the most of them is sent away, so that no address can keep others out.
 */
export function createDoor({ dialogue, way, desk, messageBytes, limits, onRefused }: DoorOptions): Door {
  const waiting = createUnidentified<Waiting>(limits.waiting, ({ refuse }) => refuse(crowded), networkOf)

  return {
    enter(link, address, request) {
      const framing = dialogue.framing(messageBytes)
      const signIn = dialogue.signIn(wireHost())
      let state = 'asked' as 'asked' | 'in' | 'out'
      /** The listener once it is in. */
      let listener: ChannelListener | null = null
      /** Bytes that have come before the claim. */
      let bytes = 0

      const leave = (): void => {
        waiting.delete(self)
        clearTimeout(late)
      }
      const refuse = (text: string): void => {
        state = 'out'
        leave()
        const words = signIn.refused(text)
        if (words !== null) link.write(words)
        link.close(text, closeCodes.policy)
        onRefused?.(address, text)
      }
      const admit = (post: NetworkPost) => ({
        link: { ...link, start: (to: ChannelListener) => void (listener = to) },
        greeting: signIn.accepted(post),
        goodbye: signIn.goodbye,
        idle: (message: Uint8Array) => signIn.idle?.(message) ?? null,
        settles: (message: Uint8Array) => signIn.settles?.(message) ?? true,
      })
      const take = ({ write, claim, refusal }: NativeStep): void => {
        if (write !== undefined) link.write(write)
        if (refusal !== undefined) return refuse(refusal)
        if (claim === undefined) return
        state = 'in'
        leave()
        const refused = desk.signIn(claim, address, way, admit)
        if (refused !== null) refuse(refused)
      }
      const hear = (message: Uint8Array): void => {
        if (state === 'in') return listener?.data(message)
        if (state === 'out') return
        bytes += message.byteLength
        if (bytes > dialogue.first.bytes) refuse(dialogue.first.tooMuch)
        else take(signIn.receive(message))
      }
      /** Bytes of which no message can be made any more. */
      const broken = (text: string): void => {
        if (state === 'asked') return refuse(text)
        if (state === 'out') return
        state = 'out'
        const words = signIn.goodbye(text, 'offence')
        if (words !== null) link.write(words)
        link.close(text, closeCodes.policy)
        listener?.end({ text: `sent something that is not a message: ${text}`, fault: makeFault('protocol', text) })
      }

      const self: Waiting = { link, refuse }
      // A sign-in that lies in the socket already has come in time: this process may have stood still.
      const late = setTimeout(() => {
        void everythingRead(() => came).then(() => {
          if (state === 'asked') refuse(`No sign-in within ${limits.signInMs} ms.`)
        })
      }, limits.signInMs)
      late.unref()
      /** Bytes in all, while nobody has signed in. */
      let came = 0
      link.start({
        data(chunk) {
          if (state === 'out') return
          came += chunk.byteLength
          const messages = framing.read(chunk)
          if (typeof messages === 'string') {
            broken(messages)
            return
          }
          for (const message of messages) hear(message)
          if (state === 'asked' && came > dialogue.first.bytes) refuse(dialogue.first.tooMuch)
        },
        printed: () => undefined,
        end(how) {
          leave()
          if (state === 'in') listener?.end(how)
          state = 'out'
        },
      })
      take(signIn.joined(request))
      if (state === 'asked') waiting.add(self, address)
    },
    close() {
      for (const { link } of waiting.connections()) link.close()
    },
  }
}

/** A connection that has not signed in. */
interface Waiting {
  readonly link: Link
  refuse(text: string): void
}

/** When as many as may have connected, and none of them has signed in. */
const crowded = 'Too many connections wait for their sign-in: try again later.'
