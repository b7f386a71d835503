import type { ContestId, EntrantId, GameId, MatchNumber, SeatId, Sha256 } from '../ids.ts'
import type { MatchFacts } from '../histories/history.ts'
import type { Json } from '../json.ts'
import type { Outcome } from '../game/outcome.ts'
import type { Audience } from '../game/table.ts'
import type { Fault } from '../faults.ts'
import type { OutlineMark, OutlineSwing } from '../game/outline.ts'
import type { Signer } from '../histories/trusted-keys.ts'

// The results of procedures about matches and their histories.

export interface MatchSummary {
  readonly contest: ContestId
  /** The contest's. */
  readonly title: string
  /** The contest is practice; absent: it counts. */
  readonly practice?: true
  readonly match: MatchNumber
  readonly seats: readonly {
    readonly name: EntrantId
    /** The name of the class's agent that it is; null: none, such as a person. */
    readonly agent: EntrantId | null
    readonly rank: number
    /** In the unit of the game's tables. */
    readonly score: number
    readonly removed: boolean
  }[]
  readonly faults: number
  /** True if it was found genuine; null: it was not verified since this classroom was opened, or has changed since. */
  readonly genuine: boolean | null
}

/** Filters for lists of histories. */
export interface HistoryFacets {
  /** Games that were played, and what their matches were about, such as the names of challenges. */
  readonly games: readonly { readonly game: GameId; readonly subjects: readonly string[] }[]
  /** Names of those who played, at most 1,000. */
  readonly players: readonly EntrantId[]
}

/** The result of verifying many histories. */
export interface VerifiedMany {
  readonly genuine: number
  /**
   * Those that are not genuine or could not be verified, with the reason; at most 100. `match` is null if none of the
   * contest's histories could be looked up: they count as one.
   */
  readonly bad: readonly { readonly contest: ContestId; readonly match: MatchNumber | null; readonly message: string }[]
  /** The number of all those. */
  readonly others: number
}

export interface MatchDetail {
  /** The name of the opened file; null: the match belongs to a contest of this class. */
  readonly fileName: string | null
  readonly facts: MatchFacts
  /** The complete config; with facts.seats and `seed` it determines the initial state of the rules. */
  readonly config: Json
  readonly seed: Sha256
  readonly outcome: Outcome
  /**
   * The number of events; an upper bound for a long match that is not indexed yet (`matches.outline` finds the end).
   */
  readonly events: number
}

/** A line of a match's history that a viewer shows or applies. `n`: its place in the run. */
export type MatchEvent = { readonly n: number; readonly at: number } &
  /** `audience`: who could read it while the match ran; absent: everybody. */
  (
    | { readonly kind: 'input'; readonly input: Json; readonly audience?: Audience }
    | { readonly kind: 'fault'; readonly seat: SeatId; readonly fault: Fault }
    | { readonly kind: 'console'; readonly seat: SeatId; readonly text: string }
  )

/** An event, by its index in the match, and who could read it while the match ran. */
export interface RestrictedEvent {
  readonly event: number
  readonly audience: Audience
}

/**
 * The events of a match from `from` on as parallel lists of numbers, for event lists and charts. The program computes
 * them by replaying the match, which takes a while for a long one.
 */
export interface OutlinePage {
  readonly from: number
  /** ms on the match clock. */
  readonly at: readonly number[]
  readonly round: readonly number[]
  /** -1: none. */
  readonly seat: readonly number[]
  /** Number of lines that the event needs in a list, at least 1. */
  readonly lines: readonly number[]
  /** The level of each seat after each event: one number for each seat, event by event. */
  readonly levels: readonly number[]
  readonly marks: readonly (OutlineMark & { readonly event: number })[]
  /** Those that are among the largest of the match up to these events. */
  readonly swings: readonly (OutlineSwing & { readonly event: number })[]
  /** Those of these events that were not public while the match ran. */
  readonly restricted: readonly RestrictedEvent[]
  /** The level of each seat at the beginning. */
  readonly initial: readonly number[]
  /** Positions after `from`, up to that of the last of these events, for which there is a saved state. */
  readonly states: readonly number[]
  /** No events follow: the match ends here, or it cannot be replayed any further and `broken` gives the reason. */
  readonly last: boolean
  readonly broken: string | null
}

/** The result of a verification as shown to people. A history is genuine if it is `ok` and its signer is known. */
export type HistoryVerdict =
  | {
      readonly ok: true
      readonly contest: ContestId
      readonly match: MatchNumber
      readonly signer: Signer
      readonly replayed: boolean
      /** The seats whose agents are entries of other schools, by the signed statements of these. */
      readonly entries: readonly VerifiedEntry[]
      /** The checks that passed, one sentence each; `notes`: those that could not be made. */
      readonly checked: readonly string[]
      readonly notes: readonly string[]
    }
  | Refuted

/** A seat whose agent a school has entered: it signed a statement about the very package that played. */
export interface VerifiedEntry {
  readonly seat: SeatId
  /** The entrant's name in the contest. */
  readonly name: EntrantId
  /** The school's name of the agent, and of itself. */
  readonly pseudonym: EntrantId
  readonly school: string
  readonly agent: Sha256
  /** When the school had got this version, ISO 8601. */
  readonly submitted: string
  /** The owner of the key; without a name here, nothing is proven. */
  readonly signer: Signer
}

/** A history that is not genuine. All of its texts are from a file that nobody vouches for. */
export interface Refuted {
  readonly ok: false
  /** The first bad line, from 1; one after the last line if something is missing at the end. */
  readonly line: number
  readonly message: string
  /** Two values that differ: the one that follows from the rest of the file or from the rules, and that of the line. */
  readonly expected?: string
  readonly found?: string
  /** The number of the match's events up to and including this line, at which viewers show it. */
  readonly events: number
  /** The beginning of the line; null: the file ends before it. */
  readonly text: string | null
}
