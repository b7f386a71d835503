import type { Player, PlayerEvent } from '../contract/players/player.ts'
import type { RemoteEvent } from '../contract/players/seat-transport.ts'
import { consoleRoom } from './console-budget.ts'
import { createPlayer } from './create-player.ts'
import { RemoteTransport, type RemoteOptions } from './transports/remote-transport.ts'

/** An agent whose player is elsewhere, as a worker is told of it. */
export interface RemoteAgent {
  readonly remote: 'human' | 'network'
}

export interface RemoteSeat extends RemoteOptions {
  readonly emit: (event: PlayerEvent) => void
}

export interface RemotePlayer extends Player {
  /** What has come from the player, at any time and in any order. */
  hear(event: RemoteEvent): void
}

/**
 * A player that is not here. A question's clock starts when the question is handed on; the wall clock alone decides, because
 * nobody can see what happens where the player is. Whatever comes in, nothing shifts the dialogue: an answer to a question that
 * is over is late, one to a question that was never asked is none.
 */
export function remotePlayer({ emit, ...options }: RemoteSeat): RemotePlayer {
  const console = consoleRoom(0)
  const { player, transport } = createPlayer(
    { emit, console, called: 'player' },
    (core) => new RemoteTransport(core, options),
  )
  return { ...player, hear: (event) => transport.hear(event) }
}
