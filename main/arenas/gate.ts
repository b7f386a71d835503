import type { NativeRequest } from '../contract/game/native-dialogue.ts'
import type { Link } from './socket-link.ts'
import { ExpectedError } from '../contract/expected-error.ts'

/** The address to listen on. */
export interface Listen {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
}

/** Limits that keep strangers from hurting a contest; ms and numbers. */
export interface GateLimits {
  /** From the connection to the sign-in. */
  readonly signInMs: number
  /** Connections at a time that have not signed in. */
  readonly waiting: number
  /** How often a WebSocket is asked whether anybody is there. */
  readonly heartbeatMs: number
  /** For last words. */
  readonly goodbyeMs: number
  /** In which a client without a name or a credential may come back, before its post is given to another one. */
  readonly graceMs: number
  /** The time that a client has for an answer that it still owes when its match is over. */
  readonly strayMs: number
}

/** Connections of a gate in all, those that are being closed among them. The others have limits of their own. */
export const connectionsMax = 10_000

export interface GateOptions extends Listen {
  readonly posts: number
  readonly messageBytes: number
  readonly door: Door
  readonly limits: GateLimits
  onUnexpected(error: unknown, doing: string): void
}

/** One way in. */
export interface Gate {
  /** Such as `ws://127.0.0.1:8090`. */
  readonly address: string
  close(): Promise<void>
}

/** Lets connections in. */
export interface Door {
  /**
   * Takes a connection that has just been made: it is let in, or sent away with words. `request`: of a WebSocket; null: it is a
   * plain one.
   */
  enter(link: Link, address: string, request: NativeRequest | null): void
  /** Cuts those that have not signed in. */
  close(): void
}

/** Host and port as an address has them. */
export function addressOf(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Says in words why a port cannot be had; returns any other error as it is. */
export function listenProblem(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new ExpectedError(
      'host',
      'port-unavailable',
      `Port ${port} is in use by another program: choose another one.`,
    )
  if (code === 'EACCES')
    return new ExpectedError(
      'host',
      'port-unavailable',
      `Port ${port} is reserved for the system: choose one from 1024 on.`,
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new ExpectedError('usage', 'address-invalid', `${host} is not an address of this machine.`)
  return error
}
