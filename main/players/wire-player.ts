import type { Limits } from '../contract/limits.ts'
import type { PlayerEvent } from '../contract/players/player.ts'
import type { ChannelSource } from './channels/channel.ts'
import { createPlayer, type WatchedPlayer } from './create-player.ts'
import { seatBudget, type SeatBudget } from './seat-budget.ts'
import { ProcessAMoveTransport } from './transports/process-a-move-transport.ts'
import { ReconnectingTransport } from './transports/reconnecting-transport.ts'
import { SingleChannelTransport } from './transports/single-channel-transport.ts'
import type { WireOptions, WireTransport } from './transports/wire-transport.ts'

export interface WirePlayerOptions extends WireOptions {
  readonly limits: Pick<Limits, 'startMs' | 'messageBytes' | 'consoleBytes'>
  /** What it shares with the other bodies of its seat. Absent: all is its own. */
  readonly budget?: SeatBudget | undefined
  readonly emit: (event: PlayerEvent) => void
}

type WireTransportClass = new (...of: ConstructorParameters<typeof WireTransport>) => WireTransport

const transports: Readonly<Record<ChannelSource['reopens'], WireTransportClass>> = {
  never: SingleChannelTransport,
  'on-send': ProcessAMoveTransport,
  'by-itself': ReconnectingTransport,
}

/**
 * A player behind a game's wire: a program on pipes or a connection, one for the match, one a move, or one that drops and
 * comes back.
 */
export function wirePlayer({ emit, ...options }: WirePlayerOptions): WatchedPlayer {
  const { console } = options.budget ?? seatBudget(options.limits)
  const Wired = transports[options.channels.reopens]
  return createPlayer({ emit, console }, (core) => new Wired(core, options)).player
}
