import * as z from 'zod'
import { contestId } from '../ids.ts'
import { lateDays, LATE_DAYS_MAX } from './closing-time.ts'
import { personId } from './people.ts'

/** The maximum length of a team's note on a version. */
export const NOTE_MAX = 500

/** Limits of what a class keeps for its teams. */
export const quotas = z.strictObject({
  /** MB of the files that a team has handed in, and of those of all teams. Receipts name them, so that none is ever dropped. */
  teamMegabytes: z.int().min(1).max(1_000_000),
  allMegabytes: z.int().min(1).max(10_000_000),
  /** Uploaded files of a person that wait to be handed in, and their MB; beyond either, their oldest ones are dropped. */
  uploadedFiles: z.int().min(1).max(1_000),
  uploadedMegabytes: z.int().min(64).max(100_000),
  /** Files of a team that are only judged, in an hour; 0: none are. */
  looksAnHour: z.int().min(0).max(1_000),
})
export type Quotas = z.infer<typeof quotas>

export const usualQuotas: Quotas = {
  ...{ teamMegabytes: 2 * 1_024, allMegabytes: 40 * 1_024, uploadedFiles: 10, uploadedMegabytes: 128, looksAnHour: 20 },
}

/** The limits of the build step of a package. */
export const buildLimits = z.strictObject({
  /** Wall-clock seconds. */
  seconds: z.int().min(10).max(600),
  /** MB of memory of all its processes together. */
  memoryMb: z.int().min(256).max(65_536),
})
export type BuildLimits = z.infer<typeof buildLimits>

export const usualBuildLimits: BuildLimits = { seconds: 60, memoryMb: 2_048 }

/** The rules of a class for handing in. */
export const handInRules = z.strictObject({
  /** Per team and day, by the clocks of the class's time zone; null: no limit. */
  attemptsADay: z.int().min(1).max(1_000).nullable(),
  /** Late days of each student in the term. */
  lateDays: z.int().min(0).max(LATE_DAYS_MAX),
  /** Practice matches per team and day; 0: there is no practice. */
  practiceADay: z.int().min(0).max(1_000).default(20),
  /** Students may play by hand in the window, against agents that ship and those of their team. */
  playByHand: z.boolean().default(false),
  quotas: quotas.default(usualQuotas),
  builds: buildLimits.default(usualBuildLimits),
})
export type HandInRules = z.infer<typeof handInRules>

export const usualRules: HandInRules = handInRules.parse({ attemptsADay: null, lateDays: 0 })

/** Some of the rules, to change them; the others stay. Without defaults. */
export const handInRulesChange = z
  .strictObject({
    attemptsADay: handInRules.shape.attemptsADay,
    lateDays: handInRules.shape.lateDays,
    practiceADay: handInRules.shape.practiceADay.unwrap(),
    playByHand: handInRules.shape.playByHand.unwrap(),
    quotas,
    builds: buildLimits,
  })
  .partial()
export type HandInRulesChange = z.infer<typeof handInRulesChange>

/** The rules after a change. */
export function withRules(rules: HandInRules, change: HandInRulesChange): HandInRules {
  const named = Object.entries(change).filter(([, value]) => value !== undefined)
  return { ...rules, ...Object.fromEntries(named) }
}

/** How a version of a team's agent was handed in. */
export const handInRecord = z.strictObject({
  /** The number of its receipt. */
  receipt: z.int().min(1),
  /** null: the person at the program's machine, for the team. */
  by: personId.nullable(),
  contest: contestId.nullable(),
  time: z.enum(['on-time', 'late', 'kept']),
  /** The receipts of other hand-ins of the same bytes as a version of this agent. Absent: there are none. */
  again: z.array(z.int().min(1)).exactOptional(),
  /** The late days that it uses. Absent: none. */
  uses: lateDays.exactOptional(),
  /** By the team. */
  note: z.string().max(NOTE_MAX).exactOptional(),
})

export type HandInRecord = z.infer<typeof handInRecord>

/** True if a version was handed in with a receipt, at first or again. */
export function hasReceipt(record: HandInRecord | undefined, receipt: number): boolean {
  return record !== undefined && (record.receipt === receipt || record.again?.includes(receipt) === true)
}

/**
 * Why a version does not play. `candidate`: its trial has not passed, or the closing time of its contest has not come. `withdrawn`: by
 * the team. `paused`: by the educator. `kept`: it was handed in too late.
 */
export const inactiveState = z.enum(['candidate', 'withdrawn', 'paused', 'kept'])
export type InactiveState = z.infer<typeof inactiveState>

/**
 * The state of a hand-in. `received`: its file is safe. `waiting`: it was accepted and waits for its trial. `refused`: its file is not
 * an agent. `void`: this machine could not judge it, so it does not count as an attempt.
 */
export const attemptState = z.enum(['received', 'waiting', 'passed', 'failed', 'refused', 'void'])
export type AttemptState = z.infer<typeof attemptState>
