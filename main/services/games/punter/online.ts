import { playLobby, type LobbyOptions } from './lobby.ts'
import type { MatchResult } from './one-match.ts'

export interface OnlineGame extends Pick<
  LobbyOptions,
  'config' | 'punters' | 'host' | 'port' | 'limits' | 'signal' | 'onNotice' | 'onPrinted' | 'onUnexpected'
> {
  /** Called with the address for punters, such as `tcp://127.0.0.1:9001`. */
  onOpen(address: string): void
}

/** ms in which a punter must say its name, as on the official server. */
const HANDSHAKE_MS = 10_000

/**
 * Plays one game with punters that connect in online mode, seated in the order in which they connect, once all are
 * there. null: the signal aborted before. Throws ExpectedError if the port is not available.
 */
export async function playOnline({ onOpen, ...options }: OnlineGame): Promise<MatchResult | null> {
  let result: MatchResult | null = null
  await playLobby({
    ...options,
    portPerTable: false,
    tables: [{ token: null }],
    games: 1,
    handshakeMs: HANDSHAKE_MS,
    onOpen: ({ addresses }) => onOpen(addresses[0]!),
    onResult: (played) => (result = played.result),
  })
  return result
}
