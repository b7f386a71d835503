import { vi } from 'vitest'
import type { GateLimits } from '../../../main/arenas/gate.ts'
import { openNetworkArena, type NetworkArena } from '../../../main/arenas/network-arena.ts'
import { limits } from '../../../main/contract/limits.ts'
import type { PlayerEvent } from '../../../main/contract/players/player.ts'
import { networkPlayer, type NetworkPlayer } from '../../../main/players/network/network-player.ts'
import { wireHost } from '../../../main/players/wires/wire-host.ts'
import { games } from '../../../main/referees/games.ts'
import { dial, type Client } from '../../conformance/network/client.ts'

export const messageBytes = 65_536

/** An arena for anna and bob, with a table behind it at which nobody but they sit. */
export interface Stage {
  readonly arena: NetworkArena
  readonly webSocket: string
  readonly tcp: string
  readonly notices: readonly string[]
  credential(entrant: string): string
  /** Signs in, and waits until that is known. */
  come(entrant: string, address: string, hear?: (line: string, client: Client) => void): Promise<Client>
  /** Seats an entrant for a match; `startMs`: how long it may take to be ready. */
  seat(
    entrant: string,
    match: number,
    startMs?: number,
  ): { readonly player: NetworkPlayer; readonly events: readonly PlayerEvent[] }
  close(): Promise<void>
}

export async function openStage(some: Partial<GateLimits> = {}): Promise<Stage> {
  const notices: string[] = []
  const unexpected: unknown[] = []
  const listen = { host: '127.0.0.1', port: 0 }
  const arena = await openNetworkArena({
    game: 'haggle',
    posts: ['anna', 'bob'].map((entrant) => ({ entrant, line: 0 })),
    rejoins: false,
    messageBytes,
    webSocket: listen,
    tcp: listen,
    limits: some,
    onNotice: (text) => notices.push(text),
    onUnexpected: (error) => unexpected.push(error),
  })
  const [webSocket = '', tcp = ''] = arena.addresses
  const credential = (name: string): string => arena.credentials.find(({ entrant }) => entrant === name)!.credential
  let runs = 0
  return {
    arena,
    webSocket,
    tcp,
    notices,
    credential,
    async come(entrant, address, hear) {
      const client = dial(address, credential(entrant), hear)
      await client.told('signed in')
      return client
    },
    seat(entrant, match, startMs = 60_000) {
      const run = ++runs
      const events: PlayerEvent[] = []
      const player = networkPlayer({
        match,
        seed: 'seed',
        wire: games.get('haggle')!.dialogue.wire!({}, { seat: 0, body: 0 }, [], wireHost()),
        rejoins: false,
        limits: { ...limits.parse({}), startMs, messageBytes },
        emit: (event) => events.push(event),
        call: (call) => arena.byteTransport({ run, entrant, line: 0 }, call, (event) => player.hear(event)),
      })
      return { player, events }
    },
    async close() {
      await arena.close()
      if (unexpected.length > 0) throw new Error(`nobody expected: ${unexpected.map(String).join('; ')}`)
    },
  }
}

/** Answers `ready` to each match. */
export const willing = (line: string, client: Client): void => {
  const said = JSON.parse(line) as { readonly arena?: string; readonly match?: number }
  if (said.arena === 'match') client.say({ arena: 'ready', match: said.match ?? -1 })
}

/** Resolves with the player's next fault that is the end of it. */
export function ended(events: readonly PlayerEvent[]): Promise<Extract<PlayerEvent, { type: 'fault' }>> {
  return vi.waitUntil(
    () =>
      events.find((event): event is Extract<PlayerEvent, { type: 'fault' }> => event.type === 'fault' && event.gone),
    { timeout: 30_000, interval: 5 },
  )
}

/** The question of a turn of Haggling. */
export const turn = { type: 'turn', offer: null } as const
