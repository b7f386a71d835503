import type { Player, PlayerEvent } from '../contract/players/player.ts'
import { consoleRoom } from './console-budget.ts'
import { createPlayer } from './create-player.ts'
import type { Lease } from './process-lease.ts'
import { ScriptTransport, type ScriptOpening } from './transports/script-transport.ts'
import type { End } from './transports/transport.ts'

/** What it takes to seat a script agent in one match. */
export interface ScriptSeat extends ScriptOpening {
  readonly emit: (event: PlayerEvent) => void
}

/** Seats a script agent in a process that nobody else uses until `release`. A fault instead of one: it cannot be had. */
export function seatScript(lease: Promise<Lease | End>, { emit, ...opening }: ScriptSeat): Player {
  const console = consoleRoom(opening.limits.consoleBytes)
  return createPlayer({ emit, console }, (core) => new ScriptTransport(core, lease, opening)).player
}
