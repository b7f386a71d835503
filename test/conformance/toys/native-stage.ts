import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { GateLimits } from '../../../main/arenas/gate.ts'
import { openNetworkArena, type NetworkArena } from '../../../main/arenas/network-arena.ts'
import type { ErasedGame } from '../../../main/contract/game/game.ts'
import { limits as limitsSchema } from '../../../main/contract/limits.ts'
import type { Framing } from '../../../main/contract/game/native-dialogue.ts'
import { networkPlayer, type NetworkPlayer } from '../../../main/players/network/network-player.ts'
import { wireHost } from '../../../main/players/wires/wire-host.ts'
import { play, type Played } from './harness.ts'

const entrants = ['anna', 'bob'] as const

/** An arena for two that is open to a game's own clients, and the table behind it. */
export interface NativeStage {
  readonly arena: NetworkArena
  readonly port: number
  readonly notices: readonly string[]
  password(entrant: string): string
  /** Plays a match as a worker does. */
  match(
    number: number,
    config?: { readonly steps: number },
    limits?: { startMs?: number; moveMs?: number },
  ): Promise<Played>
  close(): Promise<void>
}

export async function openNativeStage(game: ErasedGame, limits: Partial<GateLimits> = {}): Promise<NativeStage> {
  const { rejoins, native } = game.dialogue.network!
  const listen = { host: '127.0.0.1', port: 0 }
  const notices: string[] = []
  const arena = await openNetworkArena({
    game: game.id,
    posts: entrants.map((entrant) => ({ entrant, line: 0 })),
    rejoins,
    messageBytes: 65_536,
    webSocket: listen,
    tcp: listen,
    native: { ...listen, dialogue: native! },
    limits,
    onNotice: (text) => notices.push(text),
    onUnexpected(error) {
      throw error
    },
  })
  return {
    arena,
    port: Number(new URL(arena.native!.address).port),
    notices,
    password: (entrant) => arena.credentials.find((each) => each.entrant === entrant)!.credential,
    match(number, config = { steps: 3 }, some = {}) {
      const players: [number, NetworkPlayer][] = []
      return play({
        game,
        config,
        entrants: 2,
        limits: { moveMs: 60_000, startMs: 60_000, ...some },
        onOver: (end) => players.forEach(([seat, player]) => player.over(end.view(seat))),
        seatPlayer({ id }, post, emit) {
          const place = { run: number, entrant: entrants[id]!, line: 0 }
          const player: NetworkPlayer = networkPlayer({
            match: number,
            seed: '',
            wire: game.dialogue.wire!(config, post, [], wireHost()),
            native: game.dialogue.nativeWire!(config, post, [], wireHost()),
            rejoins,
            limits: limitsSchema.parse({ startMs: 60_000, ...some }),
            emit,
            call: (call) => arena.byteTransport(place, call, (event) => player.hear(event)),
          })
          players.push([post.seat, player])
          return player
        },
      })
    },
    close: () => arena.close(),
  }
}

/** A client of a game's own: whole messages, as they come. */
export interface NativeClient {
  readonly socket: Socket
  readonly heard: readonly Uint8Array[]
  readonly gone: Promise<unknown>
  say(...messages: readonly Uint8Array[]): void
}

export function dialNative(
  port: number,
  framing: Framing,
  hear: (message: Uint8Array, client: NativeClient) => void = () => undefined,
): NativeClient {
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  socket.on('error', () => undefined)
  const heard: Uint8Array[] = []
  const client: NativeClient = {
    socket,
    heard,
    gone: once(socket, 'close'),
    say: (...messages) => void socket.write(Buffer.concat(messages)),
  }
  socket.on('data', (chunk: Buffer) => {
    const messages = framing.read(chunk)
    if (typeof messages === 'string') throw new Error(messages)
    for (const message of messages) {
      heard.push(message)
      hear(message, client)
    }
  })
  return client
}
