import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os'
import { usualPlace, type ArenaNow, type ArenaPlace, type OpenArena } from '../../contract/arena.ts'
import type { ContestDescription } from '../../contract/contests.ts'
import type { ByteTransport } from '../../contract/seat-transport.ts'
import { DETAIL_MAX } from '../../contract/procedures.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { games } from '../../referees/games.ts'
import { checkArena, connectingIn, openArena, type ArenaListen } from './network-contest.ts'

/** The arena of a contest that was started at a screen. */
export interface Arena {
  readonly byteTransport: ByteTransport
  /** What every screen may see of it. */
  now(): ArenaNow
  /** Throws ExpectedError 'usage' from the second time on: it does not know them any more. */
  credentials(): OpenArena
  /** Waits until everybody has signed in, or the signal comes. Throws ExpectedError 'host' that says who is missing. */
  everybody(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Opens it; throws ExpectedError where that cannot be. `onNotice`: also whenever somebody has come or gone. */
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
        onNotice(`${doing}: an error that nobody expected: ${error instanceof Error ? error.message : String(error)}`)
      },
    },
  )
  let untold: OpenArena | null = { addresses, native, credentials }
  /** On the clock of performance.now(); null: everybody has come. */
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
          'These credentials have been told already, and are told once. Stop and run it again: that makes new ones.'
        throw new ExpectedError('usage', text)
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

/** Throws ExpectedError 'usage' where agents of other machines cannot play as a contest wants. `arena`: where, if that was said. */
export function checkConnecting(
  description: Pick<ContestDescription, 'game' | 'entrants'>,
  arena: ArenaPlace | undefined,
): void {
  const connecting = connectingIn(description)
  const [first] = connecting
  if (first !== undefined && games.get(description.game)?.network === undefined)
    throw new ExpectedError('usage', `Entrant "${first}": nobody plays ${description.game} over the network.`)
  if (first !== undefined || arena !== undefined)
    checkArena(description.game, connecting, listenOf(arena ?? usualPlace))
}

/** An arena's place as the arena wants it. */
function listenOf({ host, webSocket, tcp, native }: ArenaPlace): ArenaListen {
  return {
    webSocket: { host, port: webSocket },
    ...(tcp === null ? {} : { tcp: { host, port: tcp } }),
    ...(native === undefined ? {} : { native: { host, port: native } }),
  }
}

/** Addresses by which other machines reach this one, those of four numbers first; none that only mean something on one link. */
export function hostsOfMachine(interfaces = networkInterfaces()): readonly string[] {
  const found = Object.values(interfaces)
    .flatMap((each): readonly NetworkInterfaceInfo[] => each ?? [])
    .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address))
  const byFamily = Map.groupBy(found, ({ family }) => family)
  return [...new Set([...(byFamily.get('IPv4') ?? []), ...(byFamily.get('IPv6') ?? [])].map(({ address }) => address))]
}
