import type { NativeWire } from '../../contract/game/game.ts'
import type { Wire } from '../../contract/game/wire.ts'
import type { MatchNumber } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import type { Limits } from '../../contract/limits.ts'
import type { Player, PlayerEvent } from '../../contract/players/player.ts'
import type { LineCall, LineEvent } from '../../contract/players/seat-transport.ts'
import { LineSource } from './line-source.ts'
import { arenaLine, arenaWire } from '../wires/arena-wire.ts'
import type { SeatBudget } from '../printed-output.ts'
import { wirePlayer } from '../wire-player.ts'

/** An agent that has connected from another machine, and its seat in one match. */
export interface NetworkSeat {
  readonly match: MatchNumber
  /** Any text; the agent is told it, so that equal seeds can give equal matches. */
  readonly seed: string
  /** The game's dialogue, for this post alone. */
  readonly wire: Wire<Json, Json>
  /** The same as the game's own clients speak it, where it has some. */
  readonly native?: NativeWire<Json, Json, Json> | undefined
  /** True if an agent that drops may come back into the match. */
  readonly rejoins: boolean
  readonly limits: Pick<Limits, 'startMs' | 'messageBytes' | 'consoleBytes'>
  /** The budget that it shares with the other bodies of its seat. Absent: it has its own. */
  readonly budget?: SeatBudget
  readonly emit: (event: PlayerEvent) => void
  /** Takes what is to be carried to the connection. */
  readonly call: (call: LineCall) => void
}

export interface NetworkPlayer extends Player {
  /** Takes an event of the connection. */
  hear(event: LineEvent): void
  /** The match is over for everybody: what the seat may see of it now, for last words. */
  over(view: Json): void
}

/**
 * An agent at the other end of a connection that main holds, and that stays for the whole contest or comes for each match. The
 * clock of a question runs from its bytes handed on to those of the answer come in. It stands still while main does, and before
 * a verdict main reads and passes on everything that has arrived. All else is what a program on pipes gets and may do.
 */
export function networkPlayer(seat: NetworkSeat): NetworkPlayer {
  const { match, seed, wire, native, rejoins, limits, budget, emit, call } = seat
  const own = arenaWire(wire, { match, seed })
  /** The one of the two protocols that is spoken; the game's own, once a connection has spoken it. */
  let spoken: Wire<Json, Json> = own
  const channels = new LineSource({
    rejoins,
    startMs: limits.startMs,
    call,
    connected(speaksNative) {
      if (speaksNative && native !== undefined) spoken = native
    },
    farewell: () => (spoken === own ? arenaLine({ arena: 'over', match }) : null),
  })
  const player = wirePlayer({ wire: currentOf(() => spoken), channels, limits, budget, emit })
  return {
    ...player,
    over(view) {
      if (spoken !== native || native.over === undefined) return
      const { messages, ...how } = native.over(view)
      channels.end(messages, how)
    },
    hear: (event) => channels.hear(event),
  }
}

/** A wire that is, at each step, the present one. */
function currentOf(wire: () => Wire<Json, Json>): Wire<Json, Json> {
  return {
    joined: (at) => wire().joined(at),
    receive: (chunk, at) => wire().receive(chunk, at),
    left: (at) => wire().left(at),
    send: (message, question, at) => wire().send(message, question, at),
    withdrawn: (question, at) => wire().withdrawn(question, at),
    unsent: (message) => wire().unsent?.(message),
  }
}
