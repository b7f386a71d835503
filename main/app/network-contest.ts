import { nameOf } from '../arenas/desk.ts'
import type { Listen } from '../arenas/gate.ts'
import type { NetworkArena } from '../arenas/network-arena.ts'
import { NETWORK } from '../contract/agents.ts'
import { tableSize, type ContestDescription, type ContestFile } from '../contract/contests.ts'
import type { EntrantId } from '../contract/ids.ts'
import { Trouble } from '../contract/trouble.ts'
import { games } from '../referees/games.ts'

/** Where agents of other machines connect to a contest. */
export interface ArenaOptions {
  readonly webSocket: Listen
  /** Plain TCP as well. */
  readonly tcp?: Listen
  /** How long they are waited for, in ms. */
  readonly waitMs: number
  /** Told once, before anybody is waited for. */
  onOpen(open: OpenArena): void | Promise<void>
  onUnexpected(error: unknown, doing: string): void
}

/** What has to be told to the people whose agents connect. */
export interface OpenArena {
  readonly addresses: readonly string[]
  /** Each is good for one connection; `line`: which of the entrant's posts, from 0. */
  readonly credentials: readonly { readonly entrant: EntrantId; readonly line: number; readonly credential: string }[]
}

/** Throws Trouble 'usage' where a contest and its arena do not fit. */
export function checkArena({ game, entrants }: ContestFile, arena: ArenaOptions | undefined): void {
  const first = entrants.find(({ network }) => network === true)
  if (first === undefined && arena !== undefined)
    throw new Trouble('usage', 'There is nobody in this contest who connects from another machine: it needs no arena.')
  if (first !== undefined && arena === undefined)
    throw new Trouble('usage', `Entrant "${first.name}" connects from another machine: say where, with --arena PORT.`)
  if (arena?.tcp !== undefined && games.get(game)?.network?.plain !== true)
    throw new Trouble('usage', `The protocol of ${game} does not go over plain TCP.`)
}

/**
 * Opens the arena of a contest and waits until everybody has signed in, or the signal comes. Throws Trouble 'host' that says
 * who is missing, or that a port cannot be had.
 */
export async function openContestArena(
  description: ContestDescription,
  { webSocket, tcp, waitMs, onOpen, onUnexpected }: ArenaOptions,
  { signal, onNotice }: { readonly signal: AbortSignal; onNotice(text: string): void },
): Promise<Pick<NetworkArena, 'carry' | 'close'>> {
  const { game, entrants, limits } = description
  const bodies = postsOf(description)
  const connecting = entrants.filter(({ agent }) => agent === NETWORK)
  // Only here: what listening takes is much, and few contests need it.
  const { openNetworkArena } = await import('../arenas/network-arena.ts')
  const arena = await openNetworkArena({
    game,
    posts: connecting.flatMap(({ name }) => Array.from({ length: bodies }, (_, line) => ({ entrant: name, line }))),
    rejoins: games.get(game)?.network?.rejoins === true,
    messageBytes: limits.messageBytes,
    webSocket,
    tcp: tcp ?? null,
    onNotice: (text) => onNotice(text),
    onUnexpected,
  })
  try {
    const began = performance.now()
    await onOpen({ addresses: arena.addresses, credentials: arena.credentials })
    const missing = await arena.everybody(waitMs, signal)
    if (missing.length === 0) return arena
    const names = missing.map(nameOf).join(', ')
    const waited = `${Math.round((performance.now() - began) / 1_000)} s`
    throw new Trouble('host', `After ${waited} not everybody is here, and no match was played. Missing: ${names}.`)
  } catch (error) {
    await arena.close()
    throw error
  }
}

/** The most lines of communication that an entrant has in a match. */
function postsOf(description: ContestDescription): number {
  const seats = games.get(description.game)?.seats(description.config, tableSize(description)) ?? []
  if (typeof seats === 'string') throw new Trouble('usage', seats)
  const counts = new Map<number, number>()
  for (const { entrant, bodies } of seats) counts.set(entrant, (counts.get(entrant) ?? 0) + bodies)
  return Math.max(...counts.values())
}
