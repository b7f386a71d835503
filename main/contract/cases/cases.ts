import * as z from 'zod'
import { remedy } from '../contests/rulings.ts'
import { evidenceReference, RULE_CHARACTERS_MAX } from '../evidence/evidence-reference.ts'
import { entrantId, sha256Hex } from '../ids.ts'
import { teamId } from '../people/teams.ts'
import { line } from '../players/line.ts'

// A case: its parties, settings and questions. Its record is in case-record.ts (docs/hearings.md).

/** `case-` and its number in the class, from 1. */
export const caseId = z.string().regex(/^case-[1-9]\d{0,5}$/, 'expected case- and a number')
export type CaseId = z.infer<typeof caseId>

/** A person in one case: a random id, which says nothing about them in another case. Their name is looked up in the class. */
export const pseudonym = z.string().regex(/^[0-9a-f]{16}$/, 'expected 16 lower-case hex digits')
export type Pseudonym = z.infer<typeof pseudonym>

/** Text that the record can hold (RFC 8785 forbids lone surrogates). */
const textOf = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((text) => text.trim() !== '', 'a text has at least one character')
    .refine((text) => text.isWellFormed(), 'a lone surrogate (half of a character) is not allowed')

export const caseText = textOf(10_000)

/** Such a text that may be empty. */
export const remark = z
  .string()
  .max(2_000)
  .refine((text) => text.isWellFormed(), 'a lone surrogate (half of a character) is not allowed')

/** A time as the record has it: UTC, with milliseconds. */
export const moment = z.iso.datetime({ precision: 3 })

/** 256 random bits. */
export const nonce = z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 lower-case hex digits')

/** The two sides of a case. */
export const side = z.enum(['filer', 'other'])
export type Side = z.infer<typeof side>

/** A party by its public name; the educator acts for the class. */
export const party = z.discriminatedUnion('who', [
  z.strictObject({ who: z.literal('team'), team: teamId, name: entrantId }),
  z.strictObject({ who: z.literal('educator') }),
])
export type Party = z.infer<typeof party>

/** The object of a complaint. */
export const against = z.discriminatedUnion('what', [
  z.strictObject({ what: z.literal('agent'), name: entrantId }),
  /** An earlier ruling of the class. */
  z.strictObject({ what: z.literal('ruling'), case: caseId }),
  /** The administrator: how it ran the contest. */
  z.strictObject({ what: z.literal('administrator') }),
])
export type Against = z.infer<typeof against>

/** The rule that is said to be broken, with its words at that time. */
export const citedRule = z.strictObject({
  source: z.enum(['rulebook', 'security-policy']),
  /** Its number or name in the source. */
  id: line,
  text: textOf(RULE_CHARACTERS_MAX),
  /** SHA-256 of the text in UTF-8. */
  sha256: sha256Hex,
})
export type CitedRule = z.infer<typeof citedRule>

/** A piece of evidence, numbered in the record by the entry that brings it. */
export const exhibit = z.strictObject({ reference: evidenceReference, note: remark.default('') })
export type Exhibit = z.infer<typeof exhibit>

/** The stages with a deadline, in their order. */
export const timedStages = ['filed', 'answer', 'election', 'hearing', 'voting', 'opening', 'ruling', 'appeal'] as const
export type TimedStage = (typeof timedStages)[number]
/** `draw`: the panel is about to be drawn, by the program. */
export type Stage = TimedStage | 'draw' | 'closed'

/** True for the stages in which evidence is still heard, in an appeal, too. */
export const isBeforeVote = (stage: Stage): boolean =>
  stage === 'draw' || ['filed', 'answer', 'election', 'hearing'].includes(stage)

/** The ends of a case. `upheld`: the rule was broken. `unheard`: nobody was left to judge, and nobody ruled. */
export type CaseOutcome = 'dismissed' | 'withdrawn' | 'upheld' | 'rejected' | 'unheard'

/** In seconds, at most a year. */
const seconds = z.int().min(10).max(31_536_000)

export const panelKind = z.union([z.literal('all'), z.literal(3), z.literal(5), z.literal(7)])
export type PanelKind = z.infer<typeof panelKind>

