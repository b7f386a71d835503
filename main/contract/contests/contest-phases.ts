import * as z from 'zod'
import { contestId } from '../ids.ts'

/** The maximum number of phases of a contest. */
export const PHASES_MAX = 10

/** How much the results of a phase count. */
export const phaseWeight = z.number().min(0).max(1_000)

/**
 * The phase of a longer contest that a contest is: after the first results the rules change, entries may be adapted, and the
 * results of all phases count with weights. Each phase is a contest with histories, seed and pinned agents of its own.
 */
export const contestPhase = z.strictObject({
  /** The contest that is the phase before; it has ended. */
  after: contestId,
  /** The weights of all phases up to this one, oldest first. */
  weights: z.array(phaseWeight).min(2).max(PHASES_MAX),
})

/** A moment with its time zone, such as `2026-06-01T18:00:00Z`. */
export const moment = z.iso.datetime({ offset: true, error: 'expected a time such as "2026-06-01T18:00:00Z"' })
