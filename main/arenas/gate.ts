import type { SignIn } from './sign-in.ts'

/** Where to listen. */
export interface Listen {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
}

/** What keeps strangers from hurting a contest; ms and numbers. */
export interface GateLimits {
  /** From the connection to the sign-in. */
  readonly signInMs: number
  /** Connections at a time that have not signed in. */
  readonly waiting: number
  /** How often a WebSocket is asked whether anybody is there. */
  readonly heartbeatMs: number
  /** For last words. */
  readonly goodbyeMs: number
}

export interface GateOptions extends Listen {
  readonly posts: number
  readonly messageBytes: number
  readonly desk: SignIn
  readonly limits: GateLimits
  onUnexpected(error: unknown, doing: string): void
}

/** One way in. */
export interface Gate {
  /** Such as `ws://127.0.0.1:8090`. */
  readonly address: string
  close(): Promise<void>
}