export const caseSettings = z.strictObject({
  /** Live in class, or in writing. It changes the defaults of the times and how the room is shown. */
  mode: z.enum(['live', 'writing']),
  /** The time for each stage. */
  times: z.strictObject({
    filed: seconds,
    answer: seconds,
    election: seconds,
    hearing: seconds,
    voting: seconds,
    opening: seconds,
    ruling: seconds,
    appeal: seconds,
  }),
  /** `all`: all others of the class; a number: that many of them, by lot. */
  panel: panelKind,
  /** Those who volunteer are drawn before the others. */
  volunteersFirst: z.boolean(),
  chair: z.enum(['drawn', 'elected']),
  /** The part of the panel whose valid votes are needed, in percent. */
  quorum: z.int().min(1).max(100),
  /** The majority by which a rule counts as broken: more than half of the valid votes, or at least two thirds. */
  majority: z.enum(['half', 'two-thirds']),
  /** A tie is decided by the chair's vote. With two thirds there is no tie about the rule. */
  castingVote: z.boolean(),
  /** The names of the panel's members are hidden until the ruling. */
  hideNames: z.boolean(),
})
export type CaseSettings = z.infer<typeof caseSettings>

const MINUTE = 60
const DAY = 86_400
const common: Omit<CaseSettings, 'mode' | 'times'> = {
  ...{ panel: 'all', volunteersFirst: false, chair: 'drawn', quorum: 50 },
  ...{ majority: 'half', castingVote: true, hideNames: false },
}

/** Over days, or in a hearing of fifteen minutes (section 4.4). */
export const defaultSettings: Readonly<Record<CaseSettings['mode'], CaseSettings>> = {
  live: {
    ...{ ...common, mode: 'live' },
    times: {
      ...{ filed: 5 * MINUTE, answer: 3 * MINUTE, election: MINUTE, hearing: 6 * MINUTE },
      ...{ voting: 2 * MINUTE, opening: MINUTE, ruling: 2 * MINUTE, appeal: 2 * DAY },
    },
  },
  writing: {
    ...{ ...common, mode: 'writing' },
    times: {
      ...{ filed: 2 * DAY, answer: 3 * DAY, election: DAY, hearing: 4 * DAY },
      ...{ voting: 2 * DAY, opening: DAY, ruling: 2 * DAY, appeal: 3 * DAY },
    },
  },
}

/** The settings of a team's complaint. It is admitted by itself if nobody looks at it, so that staff always has days for that. */
export const teamSettings: Readonly<Record<CaseSettings['mode'], CaseSettings>> = {
  writing: defaultSettings.writing,
  live: {
    ...defaultSettings.live,
    times: { ...defaultSettings.live.times, filed: defaultSettings.writing.times.filed },
  },
}

/** The quorum that a team may not go below, in percent. */
const TEAM_QUORUM = 50

/** True if a team may file with these settings: times can only be longer than those of the mode. All else is for staff to set. */
export function areTeamSettings({ mode, times, quorum, ...rest }: CaseSettings): boolean {
  const own = teamSettings[mode]
  return (
    quorum >= TEAM_QUORUM &&
    timedStages.every((stage) => times[stage] >= own.times[stage]) &&
    (Object.keys(rest) as (keyof typeof rest)[]).every((name) => rest[name] === own[name])
  )
}

/** The consequence of a deadline that is missed, as a sentence. */
export const consequences: Readonly<Record<TimedStage, string>> = {
  filed: 'A case that nobody admits or dismisses in time is admitted, with the penalty that was asked for.',
  answer: 'Without an answer in time the hearing begins without one, and the lot is drawn.',
  election: 'The votes given so far elect the chair; without any the first one of the lot is the chair.',
  hearing: 'Questions without a reply stay open, and the vote begins.',
  voting:
    'Members who have not voted count as absent. Without a quorum the vote is repeated once; then the complaint fails, and of an appeal the ruling before it stays.',
  opening: 'A member who has not opened a vote counts as present and abstains. The record names them.',
  ruling: 'The result of the votes is the ruling, without reasons of the chair.',
  appeal: 'Without an appeal in time the ruling is final.',
}

/** The complaints that a team has in a term; one is given back when its case is won, or when nobody was left to judge it. */
export const COMPLAINTS_MAX = 2

/** The questions of a panel. The second one counts if the rule was broken. */
export const caseQuestion = z.enum(['broken', 'penalty'])
export type CaseQuestion = z.infer<typeof caseQuestion>

/** The remedies of one possible ruling; empty: none. */
export const penalty = z.array(remedy).max(8)
export type Penalty = z.infer<typeof penalty>

/** The penalties open to the panel, the mildest first; the first one is empty. */
export const penalties = z.array(penalty).min(1).max(8)
