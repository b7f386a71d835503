import { z } from 'zod'
import type { EntrantId } from './ids.ts'

/** 0: any that is free. */
const port = z.int().min(0).max(65_535)

/** Where agents of other machines connect to a contest, and how long they are waited for. Nothing in it is a secret. */
export const arenaPlace = z
  .strictObject({
    /** An address of this machine. On 127.0.0.1 nothing but programs of this machine gets there. */
    host: z
      .string()
      .max(255)
      .regex(/^([\w.-]+|[\da-f:.]+)$/i, 'expected an address of this machine, such as 127.0.0.1'),
    webSocket: port,
    /** Plain TCP as well; null: not. */
    tcp: port.nullable(),
    /** The game's own protocol, where it has one; absent: not. */
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

/** Where nobody has said anything else: this machine alone, by WebSocket. */
export const usualPlace: ArenaPlace = { host: '127.0.0.1', webSocket: 0, tcp: null, waitMs: 600_000 }

/** A post of a contest that is played from another machine. */
export interface NetworkPost {
  readonly entrant: EntrantId
  /** Which of the entrant's posts, from 0. */
  readonly line: number
}

/** `awaited`: nobody has come yet. `gone`: nobody will come any more. */
export type PostState = 'awaited' | 'here' | 'gone'

/** Where a game's own clients connect, and how they say who they are. */
export interface NativeAddress {
  /** Such as `tcp://127.0.0.1:8091`. */
  readonly address: string
  readonly guide: string
}

/**
 * What has to be told, once, to the people whose agents connect. Each credential is good for one connection; to a game's own
 * protocol, where a connection is for one match, for all of them.
 */
export interface OpenArena {
  readonly addresses: readonly string[]
  /** Absent: the game's own clients cannot connect. */
  readonly native?: NativeAddress | undefined
  readonly credentials: readonly (NetworkPost & { readonly credential: string })[]
}

/** The arena of a contest as every screen may see it: without credentials. */
export interface ContestArena {
  /** Where it is when the contest is run. */
  readonly place: ArenaPlace
  /** null: it is not open. */
  readonly now: ArenaNow | null
}

export interface ArenaNow {
  /** Such as `ws://127.0.0.1:8090`. */
  readonly addresses: readonly string[]
  readonly native?: NativeAddress | undefined
  /** `DETAIL_MAX` at most; of more, those first that are not here. */
  readonly posts: readonly (NetworkPost & { readonly state: PostState })[]
  readonly total: number
  readonly here: number
  /** ms until nobody is waited for any more; null: everybody has come. */
  readonly msLeft: number | null
  /** Whether the credentials can still be asked for: they are told once. */
  readonly untold: boolean
}
