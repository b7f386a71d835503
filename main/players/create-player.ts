import type { Ms } from '../contract/clock.ts'
import type { Player } from '../contract/players/player.ts'
import { PlayerCore, type PlayerOptions } from './player-core.ts'
import type { Transport } from './transports/transport.ts'

/** A player whose processes are watched. */
export interface WatchedPlayer extends Player {
  /** See PlayerCore. */
  busySince(): Ms | null
  /** Whether it is ready and has been asked nothing. */
  atRest(): boolean
}

/** Makes the one player of a seat or of a body, whatever carries its questions. */
export function createPlayer<T extends Transport>(
  options: PlayerOptions,
  connect: (core: PlayerCore) => T,
): { readonly player: WatchedPlayer; readonly transport: T } {
  const core = new PlayerCore(options, connect)
  const player: WatchedPlayer = {
    ready: () => core.ready(),
    ask: (number, message, limitMs, bank, body) => core.ask(number, message, limitMs, bank, body),
    tell: (message, body) => core.tell(message, body),
    withdraw: (number) => core.withdraw(number),
    close: () => core.close(),
    busySince: () => core.busySince,
    atRest: () => core.isReady && core.busySince === null,
  }
  return { player, transport: core.transport }
}
