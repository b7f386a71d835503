import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os'
import { defaultArenaPlace, type ArenaNow, type ArenaPlace, type OpenArena } from '../../../contract/players/arena.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import type { ByteTransport } from '../../../contract/players/seat-transport.ts'
import { DETAIL_MAX } from '../../../contract/procedures/procedures.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { games } from '../../../referees/games.ts'
import { checkArena, connectingIn, openArena, type ArenaListen } from './network-contest.ts'

/** The arena of a contest that was started in a window. */
export interface Arena {
  readonly byteTransport: ByteTransport
  /** The state that every screen may see. */
  now(): ArenaNow
  /** Returns the credentials once; throws ExpectedError 'usage' afterwards. */
  credentials(): OpenArena
  /**
   * Waits until all agents have signed in or the signal aborts. Throws ExpectedError 'host' that says who is missing.
   */
  everybody(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/**
 * Opens an arena; throws ExpectedError if that is not possible. `onNotice` is also called whenever an agent has
 * connected or disconnected.
 */
export async function openWindowArena(
  description: ContestDescription,
  place: ArenaPlace,
  onNotice: (text: string) => void,
): Promise<Arena> {
  const { addresses, native, credentials, posts, byteTransport, everybody, close } = await openArena(
    description,
    listenOf(place),
    {
      onNotice,
      onUnexpected(error, doing) {
        onNotice(`${doing}: an unexpected error: ${error instanceof Error ? error.message : String(error)}`)
      },
    },
  )
  let untold: OpenArena | null = { addresses, native, credentials }
  /** A time of performance.now(); null: all agents have signed in. */
  let until: number | null = performance.now() + place.waitMs

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
      const told = untold
      untold = null
      return told
    },
    async everybody(signal) {
      await everybody(place.waitMs, signal)
      until = null
    },
    close,
  }
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
    checkArena(description.game, connecting, listenOf(arena ?? defaultArenaPlace))
}

/** Converts an arena's place to what the arena listens on. */
function listenOf({ host, webSocket, tcp, native }: ArenaPlace): ArenaListen {
  return {
    webSocket: { host, port: webSocket },
    ...(tcp === null ? {} : { tcp: { host, port: tcp } }),
    ...(native === undefined ? {} : { native: { host, port: native } }),
  }
}

/** The addresses at which other machines reach this one, IPv4 first. Link-local addresses are left out. */
export function hostsOfMachine(interfaces = networkInterfaces()): readonly string[] {
  const found = Object.values(interfaces)
    .flatMap((each): readonly NetworkInterfaceInfo[] => each ?? [])
    .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address))
  const byFamily = Map.groupBy(found, ({ family }) => family)
  return [...new Set([...(byFamily.get('IPv4') ?? []), ...(byFamily.get('IPv6') ?? [])].map(({ address }) => address))]
}
