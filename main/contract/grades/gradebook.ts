import * as z from 'zod'
import type { CaseId } from '../cases/cases.ts'
import { contestId, type ContestId } from '../ids.ts'
import { personId, type PersonId } from '../people/people.ts'
import { line } from '../players/line.ts'
import type { Explanation } from './grade-words.ts'
import { SCHEME_CHARACTERS_MAX, type Band, type SchemeProblem } from './schemes.ts'

/** The text of a scheme; see docs/grades.md. */
export const schemeText = z.string().max(SCHEME_CHARACTERS_MAX)

const explanation: z.ZodType<Explanation> = z.strictObject({
  text: z.string(),
  value: z.number(),
  isDropped: z.boolean(),
  get parts() {
    return z.array(explanation)
  },
})

/** A grade that an educator has given by hand; it stands beside the computed one and counts instead. */
export const manualGrade = z.strictObject({
  value: z.number().min(-1_000_000).max(1_000_000),
  reason: line.regex(/\S/, 'a reason is missing'),
})
export type ManualGrade = z.infer<typeof manualGrade>

/** The label of a band; null: the scheme has no bands, or the grade is below all of them. */
const bandLabel = z.string().nullable()

const computedGrade = z.strictObject({ value: z.number(), band: bandLabel, explanation })
/** A grade by a scheme, with its explanation. */
export type ComputedGrade = z.infer<typeof computedGrade>

const bandedGrade = z.strictObject({ ...manualGrade.shape, band: bandLabel })
/** A grade by hand with its band in a scheme. */
export type BandedGrade = z.infer<typeof bandedGrade>

const releasedGrade = z.strictObject({ person: personId, computed: computedGrade, manual: bandedGrade.nullable() })

const release = z.strictObject({
  at: z.iso.datetime(),
  /** The scheme by which the grades were computed, and are computed again to find changes. */
  scheme: schemeText,
  /** The ids of the contests that the scheme named, by those names. */
  contests: z.record(z.string(), contestId).default({}),
  grades: z.array(releasedGrade),
})
/** Grades as students see them since a moment. */
export type Release = z.infer<typeof release>

/** The number of the form of `gradebook.json`. */
export const GRADEBOOK_FORM = 1

/** `gradebook.json` in the data folder: the decisions of educators about grades. Everything else is computed from the record. */
export const gradebookFile = z.strictObject({
  format: z.literal(`tartaglia-gradebook/${GRADEBOOK_FORM}`),
  /** Empty: none yet. */
  scheme: schemeText,
  manual: z.array(z.strictObject({ person: personId, ...manualGrade.shape })),
  /** null: nothing was released. */
  release: release.nullable(),
  /** The releases before it, oldest first. */
  earlier: z.array(release).default([]),
})
export type GradebookFile = z.infer<typeof gradebookFile>

/** Contests and cases that would count, but cannot be read. */
export interface Unreadable {
  readonly contests: readonly ContestId[]
  readonly cases: readonly CaseId[]
}

/** A contest, by its id and title. */
interface NamedContest {
  readonly contest: ContestId
  readonly title: string
}

/** The grades by a scheme that may not be kept. */
export interface SchemePreview {
  readonly problems: readonly SchemeProblem[]
  readonly bands: readonly Band[]
  /** Contests that the scheme names and that have not ended: they count nothing yet. */
  readonly toCome: readonly NamedContest[]
  /** Empty if the scheme has problems. */
  readonly grades: readonly ({ readonly person: PersonId } & ComputedGrade)[]
}

/** A release, and the grades that it changed. */
export interface ReleaseSummary {
  /** ISO 8601. */
  readonly at: string
  readonly grades: number
  /** True: its scheme was another one than that of the release before. */
  readonly isOtherScheme: boolean
  /** The grades that counted before and since, of those for whom they differ. Empty for the first release. */
  readonly changes: readonly {
    readonly person: PersonId
    /** '': they have left the class. */
    readonly name: string
    /** null: nothing was released to them. */
    readonly before: GradeInShort | null
    readonly after: GradeInShort | null
  }[]
}
type GradeInShort = Pick<ComputedGrade, 'value' | 'band'>

/** A student in the gradebook. */
export interface GradebookRow {
  readonly person: PersonId
  readonly name: string
  /** The name of their team; null: none. */
  readonly team: string | null
  /** By the scheme; null: there is none, or it has problems. */
  readonly computed: ComputedGrade | null
  readonly manual: BandedGrade | null
  /** As the student sees it; null: nothing was released to them. */
  readonly released: { readonly computed: ComputedGrade; readonly manual: BandedGrade | null } | null
  /**
   * The grade that would count now, by hand or by the scheme of the release and the record as it is, if that differs from the one that was
   * released; else null.
   */
  readonly changedTo: ComputedGrade | BandedGrade | null
}

export interface Gradebook {
  /** Another text after each decision. */
  readonly version: string
  readonly scheme: string
  readonly problems: readonly SchemeProblem[]
  readonly bands: readonly Band[]
  /** As in a preview. */
  readonly toCome: SchemePreview['toCome']
  /** By name. */
  readonly rows: readonly GradebookRow[]
  readonly release: {
    /** ISO 8601. */
    readonly at: string
    /** False: another scheme has been kept since. */
    readonly isByScheme: boolean
    /** False: the scheme of the release has a problem now, or something cannot be read, so that changes cannot be found. */
    readonly isComparable: boolean
  } | null
  /** All releases, the newest first. */
  readonly releases: readonly ReleaseSummary[]
  readonly unreadable: Unreadable
  /** The contests that schemes can name, those to come last. */
  readonly contests: readonly NamedContest[]
}

/** A grade as its student sees it. */
export interface OwnGrade {
  readonly releasedAt: string
  readonly computed: ComputedGrade
  /** It counts instead of the computed one; null: none. */
  readonly manual: BandedGrade | null
}

/** A filled file of an LMS, in base64. */
export interface FilledGradeFile {
  readonly content: string
  /** The number of students whose grades are in it. */
  readonly filled: number
  /** ISO 8601: the grades are those released then; null: they were computed now. */
  readonly releasedAt: string | null
  /** Students to whom nothing was released: their cells stay as they are. */
  readonly unreleased: readonly string[]
  /** Students who would have another grade if grades were released now. */
  readonly differing: readonly string[]
  /** Rows of people whom the class does not have, or whom more than one student could be. */
  readonly unmatched: readonly string[]
  /** Students who are in no row. */
  readonly missing: readonly string[]
  /** Students whose grade reaches no band: their cells stay as they are. */
  readonly unlabelled: readonly string[]
}
