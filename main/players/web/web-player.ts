import { randomUUID } from 'node:crypto'
import type { Wire } from '../../contract/game/wire.ts'
import type { Json } from '../../contract/json.ts'
import type { Limits } from '../../contract/limits.ts'
import type { Player, PlayerEvent } from '../../contract/players/player.ts'
import type { SeatBudget } from '../seat-budget.ts'
import { wirePlayer } from '../wire-player.ts'
import type { WebAgent } from './address.ts'
import { webChannel } from './web-channel.ts'
import { webWire } from './web-wire.ts'

/** What seating a web application in one match needs. */
export interface WebSeat {
  readonly agent: WebAgent
  /** Any text, which is sent to the application so that equal seeds can give equal matches. */
  readonly seed: string
  /** The game's dialogue for this post; it must not need a greeting. */
  readonly wire: Wire<Json, Json>
  readonly limits: Limits
  /** What it shares with the other bodies of its seat. Absent: all is its own. */
  readonly budget?: SeatBudget
  readonly emit: (event: PlayerEvent) => void
}

/**
 * Seats an agent that runs elsewhere as a web application (section 2.2): every question is a request. One application
 * may play several matches at a time; `tartaglia-session` identifies the requests of one match.
 */
export function seatWeb({ agent, seed, wire, limits, budget, emit }: WebSeat): Player {
  const headers = { 'tartaglia-session': randomUUID(), 'tartaglia-seed': seed }
  const channel = webChannel({ agent, headers, responseBytes: limits.messageBytes })
  return wirePlayer({
    wire: webWire(wire),
    channels: { reopens: 'never', open: (up) => up(channel), close: () => channel.close() },
    limits,
    budget,
    emit,
  })
}
