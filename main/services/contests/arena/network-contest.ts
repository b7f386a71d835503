import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os'
import { postName } from '../../../arenas/sign-in.ts'
import type { Listen } from '../../../arenas/gate.ts'
import type { NetworkArena } from '../../../arenas/network-arena.ts'
import { NETWORK } from '../../../contract/players/agents.ts'
import { defaultArenaPlace, type ArenaNow, type ArenaPlace, type OpenArena } from '../../../contract/players/arena.ts'
import type { ContestEntry } from '../../../contract/procedures/classroom.ts'
import { DETAIL_MAX } from '../../../contract/procedures/procedures.ts'
import { tableSize } from '../schedule/schedule.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import type { EntrantId, GameId, Sha256 } from '../../../contract/ids.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { games } from '../../../referees/games.ts'

/** The ports of a contest's arena, and how long it waits for agents. */
export interface ArenaPlan {
  readonly webSocket: Listen
  /** Plain TCP, additionally. */
  readonly tcp?: Listen
  /** The game's own protocol, additionally. */
  readonly native?: Listen
  /** How long to wait for the agents, in ms. */
  readonly waitMs: number
  /** Called on unexpected errors; absent: they become notices. */
  onUnexpected?(error: unknown, doing: string): void
}

/** The arena of a contest that was started: agents on other machines connect to it. */
export interface Arena extends Pick<NetworkArena, 'byteTransport' | 'close'> {
  /** The state that every screen may see. */
  now(): ArenaNow
  /** Returns the credentials once; throws ExpectedError 'usage' afterwards. */
  credentials(): OpenArena
  /**
   * Waits until all agents have signed in or the signal aborts. Throws ExpectedError 'host' that says who is missing.
   */
  everybody(signal: AbortSignal): Promise<void>
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
      'arena-not-needed',
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

/**
 * Throws ExpectedError 'usage' if agents on other machines cannot play in a contest as it is described. `arena`: its
 * place, if one was given.
 */
export function checkConnecting(
  description: Pick<ContestDescription, 'game' | 'entrants'>,
  arena: ArenaPlace | undefined,
): void {
  const connecting = connectingIn(description)
  const [first] = connecting
  if (first !== undefined && games.get(description.game)?.dialogue.network === undefined)
    throw new ExpectedError(
      'usage',
      'network-unsupported',
      `Entrant "${first}": ${description.game} cannot be played over the network.`,
    )
  if (first !== undefined || arena !== undefined)
    checkArena(description.game, connecting, planAt(arena ?? defaultArenaPlace))
}

/** The place at which agents on other machines connect to a contest of the class. */
export const placeOf = ({ arena = defaultArenaPlace }: Pick<ContestEntry, 'arena'>): ArenaPlace => arena

/** The arena at a place. */
export function planAt({ host, webSocket, tcp, native, waitMs }: ArenaPlace): ArenaPlan {
  return {
    webSocket: { host, port: webSocket },
    ...(tcp === null ? {} : { tcp: { host, port: tcp } }),
    ...(native === undefined ? {} : { native: { host, port: native } }),
    waitMs,
  }
}

/**
 * Opens the arena of a contest. Throws ExpectedError if a port is not available. `onNotice` is also called whenever an
 * agent has connected or disconnected. `known`: hashes of the credentials that teams have already, by entrant.
 */
export async function openContestArena(
  description: ContestDescription,
  plan: ArenaPlan,
  onNotice: (text: string) => void,
  known: ReadonlyMap<EntrantId, readonly Sha256[]> = new Map(),
): Promise<Arena> {
  const { waitMs } = plan
  const { addresses, native, credentials, posts, byteTransport, everybody, close } = await openPorts(
    description,
    plan,
    onNotice,
    known,
  )
  let untold: OpenArena | null = credentials.length === 0 ? null : { addresses, native, credentials }
  /** A time of performance.now(); null: all agents have signed in. */
  let until: number | null = performance.now() + waitMs
  return {
    byteTransport,
    now() {
      const all = posts()
      const away = all.filter(({ state }) => state !== 'here')
      const here = all.filter(({ state }) => state === 'here')
      return {
        addresses,
        native,
        posts: all.length <= DETAIL_MAX ? all : [...away, ...here].slice(0, DETAIL_MAX),
        total: all.length,
        here: here.length,
        msLeft: until === null ? null : Math.max(0, Math.round(until - performance.now())),
        untold: untold !== null,
      }
    },
    credentials() {
      if (untold === null) {
        const text =
          'These credentials are shown only once and have already been shown. Stop the contest and run it again for new ones.'
        throw new ExpectedError('usage', 'credentials-unavailable', text)
      }
      const shown = untold
      untold = null
      return shown
    },
    async everybody(signal) {
      const began = performance.now()
      const missing = await everybody(waitMs, signal)
      if (missing.length > 0) throw missingAgents(missing.map(postName), performance.now() - began)
      until = null
    },
    close,
  }
}

/** `ms`: how long they were waited for. */
function missingAgents(names: readonly string[], ms: number): ExpectedError {
  const waited = `${Math.round(ms / 1_000)} s`
  const text = `Not all agents signed in within ${waited}; no match was played. Missing: ${names.join(', ')}.`
  return new ExpectedError('host', 'sign-in-timeout', text)
}

async function openPorts(
  description: ContestDescription,
  { webSocket, tcp, native, onUnexpected }: ArenaPlan,
  onNotice: (text: string) => void,
  known: ReadonlyMap<EntrantId, readonly Sha256[]>,
): Promise<NetworkArena> {
  const { game, limits } = description
  const bodies = postsOf(description)
  const network = games.get(game)?.dialogue.network
  // Imported here because listening needs large packages, and few contests have an arena.
  const { openNetworkArena } = await import('../../../arenas/network-arena.ts')
  return openNetworkArena({
    game,
    posts: connectingIn(description).flatMap((entrant) =>
      Array.from({ length: bodies }, (_, line) => ({ entrant, line })),
    ),
    known: (post) => known.get(post.entrant)?.[post.line] ?? null,
    rejoins: network?.rejoins === true,
    messageBytes: limits.messageBytes,
    webSocket,
    tcp: tcp ?? null,
    native: native && network?.native && { ...native, dialogue: network.native },
    onNotice,
    onUnexpected(error, doing) {
      if (onUnexpected !== undefined) onUnexpected(error, doing)
      else onNotice(`${doing}: an unexpected error: ${error instanceof Error ? error.message : String(error)}`)
    },
  })
}

/** The entrants that connect from other machines. */
export function connectingIn({ entrants }: Pick<ContestDescription, 'entrants'>): readonly EntrantId[] {
  return entrants.flatMap(({ name, agent }) => (agent === NETWORK ? name : []))
}

/** The maximum number of posts that an entrant has in a match. */
export function postsOf(description: ContestDescription): number {
  const game = games.get(description.game)
  const seats = game?.seats(description.config, tableSize(description, game.contests)) ?? []
  if (typeof seats === 'string') throw new ExpectedError('usage', 'entrants-invalid', seats)
  const counts = new Map<number, number>()
  for (const { entrant, bodies } of seats) counts.set(entrant, (counts.get(entrant) ?? 0) + bodies)
  return Math.max(...counts.values())
}

/** The addresses at which other machines reach this one, IPv4 first. Link-local addresses are left out. */
export function hostsOfMachine(interfaces = networkInterfaces()): readonly string[] {
  const found = Object.values(interfaces)
    .flatMap((each): readonly NetworkInterfaceInfo[] => each ?? [])
    .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address))
  const byFamily = Map.groupBy(found, ({ family }) => family)
  return [...new Set([...(byFamily.get('IPv4') ?? []), ...(byFamily.get('IPv6') ?? [])].map(({ address }) => address))]
}
