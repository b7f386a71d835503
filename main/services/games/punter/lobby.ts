import { createDoor, type DoorDialogue } from '../../../arenas/door.ts'
import type { Gate, Listen } from '../../../arenas/gate.ts'
import { createHall, type Hall, type HallTable, type Seated } from '../../../arenas/hall.ts'
import { createNoticeLimit } from '../../../arenas/rate-limit.ts'
import { openTcpGate } from '../../../arenas/tcp-gate.ts'
import type { SeatId } from '../../../contract/ids.ts'
import { limits as limitsSchema, type Limits } from '../../../contract/limits.ts'
import { networkPlayer, type NetworkPlayer } from '../../../players/network/network-player.ts'
import { wireHost } from '../../../players/wires/wire-host.ts'
import type { Config } from '../../../referees/punter/config.ts'
import { native } from '../../../referees/punter/online.ts'
import type { State as GameState } from '../../../referees/punter/state.ts'
import { jsonWire } from '../../../referees/json-wire.ts'
import { game, playOneMatch, type MatchResult, type OneMatch } from './one-match.ts'

export interface LobbyOptions {
  readonly config: Config
  /** At each table. */
  readonly punters: number
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** True: each table has a port of its own, the next ones after the first. */
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
  /** A remark on a punter's messages. `table`: from 0. */
  readonly onPrinted?: (table: number, punter: SeatId, text: string) => void
  onUnexpected(error: unknown, doing: string): void
}

/** A lobby while it is open. */
export interface OpenLobby {
  /** By table: such as `tcp://127.0.0.1:9001`. */
  readonly addresses: readonly string[]
  /** By seat; null: the seat is free. */
  names(table: number): readonly (string | null)[]
  /** The game that is played at a table; null: none is. */
  state(table: number): GameState | null
}

export interface PlayedGame {
  /** From 0. */
  readonly table: number
  /** By seat. */
  readonly names: readonly string[]
  readonly result: MatchResult
}

/** Limits of connections, in ms and numbers. */
const gateLimits = { waiting: 64, heartbeatMs: 15_000, goodbyeMs: 500, graceMs: 60_000, strayMs: 1_000 }
const first = { bytes: 4_096, tooMuch: 'More than 4096 bytes have come before the name.' }
const over = 'The lobby closes.'

/** The state of a lobby; the functions below change it. */
interface State {
  readonly options: LobbyOptions
  readonly limits: Limits
  readonly notices: ReturnType<typeof createNoticeLimit>
  /** One for each port. */
  readonly halls: Hall[]
  readonly gates: Gate[]
  readonly hallOf: Map<number, Hall>
  /** The games that are played, by table. */
  readonly states: Map<number, GameState>
  readonly playing: Set<Promise<void>>
  /** The number of games that have begun. */
  begun: number
  /** The first error of a game. */
  failed: { readonly error: unknown } | null
  /** Settles when the lobby is over. */
  readonly done: PromiseWithResolvers<undefined>
}

/**
 * Plays games at tables whose seats are filled as punters come, until the number of games has been played or the signal aborts; games that
 * have begun are played to their end. Throws ExpectedError if a port is not available or, after the other games that have begun,
 * if a game cannot be played.
 */
export async function playLobby(options: LobbyOptions): Promise<void> {
  const state: State = {
    options,
    limits: limitsSchema.parse({ ...game.matches.limits, ...options.limits }),
    notices: createNoticeLimit(options.onNotice),
    halls: [],
    gates: [],
    hallOf: new Map(),
    states: new Map(),
    playing: new Set(),
    begun: 0,
    failed: null,
    done: Promise.withResolvers(),
  }
  const { signal } = options
  const stop = (): void => {
    stopSeating(state)
    finishIfOver(state)
  }
  signal.addEventListener('abort', stop)
  try {
    const addresses: string[] = []
    for (const [port, tables] of portsOf(options)) {
      const address = await openHall(state, port, tables)
      for (const table of tables) addresses[table] = address
    }
    options.onOpen({
      addresses,
      names: (table) => state.hallOf.get(table)?.names(String(table)) ?? [],
      state: (table) => state.states.get(table) ?? null,
    })
    if (signal.aborted) stop()
    await state.done.promise
  } finally {
    signal.removeEventListener('abort', stop)
    state.notices.close()
    stopSeating(state)
    await Promise.all(state.gates.map((gate) => gate.close()))
  }
}

function stopSeating({ halls }: State): void {
  for (const hall of halls) hall.close(over)
}

function finishIfOver({ playing, failed, begun, done, options }: State): void {
  if (playing.size > 0) return
  if (failed !== null) done.reject(failed.error)
  else if (options.signal.aborted || begun >= options.games) done.resolve(undefined)
}

/** Begins a game at a table whose seats are taken. */
function begin(state: State, table: number, seated: readonly Seated[]): void {
  const { options, limits, playing, states } = state
  state.begun += 1
  // Clients that wait at another table would wait for nothing.
  if (state.begun >= options.games) stopSeating(state)
  const names = seated.map(({ name }) => name)
  const match = playSeated({
    config: options.config,
    seated,
    limits,
    onBegin: (begun) => states.set(table, begun),
    onPrinted: (punter, text) => options.onPrinted?.(table, punter, text),
  })
    .then((result) => options.onResult({ table, names, result }))
    .catch((error: unknown) => {
      state.failed ??= { error }
      stopSeating(state)
    })
    .finally(() => {
      playing.delete(match)
      states.delete(table)
      state.hallOf.get(table)?.clear(String(table))
      finishIfOver(state)
    })
  playing.add(match)
}

/** Opens a port for these tables. Returns its address. */
async function openHall(state: State, port: number, tables: readonly number[]): Promise<string> {
  const { options, limits, notices } = state
  const { punters, handshakeMs, onUnexpected } = options
  const hall = createHall({
    tables: tables.map((table) => ({ id: String(table), seats: punters, token: options.tables[table]!.token })),
    idleBytes: limits.messageBytes,
    strayMs: gateLimits.strayMs,
    onFull: (table, seated) => begin(state, Number(table), seated),
    onNotice: (table, text) =>
      notices.notice(table, options.tables.length === 1 ? text : `Table ${Number(table) + 1}: ${text}`),
  })
  state.halls.push(hall)
  for (const table of tables) state.hallOf.set(table, hall)
  const gate = await openTcpGate({
    ...listenAt(options.host, port),
    posts: punters * tables.length,
    messageBytes: limits.messageBytes,
    door: createDoor({
      dialogue,
      way: 'match',
      desk: hall,
      messageBytes: limits.messageBytes,
      limits: { signInMs: handshakeMs, waiting: gateLimits.waiting },
      onRefused: (address, text) => notices.notice(address, `A connection from ${address} was sent away: ${text}`),
    }),
    limits: { ...gateLimits, signInMs: handshakeMs },
    onUnexpected,
  })
  state.gates.push(gate)
  return gate.address
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
  onBegin(state: GameState): void
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
