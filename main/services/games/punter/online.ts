import { limits as limitsSchema, type Limits } from '../../../contract/limits.ts'
import { openNetworkArena } from '../../../arenas/network-arena.ts'
import { networkPlayer, type NetworkPlayer } from '../../../players/network-player.ts'
import { wireHost } from '../../../players/wire-host.ts'
import type { Config } from '../../../referees/punter/config.ts'
import { native } from '../../../referees/punter/native.ts'
import { jsonWire } from '../../../referees/json-wire.ts'
import { game, playOneMatch, type MatchResult } from './one-match.ts'

export interface OnlineGame {
  readonly config: Config
  readonly punters: number
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly limits: Partial<Limits>
  readonly signal: AbortSignal
  /** Called with the address for punters, such as `tcp://127.0.0.1:9001`. */
  onOpen(address: string): void
  onNotice(text: string): void
  onUnexpected(error: unknown, doing: string): void
}

/** The longest possible timer. */
const FOREVER_MS = 2 ** 31 - 1

/**
 * Plays one game with punters that connect in online mode, seated in the order in which they connect, once all are
 * there. null: the signal aborted before. Throws ExpectedError if the port is not available.
 */
export async function playOnline(options: OnlineGame): Promise<MatchResult | null> {
  const { config, punters, host, port, signal, onNotice, onUnexpected } = options
  const limits = limitsSchema.parse({ ...game.limits, ...options.limits })
  const entrants = Array.from({ length: punters }, (_, seat) => `punter-${seat}`)
  const arena = await openNetworkArena({
    game: game.id,
    posts: entrants.map((entrant) => ({ entrant, line: 0 })),
    rejoins: false,
    messageBytes: limits.messageBytes,
    webSocket: { host: '127.0.0.1', port: 0 },
    tcp: null,
    native: { host, port, dialogue: native },
    onNotice,
    onUnexpected,
  })
  const players: NetworkPlayer[] = []
  try {
    options.onOpen(arena.native?.address ?? '')
    while ((await arena.everybody(FOREVER_MS, signal)).length > 0);
    if (signal.aborted) return null
    return await playOneMatch({
      config,
      punters,
      limits,
      isolation: 'none',
      onOver: (end) => players.forEach((player, seat) => player.over(end.view(seat))),
      seatPlayer({ id }, seed, emit) {
        const place = { run: 1, entrant: entrants[id]!, line: 0 }
        const player: NetworkPlayer = networkPlayer({
          match: 0,
          seed,
          wire: jsonWire(),
          native: game.network!.native!.wire({ seat: id, body: 0 }, config, [], wireHost()),
          rejoins: false,
          limits,
          emit,
          call: (call) => arena.byteTransport(place, call, (event) => player.hear(event)),
        })
        players.push(player)
        return player
      },
    })
  } finally {
    await arena.close()
  }
}
