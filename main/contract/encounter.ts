import type { SeatId } from './ids.ts'

/** What one player did when another was concerned, in a situation that can be compared with others. */
export interface SeatEncounter {
  /** The kind of behaviour, in a few words for people; each kind is tested by itself. */
  readonly about: string
  readonly seat: SeatId
  readonly other: SeatId
  /** Compared are encounters of one kind and one stratum. */
  readonly stratum: string
  readonly value: number
  /** The input of the match in which it did so, from 0. */
  readonly input: number
  /** What it did, in words for people. */
  readonly what: string
}
