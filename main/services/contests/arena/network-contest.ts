import { postName } from '../../../arenas/sign-in.ts'
import type { Listen } from '../../../arenas/gate.ts'
import type { NetworkArena } from '../../../arenas/network-arena.ts'
import { NETWORK } from '../../../contract/players/agents.ts'
import type { OpenArena } from '../../../contract/players/arena.ts'
import { tableSize } from '../schedule/schedule.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import type { EntrantId, GameId } from '../../../contract/ids.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { games } from '../../../referees/games.ts'

/** The ports on which an arena listens. */
export interface ArenaListen {
  readonly webSocket: Listen
  /** Plain TCP, additionally. */
  readonly tcp?: Listen
  /** The game's own protocol, additionally. */
  readonly native?: Listen
}

/** The arena of a contest that is run in a terminal: agents on other machines connect to it. */
export interface ArenaOptions extends ArenaListen {
  /** How long to wait for them, in ms. */
  readonly waitMs: number
  /** Called once, before waiting for agents. */
  onOpen(open: OpenArena): void | Promise<void>
  onUnexpected(error: unknown, doing: string): void
}

/** The open arena of a contest. */
export interface OpenedArena extends Pick<
  NetworkArena,
  'addresses' | 'native' | 'credentials' | 'posts' | 'byteTransport' | 'close'
> {
  /**
   * Waits until all agents have signed in or the signal aborts. Throws ExpectedError 'host' that says who is missing.
   */
  everybody(waitMs: number, signal: AbortSignal): Promise<void>
}

/** Throws ExpectedError 'usage' if a contest and its arena do not fit. `connecting`: the entrants on other machines. */
export function checkArena(
  game: GameId,
  connecting: readonly EntrantId[],
  arena: { readonly tcp?: unknown; readonly native?: unknown } | undefined,
): void {
  const [first] = connecting
  if (first === undefined && arena !== undefined)
    throw new ExpectedError(
      'usage',
      'options-conflict',
      'No entrant of this contest connects from another machine: it needs no arena.',
    )
  if (first !== undefined && arena === undefined)
    throw new ExpectedError(
      'usage',
      'arena-missing',
      `Entrant "${first}" connects from another machine: choose a port with --arena PORT.`,
    )
  if (arena?.tcp !== undefined && games.get(game)?.dialogue.network?.plain !== true)
    throw new ExpectedError('usage', 'network-unsupported', `${game} cannot be played over plain TCP.`)
  if (arena?.native !== undefined && games.get(game)?.dialogue.network?.native === undefined)
    throw new ExpectedError('usage', 'network-unsupported', `${game} has no protocol of its own.`)
}

/** Opens the arena of a contest. Throws ExpectedError if a port is not available. */
export async function openArena(
  description: ContestDescription,
  { webSocket, tcp, native }: ArenaListen,
  hearing: { onNotice(text: string): void; onUnexpected(error: unknown, doing: string): void },
): Promise<OpenedArena> {
  const { game, limits } = description
  const bodies = postsOf(description)
  const network = games.get(game)?.dialogue.network
  // Imported here because listening needs large packages, and few contests have an arena.
  const { openNetworkArena } = await import('../../../arenas/network-arena.ts')
  const { everybody, ...arena } = await openNetworkArena({
    game,
    posts: connectingIn(description).flatMap((entrant) =>
      Array.from({ length: bodies }, (_, line) => ({ entrant, line })),
    ),
    rejoins: network?.rejoins === true,
    messageBytes: limits.messageBytes,
    webSocket,
    tcp: tcp ?? null,
    native: native && network?.native && { ...native, dialogue: network.native },
    onNotice: (text) => hearing.onNotice(text),
    onUnexpected: (error, doing) => hearing.onUnexpected(error, doing),
  })
  return {
    ...arena,
    async everybody(waitMs, signal) {
      const began = performance.now()
      const missing = await everybody(waitMs, signal)
      if (missing.length === 0) return
      const names = missing.map(postName).join(', ')
      const waited = `${Math.round((performance.now() - began) / 1_000)} s`
      throw new ExpectedError(
        'host',
        'sign-in-timeout',
        `Not all agents signed in within ${waited}; no match was played. Missing: ${names}.`,
      )
    },
  }
}

/**
 * Opens the arena of a contest and waits until all agents have signed in or the signal aborts. Throws ExpectedError
 * 'host' that says who is missing or that a port is not available.
 */
export async function openContestArena(
  description: ContestDescription,
  options: ArenaOptions,
  { signal, onNotice }: { readonly signal: AbortSignal; onNotice(text: string): void },
): Promise<Pick<OpenedArena, 'byteTransport' | 'close'>> {
  const arena = await openArena(description, options, {
    onNotice,
    onUnexpected: (error, doing) => options.onUnexpected(error, doing),
  })
  try {
    await options.onOpen({ addresses: arena.addresses, native: arena.native, credentials: arena.credentials })
    await arena.everybody(options.waitMs, signal)
    return arena
  } catch (error) {
    await arena.close()
    throw error
  }
}

/** The entrants that connect from other machines. */
export function connectingIn({ entrants }: Pick<ContestDescription, 'entrants'>): readonly EntrantId[] {
  return entrants.flatMap(({ name, agent }) => (agent === NETWORK ? name : []))
}

/** The maximum number of posts that an entrant has in a match. */
function postsOf(description: ContestDescription): number {
  const game = games.get(description.game)
  const seats = game?.seats(description.config, tableSize(description, game.contests)) ?? []
  if (typeof seats === 'string') throw new ExpectedError('usage', 'entrants-invalid', seats)
  const counts = new Map<number, number>()
  for (const { entrant, bodies } of seats) counts.set(entrant, (counts.get(entrant) ?? 0) + bodies)
  return Math.max(...counts.values())
}
