import * as z from 'zod'
import { line } from '../players/line.ts'

// The settings of the contest formats that every game has. The formats are modules in services/contests/formats.

/** The maximum number of players in a match: each is a separate process. */
export const SEATS_MAX = 100

/** Players per match; absent: as many as the game's contests have by default (`GameContests.seats`). */
const seats = z.int().min(1).max(SEATS_MAX).exactOptional()
/** The same where one player alone has no opponent. */
const seatsOfOpponents = z.int().min(2).max(SEATS_MAX).exactOptional()
const repeats = z.int().min(1).max(100_000)

/** Scenarios of a stage: a count of scenarios that are derived from the phrase, or a list of their numbers. */
const scenarios = z.union([
  z.int().min(1).max(100_000_000),
  z
    .array(
      z
        .int()
        .min(1)
        .max(2 ** 32 - 1),
    )
    .min(1)
    .max(100_000),
])

/** When a contest that goes on for as long as is needed is over. */
const until = z.strictObject({
  /** The number of entrants at the top that are to be better than all others. */
  top: z.int().min(1).max(10_000).default(1),
  confidence: z.number().min(0.5).max(0.999).default(0.95),
})

/**
 * How seats are dealt, in contests that begin now: everybody has each seat equally often or once more. Absent: the contest
 * is older, and each seat goes to the entrant of the match that has had it least.
 */
const seating = z.literal('even').exactOptional()

/** Every set of `seats` entrants plays `repeats` matches; seat orders are balanced. */
export const roundRobinSettings = z.strictObject({
  type: z.literal('round-robin'),
  seats,
  repeats: repeats.default(1),
  /** The contest ends before all repeats are played if the best are known. Absent: it does not. */
  until: until.exactOptional(),
  seating,
})
export type RoundRobin = z.infer<typeof roundRobinSettings>

/** Every set of `seats` entrants plays two matches, the second with the seats moved by one. */
export const doubleRoundRobinSettings = z.strictObject({ type: z.literal('double-round-robin'), seats, seating })
export type DoubleRoundRobin = z.infer<typeof doubleRoundRobinSettings>

/** The first entrants, the challengers, play all others; the others do not play one another. */
export const gauntletSettings = z.strictObject({
  type: z.literal('gauntlet'),
  seats: seatsOfOpponents,
  challengers: z.int().min(1).max(10_000).default(1),
  /** Matches of every other entrant with each challenger. */
  repeats: repeats.default(2),
})
export type Gauntlet = z.infer<typeof gauntletSettings>

/** In each round entrants meet others with about the same points whom they have not met. */
export const swissSettings = z.strictObject({
  type: z.literal('swiss'),
  seats: seatsOfOpponents,
  /** Absent: the least number that leaves one winner if no match is tied. */
  rounds: z.int().min(1).max(1_000).exactOptional(),
  /**
   * How pairs are made, in contests that begin now: with the least total gap in points. Absent: the contest is older, and
   * each entrant takes the nearest that is left.
   */
  pairing: z.literal('least-gap').exactOptional(),
})
export type Swiss = z.infer<typeof swissSettings>

/** The loser of an encounter of two is out. */
export const knockoutSettings = z.strictObject({
  type: z.literal('knockout'),
  /** The maximum number of matches in an encounter; it ends when the rest cannot change who wins it. */
  bestOf: z
    .int()
    .min(1)
    .max(99)
    .refine((count) => count % 2 === 1, 'an odd number is expected')
    .default(3),
  /** The losers of the semi-finals play for third place. */
  thirdPlace: z.boolean().default(true),
  /** `listed`: the entrants are listed strongest first. `drawn`: their order is drawn from the contest's seed. */
  seeding: z.enum(['listed', 'drawn']).default('listed'),
  /**
   * The rule for an encounter in which both have won equally often and have equal points. `play-on`: further matches, two at a
   * time; `score`: the higher score in the encounter; `seed`: the better seed. Absent: the contest is older; as `score`.
   */
  ties: z.enum(['play-on', 'score', 'seed']).exactOptional(),
})
export type Knockout = z.infer<typeof knockoutSettings>

/** The pyramid: entrants join in the order of the list, and each plays all that are there already. */
export const ladderSettings = z.strictObject({
  type: z.literal('ladder'),
  seats: seatsOfOpponents,
  /** Matches of a new entrant with each of those before it. */
  repeats: repeats.default(2),
})
export type Ladder = z.infer<typeof ladderSettings>

/** Random tables at which all play equally often. */
export const poolsSettings = z.strictObject({
  type: z.literal('pools'),
  seats: seatsOfOpponents,
  /** Matches of each entrant that count. */
  games: z.int().min(1).max(1_000_000).default(8),
  /** The last entrants of the list that only fill tables; without enough of them, others are drafted. */
  house: z.int().min(0).max(10_000).default(0),
})
export type Pools = z.infer<typeof poolsSettings>

/** One match of all entrants, seated in the order of the list. */
export const singleSettings = z.strictObject({ type: z.literal('single') })

/**
 * The tournament of 2018: every ordered pair plays once on each seed; then the finalists play each other on further
 * seeds. Finalists are ranked by their scores against one another in both stages.
 */
export const orderedPairsSettings = z.strictObject({
  type: z.literal('ordered-pairs'),
  seeds: scenarios.default(500),
  /** How many entrants reach the final; 0: there is none. */
  finalists: z.int().min(0).max(10_000).default(50),
  finalSeeds: scenarios.default(500),
  /**
   * The rule for entrants whose scores are equal at the cut. `play-on`: each ordered pair of them plays a further scenario, up
   * to four times; `seed`: the order of the list. Absent: the contest is older; as `seed`.
   */
  ties: z.enum(['play-on', 'seed']).exactOptional(),
  /** A published text from which the seeds are derived; absent: the contest's seed. */
  phrase: line.exactOptional(),
})
export type OrderedPairs = z.infer<typeof orderedPairsSettings>
