import { createDoor, type DoorDialogue } from '../../../arenas/door.ts'
import type { Gate, Listen } from '../../../arenas/gate.ts'
import { createHall, type Hall, type HallTable, type Seated } from '../../../arenas/hall.ts'
import { createNoticeLimit } from '../../../arenas/rate-limit.ts'
import { openTcpGate } from '../../../arenas/tcp-gate.ts'
import type { SeatId } from '../../../contract/ids.ts'
import { limits as limitsSchema, type Limits } from '../../../contract/limits.ts'
import { networkPlayer, type NetworkPlayer } from '../../../players/network-player.ts'
import { wireHost } from '../../../players/wires/wire-host.ts'
import type { Config } from '../../../referees/punter/config.ts'
import { native } from '../../../referees/punter/native.ts'
import type { State } from '../../../referees/punter/state.ts'
import { jsonWire } from '../../../referees/json-wire.ts'
import { game, playOneMatch, type MatchResult, type OneMatch } from './one-match.ts'

export interface LobbyOptions {
  readonly config: Config
  /** At each table. */
  readonly punters: number
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Whether each table has a port of its own: the next ones after the first. */
  readonly portPerTable: boolean
  readonly tables: readonly Pick<HallTable, 'token'>[]
  /** Games after which the lobby closes; Infinity: when the signal aborts. */
  readonly games: number
  readonly limits: Partial<Limits>
  /** ms in which a client must say its name. */
  readonly handshakeMs: number
  readonly signal: AbortSignal
  /** Called when the ports are open, with the address of each table. */
  onOpen(lobby: OpenLobby): void
  /** A game is over. */
  onResult(played: PlayedGame): void
  onNotice(text: string): void
  /** What a punter was told of its messages. `table`: from 0. */
  readonly onPrinted?: (table: number, punter: SeatId, text: string) => void
  onUnexpected(error: unknown, doing: string): void
}

/** What is known of a lobby while it is open. */
export interface OpenLobby {
  /** By table: such as `tcp://127.0.0.1:9001`. */
  readonly addresses: readonly string[]
  /** By seat; null: the seat is free. */
  names(table: number): readonly (string | null)[]
  /** The game that is played at a table; null: none is. */
  state(table: number): State | null
}

export interface PlayedGame {
  /** From 0. */
  readonly table: number
  /** By seat. */
  readonly names: readonly string[]
  readonly result: MatchResult
}

/** Of connections; ms and numbers. */
const gateLimits = { waiting: 64, heartbeatMs: 15_000, goodbyeMs: 500, graceMs: 60_000, strayMs: 1_000 }
const first = { bytes: 4_096, tooMuch: 'More than 4096 bytes have come before the name.' }
const over = 'The lobby closes.'

/**
 * Plays games at tables whose seats are filled as punters come, until so many have been played or the signal aborts; games that
 * have begun are played to their end. Throws ExpectedError if a port is not available or, after the other games that have begun,
 * if a game cannot be played.
 */
