import * as z from 'zod'
import { entrantId, matchNumber, sha256Hex, type MatchNumber } from '../ids.ts'

// Rulings of hearings as a contest counts them. A contest does not know cases: it is told the remedies of a ruling, and
// where the ruling stands. They change what is counted, never what was played or who met whom.

/** The maximum number of remedies of one ruling. */
const REMEDIES_MAX = 100

/** The largest number of points that a ruling gives or takes, and the largest award. */
const RULED_POINTS_MAX = 1_000_000_000

/** At most six decimals, so that sums do not depend on the order of rulings. */
const points = z
  .number()
  .min(-RULED_POINTS_MAX)
  .max(RULED_POINTS_MAX)
  .refine((value) => value !== 0 && Number(value.toFixed(6)) === value, 'expected a number with at most six decimals')

/**
 * The consequences of a ruling for an entrant or a match of a contest.
 * `none` and `warning` change no number.
 * `points`: added to (or, below zero, taken from) the points of the entrant's row of the standings, in the unit of that column.
 * `energy`: added to (or, below zero, taken from) the entrant's energy in a match of a game that has energy; places follow from it.
 * `annul`: the match counts for nobody. `playAgain`: once all matches of the schedule are over it is played again, with a number and a seed
 * of its own, and counts in the place of the first one; until then the standings say that it is pending.
 * `forfeit`: the entrant comes last in these of its matches; `all`: in all of them, also those that follow.
 * `removal`: as `forfeit` of all matches, and the entrant is listed after all others.
 * `award`: for a reported exploit (section 4.4), in the unit of the game's scores. It is outside of every match and is
 * not added to points, as the bounties of a practice contest.
 */
export const remedy = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  z.strictObject({ type: z.literal('warning'), entrant: entrantId }),
  z.strictObject({ type: z.literal('points'), entrant: entrantId, points }),
  z.strictObject({ type: z.literal('energy'), entrant: entrantId, match: matchNumber, energy: points }),
  z.strictObject({ type: z.literal('annul'), match: matchNumber, playAgain: z.boolean() }),
  z.strictObject({
    type: z.literal('forfeit'),
    entrant: entrantId,
    matches: z.union([z.literal('all'), z.array(matchNumber).min(1).max(10_000)]),
  }),
  z.strictObject({ type: z.literal('removal'), entrant: entrantId }),
  z.strictObject({ type: z.literal('award'), entrant: entrantId, amount: z.int().min(1).max(RULED_POINTS_MAX) }),
])
export type Remedy = z.infer<typeof remedy>

/** The name of a case, as its record has it. */
const caseName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,79}$/, 'expected lower-case letters, digits and hyphens')

/** A ruling as it is entered. A ruling of an appeal that reverses an earlier one of the contest names its number. */
const newRuling = z.strictObject({
  case: caseName,
  /** The hash of the ruling's entry in the record of the case. */
  entry: sha256Hex,
  remedies: z.array(remedy).max(REMEDIES_MAX),
  /** When it was given. */
  at: z.iso.datetime(),
  /** The ruling that no longer counts. Absent: none. */
  reverses: z.int().min(1).exactOptional(),
})
export type NewRuling = z.infer<typeof newRuling>

/** A ruling as the files of a contest have it. */
export const ruling = z.strictObject({
  /** From 1, in the order in which the contest was told. */
  number: z.int().min(1),
  ...newRuling.shape,
})
export type Ruling = z.infer<typeof ruling>

/** A ruling with what has become of it. */
export interface CountedRuling extends Ruling {
  /** The later ruling by which it does not count; absent: it counts. */
  readonly reversedBy?: number
}

/** A match that a ruling has annulled, and the number of the one that was played in its place. */
export interface ReplayedMatch {
  readonly match: MatchNumber
  readonly as: MatchNumber
}

/** The rulings about a contest, beside its results after them. T: the same results as they were played. */
export interface RuledResults<T> {
  /** The number of the newest ruling: these are the results after it. */
  readonly after: number
  /** Oldest first. */
  readonly rulings: readonly CountedRuling[]
  /** Annulled matches that are still to be played again, ascending. */
  readonly toPlayAgain: readonly MatchNumber[]
  /** Annulled matches that were played again: these count in their place. */
  readonly replayed: readonly ReplayedMatch[]
  /** Annulled matches whose new match has become void: they count for nobody. */
  readonly replayedVoid: readonly ReplayedMatch[]
  readonly asPlayed: T
}
