import type { EntrantId, MatchNumber, Sha256 } from '../../contract/ids.ts'

/** A match that is to be played. */
export interface Ticket {
  readonly match: MatchNumber
  /** From 1; a host fault makes the next. */
  readonly attempt: number
  readonly seed: Sha256
  readonly entrants: readonly { readonly name: EntrantId; readonly agent: Sha256 }[]
  /** It is played for comparison, in fresh processes: nothing of it is kept. */
  readonly isReplay?: true
  /** Somebody plays whom nobody can ask to play it again: a match that is void stays so. */
  readonly noRetry?: true
  /** Entrants who can be in one match at a time only: each has one connection. */
  readonly engaged?: readonly EntrantId[]
}

/** Tickets in the order in which they are to be played; a list is one. */
export interface Tickets {
  readonly length: number
  /** Makes the ticket of an index from 0 to below `length`, when its turn has come; undefined: that one need not be played. */
  at(index: number): Ticket | undefined
  /** Absent: the list is complete. */
  readonly growing?: {
    /** Whether more may come. */
    open(): boolean
    /** `listener` is called when `length` has grown, and when nothing more can come. */
    onChange(listener: () => void): void
  }
}