export async function playLobby(options: LobbyOptions): Promise<void> {
  const { config, punters, games, signal, onUnexpected } = options
  const limits = limitsSchema.parse({ ...game.matches.limits, ...options.limits })
  const notices = createNoticeLimit(options.onNotice)
  const halls: Hall[] = []
  const gates: Gate[] = []
  const hallOf = new Map<number, Hall>()
  const states = new Map<number, State>()
  const playing = new Set<Promise<void>>()
  const done = Promise.withResolvers<undefined>()
  let begun = 0
  let failed: { readonly error: unknown } | null = null

  const stopSeating = (): void => {
    for (const hall of halls) hall.close(over)
  }
  const finishIfOver = (): void => {
    if (playing.size > 0) return
    if (failed !== null) done.reject(failed.error)
    else if (signal.aborted || begun >= games) done.resolve(undefined)
  }
  const stop = (): void => {
    stopSeating()
    finishIfOver()
  }
  const begin = (table: number, seated: readonly Seated[]): void => {
    begun += 1
    // Who waits at another table would wait for nothing.
    if (begun >= games) stopSeating()
    const names = seated.map(({ name }) => name)
    const match = playSeated({
      config,
      seated,
      limits,
      onBegin: (state) => states.set(table, state),
      onPrinted: (punter, text) => options.onPrinted?.(table, punter, text),
    })
      .then((result) => options.onResult({ table, names, result }))
      .catch((error: unknown) => {
        failed ??= { error }
        stopSeating()
      })
      .finally(() => {
        playing.delete(match)
        states.delete(table)
        hallOf.get(table)?.clear(String(table))
        finishIfOver()
      })
    playing.add(match)
  }
  const openHall = async (port: number, tables: readonly number[]): Promise<string> => {
    const hall = createHall({
      tables: tables.map((table) => ({ id: String(table), seats: punters, token: options.tables[table]!.token })),
      idleBytes: limits.messageBytes,
      strayMs: gateLimits.strayMs,
      onFull: (table, seated) => begin(Number(table), seated),
      onNotice: (table, text) =>
        notices.notice(table, options.tables.length === 1 ? text : `Table ${Number(table) + 1}: ${text}`),
    })
    halls.push(hall)
    for (const table of tables) hallOf.set(table, hall)
    const gate = await openTcpGate({
      ...listenAt(options.host, port),
      posts: punters * tables.length,
      messageBytes: limits.messageBytes,
      door: createDoor({
        dialogue,
        way: 'match',
        desk: hall,
        messageBytes: limits.messageBytes,
        limits: { signInMs: options.handshakeMs, waiting: gateLimits.waiting },
        onRefused: (address, text) => notices.notice(address, `A connection from ${address} was sent away: ${text}`),
      }),
      limits: { ...gateLimits, signInMs: options.handshakeMs },
      onUnexpected,
    })
    gates.push(gate)
    return gate.address
  }

  signal.addEventListener('abort', stop)
  try {
    const addresses: string[] = []
    for (const [port, tables] of portsOf(options)) {
      const address = await openHall(port, tables)
      for (const table of tables) addresses[table] = address
    }
    options.onOpen({
      addresses,
      names: (table) => hallOf.get(table)?.names(String(table)) ?? [],
      state: (table) => states.get(table) ?? null,
    })
    if (signal.aborted) stop()
    await done.promise
  } finally {
    signal.removeEventListener('abort', stop)
    notices.close()
    stopSeating()
    await Promise.all(gates.map((gate) => gate.close()))
  }
}

const dialogue: DoorDialogue = { ...native, first }

const listenAt = (host: string, port: number): Listen => ({ host, port })

/** The tables of each port. */
function portsOf({
  port,
  portPerTable,
  tables,
}: LobbyOptions): readonly (readonly [port: number, tables: readonly number[]])[] {
  const all = [...tables.keys()]
  return portPerTable ? all.map((table) => [port === 0 ? 0 : port + table, [table]]) : [[port, all]]
}

interface SeatedGame {
  readonly config: Config
  /** In seat order. */
  readonly seated: readonly Seated[]
  readonly limits: Limits
  onBegin(state: State): void
  readonly onPrinted: OneMatch['onPrinted']
}

/** Plays a game of punters that have taken their seats. */
function playSeated({ config, seated, limits, onBegin, onPrinted }: SeatedGame): Promise<MatchResult> {
  const players: NetworkPlayer[] = []
  return playOneMatch({
    config,
    punters: seated.length,
    limits,
    isolation: 'none',
    onBegin,
    onPrinted,
    onOver: (end) => players.forEach((player, id) => player.over(end.view(id))),
    seatPlayer({ id }, seed, emit) {
      const player: NetworkPlayer = networkPlayer({
        match: 0,
        seed,
        wire: jsonWire(),
        native: game.dialogue.nativeWire!(config, { seat: id, body: 0 }, [], wireHost()),
        rejoins: false,
        limits,
        emit,
        call: (call) => seated[id]!.line.transport(1, call, (event) => player.hear(event)),
      })
      players[id] = player
      return player
    },
  })
}
