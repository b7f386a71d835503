import type { SeatId } from '../ids.ts'

/** An action of one player that concerned another, in a situation comparable with others. */
export interface SeatEncounter {
  /** The kind of behaviour, in a few words for people; each kind is tested separately. */
  readonly about: string
  readonly seat: SeatId
  readonly other: SeatId
  /** Only encounters of the same kind and stratum are compared. */
  readonly stratum: string
  readonly value: number
  /** The index of the match's input in which it did so, from 0. */
  readonly input: number
  /** The action, in words for people. */
  readonly what: string
}
