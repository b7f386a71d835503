import { closeCodes, closingText } from '../closing.ts'
import type { NativeSignIn } from '../../contract/game/native-dialogue.ts'
import { readFrame, type ClientFrame, type ServerFrame, type Side } from '../../referees/haggle/frames.ts'
import type { ArenaClient } from './client.ts'
import type { Identity } from './identity.ts'
import type { Scores } from './scores.ts'
import { conductSession, type PlaySession } from './session.ts'
import { hash } from 'node:crypto'

/** One arena: a game under an address, and what is earned there. */
export interface ArenaSettings {
  readonly name: string
  /** A turn has no limit, except for a client that does nothing for so long that it must have been forgotten. */
  readonly unlimited: boolean
  readonly scores: Scores
  /** The one of two clients that moves first: the first or the second to come. */
  firstCame(): Side
  readonly play: PlaySession
}

/** Limits that keep clients from hurting each other; ms and numbers. */
export interface ArenaLimits {
  /** Clients in all arenas together, and of one identity. */
  readonly clients: number
  readonly clientsOfOne: number
  /** How often a connection is asked whether it is there: who keeps silent twice is given up. */
  readonly heartbeatMs: number
  readonly proofMs: number
  readonly forgottenMs: number
  /** The time for an answer of a client whose script is still at work at the end of a session. */
  readonly strayMs: number
}

const usualLimits: ArenaLimits = {
  clients: 4_000,
  clientsOfOne: 256,
  heartbeatMs: 15_000,
  proofMs: 120_000,
  forgottenMs: 3_600_000,
  strayMs: 1_000,
}

/** A client that has just come in. */
export interface Newcomer extends ArenaClient {
  /** The text that a proof of work is made for. */
  readonly id: string
  /** How it has signed in. */
  readonly signIn: NativeSignIn
}

/** As much of a socket as admission needs. */
interface Socket {
  once(event: 'close', listener: () => void): unknown
}

export interface Lobby {
  /** Why nobody of this identity is admitted now, in a sentence; null: come in. */
  refusal(identity: Identity): string | null
  admit(socket: Socket, client: ArenaClient): void
  /** The way into an arena. */
  arena(settings: ArenaSettings): (newcomer: Newcomer) => void
  clients(): number
  close(): void
}

export interface HaggleLobbyOptions {
  /** Bits of the proof of work; 0: none is asked for. */
  readonly proofBits: number
  /** Today in UTC, such as `2018-07-17`. */
  today(): string
  readonly limits?: Partial<ArenaLimits>
  onUnexpected(error: unknown, doing: string): void
}

