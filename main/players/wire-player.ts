import type { Limits } from '../contract/limits.ts'
import type { PlayerEvent } from '../contract/player.ts'
import type { ChannelSource } from './channels/channel.ts'
import { createPlayer, type WatchedPlayer } from './player-core.ts'
import { seatBudget, type SeatBudget } from './seat-budget.ts'
import { ProcessAMove } from './transports/process-a-move.ts'
import { Reconnecting } from './transports/reconnecting.ts'
import { SingleChannel } from './transports/single-channel.ts'
import type { WireOptions, WireTransport } from './transports/wire-transport.ts'

export interface WirePlayerOptions extends WireOptions {
  readonly limits: Pick<Limits, 'startMs' | 'messageBytes' | 'consoleBytes'>
  /** What it shares with the other bodies of its seat. Absent: all is its own. */
  readonly budget?: SeatBudget | undefined
  readonly emit: (event: PlayerEvent) => void
}

type WireTransportClass = new (...of: ConstructorParameters<typeof WireTransport>) => WireTransport

const transports: Readonly<Record<ChannelSource['reopens'], WireTransportClass>> = {
  never: SingleChannel,
  'on-send': ProcessAMove,
  'by-itself': Reconnecting,
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
