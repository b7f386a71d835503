import * as z from 'zod'
import type { EntrantId } from '../ids.ts'

/** 0: any free port. */
const port = z.int().min(0).max(65_535)

/** The addresses at which agents on other machines connect to a contest, and how long to wait for them. Contains no secrets. */
export const arenaPlace = z
  .strictObject({
    /** An address of this machine. 127.0.0.1 is reachable only from this machine. */
    host: z
      .string()
      .max(255)
      .regex(/^([\w.-]+|[\da-f:.]+)$/i, 'expected an address of this machine, such as 127.0.0.1'),
    webSocket: port,
    /** The port for plain TCP; null: disabled. */
    tcp: port.nullable(),
    /** The port for the game's own protocol, if it has one; absent: disabled. */
    native: port.exactOptional(),
    waitMs: z.int().min(1_000).max(86_400_000),
  })
  .refine(({ webSocket, tcp }) => tcp === null || tcp === 0 || tcp !== webSocket, {
    path: ['tcp'],
    message: 'plain TCP needs a port of its own',
  })
  .refine(({ webSocket, tcp, native = 0 }) => native === 0 || (native !== webSocket && native !== tcp), {
    path: ['native'],
    message: "the game's own protocol needs a port of its own",
  })
export type ArenaPlace = z.infer<typeof arenaPlace>

/** The default: this machine only, by WebSocket, waiting for ten minutes. */
export const defaultArenaPlace: ArenaPlace = { host: '127.0.0.1', webSocket: 0, tcp: null, waitMs: 600_000 }

/** A post of a contest that is played from another machine. */
export interface NetworkPost {
  readonly entrant: EntrantId
  /** The number of the post among the entrant's, from 0. */
  readonly line: number
}

/** `awaited`: not connected yet. `here`: connected. `gone`: disconnected for good. */
export type PostState = 'awaited' | 'here' | 'gone'

/** The address for a game's own clients, and how they identify themselves. */
export interface NativeAddress {
  /** Such as `tcp://127.0.0.1:8091`. */
  readonly address: string
  readonly guide: string
}

/**
 * Credentials for the owners of network agents; shown once. Each credential is valid for one connection; in a
 * game's own protocol with a connection for each match, for all of these connections.
 */
export interface OpenArena {
  readonly addresses: readonly string[]
  /** Absent: the game's own clients cannot connect. */
  readonly native?: NativeAddress | undefined
  readonly credentials: readonly (NetworkPost & { readonly credential: string })[]
}

/** The arena of a contest as shown on all screens, without credentials. */
export interface ContestArena {
  /** The addresses at which it is opened when the contest is started. */
  readonly place: ArenaPlace
  /** null: not open. */
  readonly now: ArenaNow | null
}

export interface ArenaNow {
  /** Such as `ws://127.0.0.1:8090`. */
  readonly addresses: readonly string[]
  readonly native?: NativeAddress | undefined
  /** `DETAIL_MAX` at most, those that are not connected first. */
  readonly posts: readonly (NetworkPost & { readonly state: PostState })[]
  readonly total: number
  readonly here: number
  /** ms until the arena stops waiting for agents; null: all have connected. */
  readonly msLeft: number | null
  /** True until the credentials are requested; they are given out once. */
  readonly untold: boolean
}
