import { closeCodes, closing } from '../close-codes.ts'
import type { Client } from './client.ts'
import type { Identity } from './identity.ts'
import type { Negotiation } from './negotiation.ts'
import { isProof } from './proof-of-work.ts'
import type { Scores } from './scores.ts'
import { beginSession } from './session.ts'
import { createWaitingRoom } from './waiting-room.ts'

/** One arena: a game under an address, and what is earned there. */
export interface ArenaSettings {
  readonly name: string
  /** ms for a turn; null: unlimited, but for who does nothing for so long that he must have been forgotten. */
  readonly turnMs: number | null
  readonly scores: Scores
  /** The next session. The two sides are given to players by chance. */
  deal(): { readonly negotiation: Negotiation; readonly firstCame: 0 | 1 }
}

/** What keeps clients from hurting each other; ms and numbers. */
export interface ArenaLimits {
  /** Clients in all arenas together, and of one identity. */
  readonly clients: number
  readonly clientsOfOne: number
  /** How often a connection is asked whether it is there: who keeps silent twice is given up. */
  readonly heartbeatMs: number
  readonly proofMs: number
  readonly forgottenMs: number
  /** What a client whose script is still at work at the end of a session has for its answer. */
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

/** As much of a socket as admission needs. */
interface Socket {
  once(event: 'close', listener: () => void): unknown
}

export interface Lobby {
  /** Why nobody of this identity is admitted now, in a sentence; null: come in. */
  refusal(identity: Identity): string | null
  admit(socket: Socket, client: Client): void
  /** The way into an arena, with the id that a proof of work is about. */
  arena(settings: ArenaSettings): (client: Client, id: string) => void
  clients(): number
  close(): void
}

export interface LobbyOptions {
  /** Bits of the proof of work; 0: none is asked for. */
  readonly proofBits: number
  /** Today in UTC, such as `2018-07-17`. */
  today(): string
  readonly limits?: Partial<ArenaLimits>
}

/** Who is here, and how one gets from the door to a session. */
export function createLobby({ proofBits, today, limits: some }: LobbyOptions): Lobby {
  const limits = { ...usualLimits, ...some }
  const here = new Set<Client>()
  const ofOne = new Map<Identity, number>()
  const heartbeat = setInterval(() => here.forEach((client) => client.beat()), limits.heartbeatMs)
  heartbeat.unref()

  const prove = (client: Client, id: string, proven: () => void): void => {
    const tooLate = setTimeout(() => client.end('The proof of work took too long.', closeCodes.policy), limits.proofMs)
    const text = `Proof of work: ${proofBits} bits`
    client.listen({
      frame(said) {
        if (said.type !== 'pow' || !isProof(said.nonce, id, proofBits)) {
          client.end(said.type === 'pow' ? 'The proof of work is wrong.' : tooEarly, closeCodes.policy)
        } else proven()
        clearTimeout(tooLate)
      },
      left: () => clearTimeout(tooLate),
    })
    client.send({ type: 'log', arg: ['network', text, `pow:${proofBits}`] })
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
      const room = createWaitingRoom<Client>()
      const wait = (client: Client): void => {
        client.listen({
          frame(said) {
            if (said.type === 'pow' || said.type === 'info') return
            room.leave(client)
            client.end(tooEarly, closeCodes.policy)
          },
          left: () => room.leave(client),
        })
        const notice = `Connected as ${client.identity}, waiting for a partner...`
        client.send({ type: 'log', arg: ['network', notice] })
        const partner = room.enter(client)
        if (partner !== null) begin(settings, [partner, client], limits, today)
      }
      return (client, id) => (proofBits === 0 ? wait(client) : prove(client, id, () => wait(client)))
    },
    clients: () => here.size,
    close() {
      clearInterval(heartbeat)
      for (const client of here) client.end(closing, closeCodes.goingAway)
    },
  }
}

const tooEarly = 'The session has not begun.'

function begin(
  { deal, turnMs, scores }: ArenaSettings,
  [first, second]: readonly [Client, Client],
  { forgottenMs, strayMs }: ArenaLimits,
  today: () => string,
): void {
  const { negotiation, firstCame } = deal()
  const clients = firstCame === 0 ? ([first, second] as const) : ([second, first] as const)
  beginSession({
    negotiation,
    clients,
    turnMs: turnMs ?? forgottenMs,
    tooLong: turnMs === null ? 'Nothing has been heard for too long.' : 'AI timeout',
    strayMs,
    onEnd(ending) {
      // As published in 2018: sessions that were carried through.
      if (ending.type === 'abort') return
      const day = today()
      for (const side of [0, 1] as const) {
        scores.add(clients[side].identity, day, { agreed: ending.type === 'agreed', score: ending.scores[side] })
      }
    },
  })
}
