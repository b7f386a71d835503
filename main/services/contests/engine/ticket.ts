import type { EntrantId, MatchNumber, SeatId, Sha256 } from '../../../contract/ids.ts'

/** A match to play. */
export interface Ticket {
  readonly match: MatchNumber
  /** From 1; increases after a host fault. */
  readonly attempt: number
  readonly seed: Sha256
  readonly entrants: readonly { readonly name: EntrantId; readonly agent: Sha256 }[]
  /** See `MatchJob.variant`. */
  readonly variant?: number | undefined
  /** Seats whose processes have been killed from outside so often in this match that the next time is their crash. */
  readonly crashing?: readonly SeatId[]
  /** See `MatchJob.voided`. */
  readonly voided?: string
  /** The match is played again in fresh processes for comparison; it is not recorded. */
  readonly isReplay?: true
  /** A remote player takes part who cannot be asked to play again: a void match stays void. */
  readonly noRetry?: true
  /** Entrants that can play only one match at a time, because each has one connection. */
  readonly engaged?: readonly EntrantId[]
}

/** Tickets in playing order; an array is one. */
export interface Tickets {
  readonly length: number
  /** Creates the ticket at an index from 0 to below `length`; undefined: this match need not be played. */
  at(index: number): Ticket | undefined
  /** For a list that may still grow; absent: the list is complete. */
  readonly growing?: {
    /** True while tickets may still be added. */
    open(): boolean
    /** Calls `listener` when `length` has grown, and when no more tickets can be added. */
    onChange(listener: () => void): void
  }
}