/** The clients that are here, and their way from the door to a session. */
export function createLobby({ proofBits, today, limits: some, onUnexpected }: HaggleLobbyOptions): Lobby {
  const limits = { ...usualLimits, ...some }
  const here = new Set<ArenaClient>()
  const ofOne = new Map<Identity, number>()
  const heartbeat = setInterval(() => here.forEach((client) => client.beat()), limits.heartbeatMs)
  heartbeat.unref()

  const prove = (client: Newcomer, proven: () => void): void => {
    const tooLate = setTimeout(() => client.end('The proof of work took too long.', closeCodes.policy), limits.proofMs)
    const text = `Proof of work: ${proofBits} bits`
    const over = (): void => clearTimeout(tooLate)
    hear(client, over, (said) => {
      over()
      if (said.type !== 'pow') client.end(tooEarly, closeCodes.policy)
      else if (isProof(said.nonce, client.id, proofBits)) proven()
      else client.end('The proof of work is wrong.', closeCodes.policy)
    })
    client.write(bytesOf({ type: 'log', arg: ['network', text, `pow:${proofBits}`] }))
  }

  const begin = (settings: ArenaSettings, [first, second]: readonly [Newcomer, Newcomer]): void => {
    const { play, scores, unlimited, firstCame } = settings
    const sides = firstCame() === 0 ? ([first, second] as const) : ([second, first] as const)
    conductSession({
      clients: sides,
      play,
      settles: (line) => sides[0].signIn.settles?.(line) ?? true,
      strayMs: limits.strayMs,
      forgottenMs: unlimited ? limits.forgottenMs : null,
      onEnd({ places, agreed }) {
        // As published in 2018: sessions that were carried through.
        if (places.some(({ removed }) => removed)) return
        const day = today()
        for (const { seat, score } of places) scores.add(sides[seat]!.identity, day, { agreed: agreed === true, score })
      },
    }).catch((error: unknown) => onUnexpected(error, `A session of ${settings.name}`))
  }

  return {
    refusal(identity) {
      if (here.size >= limits.clients) return `The arenas are full with ${here.size} clients: try again later.`
      const own = ofOne.get(identity) ?? 0
      return own < limits.clientsOfOne ? null : `${own} clients of this id are here already: try again later.`
    },
    admit(socket, client) {
      const { identity } = client
      here.add(client)
      ofOne.set(identity, (ofOne.get(identity) ?? 0) + 1)
      socket.once('close', () => {
        here.delete(client)
        const left = ofOne.get(identity)! - 1
        if (left === 0) ofOne.delete(identity)
        else ofOne.set(identity, left)
      })
    },
    arena(settings) {
      const room = createWaitingRoom<Newcomer>()
      const wait = (newcomer: Newcomer): void => {
        const leave = (): void => room.leave(newcomer)
        hear(newcomer, leave, (said) => {
          if (said.type === 'pow' || said.type === 'info') return
          leave()
          newcomer.end(tooEarly, closeCodes.policy)
        })
        const greeting = newcomer.signIn.accepted({ entrant: newcomer.identity, line: 0 })
        if (greeting !== null) newcomer.write(greeting)
        const partner = room.enter(newcomer)
        if (partner !== null) begin(settings, [partner, newcomer])
      }
      return (newcomer) => {
        if (proofBits === 0) wait(newcomer)
        else prove(newcomer, () => wait(newcomer))
      }
    },
    clients: () => here.size,
    close() {
      clearInterval(heartbeat)
      for (const client of here) client.end(closingText, closeCodes.goingAway)
    },
  }
}

const tooEarly = 'The session has not begun.'

/** Hears a client outside of a session; a client whose frame is not valid is sent away, and `left` is called then, too. */
function hear(client: ArenaClient, left: () => void, frame: (said: ClientFrame) => void): void {
  client.listen({
    frame(text) {
      const said = readFrame(text.toString('utf8'))
      if (typeof said !== 'string') {
        frame(said)
        return
      }
      left()
      client.end(said, closeCodes.policy)
    },
    left,
  })
}

const bytesOf = (frame: ServerFrame): Uint8Array => Buffer.from(JSON.stringify(frame))

/**
 * True if `bits` bits of the SHA-256 of `nonce:id` are zero: whole bytes from the first on, and of the next one the low bits, as
 * the original counted them. `nonce`: a decimal number as text; the client looks for the smallest one, any will do.
 */
export function isProof(nonce: string, id: string, bits: number): boolean {
  if (!/^(?:0|[1-9]\d{0,19})$/.test(nonce)) return false
  const digest = hash('sha256', `${nonce}:${id}`, 'buffer')
  const whole = bits >>> 3
  const rest = (1 << (bits & 7)) - 1
  return digest.subarray(0, whole).every((byte) => byte === 0) && (digest[whole]! & rest) === 0
}

/** Players of one arena who wait for a partner. */
export interface WaitingRoom<P> {
  /** The partner who has waited longest and is somebody else; null: there is none, and the player waits now. */
  enter(player: P): P | null
  /** Nothing where the player does not wait. */
  leave(player: P): void
}

export function createWaitingRoom<P extends { readonly identity: Identity }>(): WaitingRoom<P> {
  // All who wait are the same person: two different ones would have been paired at once. Sets keep their order.
  const waiting = new Set<P>()
  return {
    enter(player) {
      for (const partner of waiting) {
        if (partner.identity === player.identity) break
        waiting.delete(partner)
        return partner
      }
      waiting.add(player)
      return null
    },
    leave: (player) => void waiting.delete(player),
  }
}
