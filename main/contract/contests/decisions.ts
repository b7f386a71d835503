import * as z from 'zod'
import { contestId, entrantId, newName, sha256Hex, type EntrantId } from '../ids.ts'
import { line } from '../players/line.ts'
import { ruling } from './rulings.ts'

// Decisions of the educator about a contest that has begun, or is about to, and rulings of hearings about it. They are part
// of its history, so that anybody can recompute its schedule and its standings.

/** The maximum number of decisions about one contest. */
export const DECISIONS_MAX = 10_000

/**
 * How the withdrawal of an entrant is treated, by the rule of the contest's format.
 * `annulled`: none of its results count.
 * `forfeited`: its results count, and its opponents win the matches that are left.
 * `kept`: its results count, and it is not paired any more; an opponent in the round that is being played gets a bye.
 * `advanced`: its opponent goes on to the next round.
 * `removed`: results against it count, it is listed after all others, and the matches that are left are not played.
 */
const withdrawalTreatment = z.enum(['annulled', 'forfeited', 'kept', 'advanced', 'removed'])
export type WithdrawalTreatment = z.infer<typeof withdrawalTreatment>

/** Absent: the educator gave none. */
const reason = line.exactOptional()

/** The tables of one round, by names in seat order, and those with a bye. `round`: from 1. */
export const roundPairing = z.strictObject({
  round: z.int().min(1).max(100_000),
  tables: z.array(z.array(entrantId).min(1).max(1_000)).max(10_000),
  byes: z.array(entrantId).max(10_000).default([]),
})
export type RoundPairing = z.infer<typeof roundPairing>

const decision = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('withdraw'), entrant: entrantId, treatment: withdrawalTreatment, reason }),
  /** An agent that enters late: it plays in the stages that have not begun. */
  z.strictObject({ type: z.literal('enter'), entrant: z.strictObject({ name: entrantId, agent: sha256Hex }), reason }),
  /** The pairing of a round that has not begun; the latest one for a round holds. */
  z.strictObject({ type: z.literal('pair'), ...roundPairing.shape, reason }),
  /**
   * A contest that repeats another one (`of`) went differently before a decision about that one: it goes on without the
   * decisions that were left, whose number is `left`.
   */
  z.strictObject({ type: z.literal('accept'), of: contestId, left: z.int().min(1).max(DECISIONS_MAX), reason }),
  /** A ruling of a hearing: it changes what is counted, from the first match on, and nothing else. */
  z.strictObject({ type: z.literal('ruling'), ruling }),
])
export type Decision = z.infer<typeof decision>

/** A decision as a person asks for it; what it means follows from the contest. */
export const decisionWish = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('withdraw'), entrant: entrantId, reason }),
  /** `name`: of the entrant; absent: that of the agent. */
  z.strictObject({ type: z.literal('enter'), agent: sha256Hex, name: newName.exactOptional(), reason }),
  z.strictObject({ type: z.literal('pair'), ...roundPairing.shape, reason }),
  z.strictObject({ type: z.literal('accept'), reason }),
])
export type DecisionWish = z.infer<typeof decisionWish>

/** The kinds of decisions that a contest allows now. */
export interface PossibleDecisions {
  readonly withdraw: boolean
  readonly enter: boolean
  /** The round, from 1, that can be paired; null: none can. */
  readonly pair: number | null
  /** It went differently than the one that it repeats, before a decision about that one. */
  readonly accept: boolean
}

/** The decisions that a contest allows while it is over or runs. */
export const noDecisions: PossibleDecisions = { withdraw: false, enter: false, pair: null, accept: false }

/** The round of a contest that has not begun, for the educator who pairs it. */
export interface NextRound {
  /** From 1. */
  readonly round: number
  /** Players at a table. */
  readonly seats: number
  /** Those who can be paired, best first. */
  readonly entrants: readonly { readonly name: EntrantId; readonly points: number; readonly byes: number }[]
  /** The opponents that each entrant has met. */
  readonly met: Readonly<Record<EntrantId, readonly EntrantId[]>>
  /** The pairing that holds now; null: the round before is not over, so there is none yet. */
  readonly pairing: Pick<RoundPairing, 'tables' | 'byes'> | null
  /** True if that pairing is the educator's. */
  readonly byHand: boolean
}

/**
 * A decision with its position in the contest. `stage`: the first stage, from 0, none of whose matches was over.
 * `matches`: the number of finished matches before it. From there on matches are played, paired and counted by it.
 */
export const placedDecision = z.strictObject({
  stage: z.int().min(0),
  matches: z.int().min(0),
  decision,
})
export type PlacedDecision = z.infer<typeof placedDecision>
