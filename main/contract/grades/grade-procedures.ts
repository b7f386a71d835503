import * as z from 'zod'
import { gameId, type GameId } from '../ids.ts'
import { personId, type PersonId } from '../people/people.ts'
import { nothing, procedure } from '../procedures/procedure.ts'
import {
  type FilledGradeFile,
  manualGrade,
  schemeText,
  type Gradebook,
  type ManualGrade,
  type OwnGrade,
  type SchemePreview,
} from './gradebook.ts'
import { SCHEME_CHARACTERS_MAX } from './schemes.ts'
import type { TermTable } from './term-table.ts'

const SMALL = 2_000
const GRADE_FILE_CHARACTERS_MAX = 6_000_000
const gradeFileWish = z.strictObject({
  content: z.base64().max(GRADE_FILE_CHARACTERS_MAX),
  column: z.string().min(1).max(200),
  areLabels: z.boolean(),
  areComputed: z.boolean(),
})
type GradeFileWish = z.infer<typeof gradeFileWish>

const scheme = z.strictObject({ scheme: schemeText })
/** The version of the gradebook that was looked at: a decision about another one is refused. Absent: any. */
const seen = { seen: z.string().max(64).optional() }
interface Seen {
  readonly seen?: string | undefined
}
/** The gradebook after a decision. */
interface Decided {
  readonly version: string
}

/** Procedures of the table of the term and of grades. */
export const gradeProcedures = {
  /** The table of the term, over all contests that count. `game`: of this game only; null: of all games. */
  'grades.term': procedure<{ game: GameId | null }, TermTable>(z.strictObject({ game: gameId.nullable() }), SMALL),
  'grades.book': procedure<z.infer<typeof nothing>, Gradebook>(nothing),
  /** The grades by a scheme, which is not kept. */
  'grades.preview': procedure<{ scheme: string }, SchemePreview>(scheme, SCHEME_CHARACTERS_MAX + SMALL),
  /** Keeps a scheme; an empty text: none. Released grades stay. Refused if it has problems. */
  'grades.setScheme': procedure<{ scheme: string } & Seen, Decided>(scheme.extend(seen), SCHEME_CHARACTERS_MAX + SMALL),
  /** Gives a student a grade by hand; null: takes it back. Released grades stay. */
  'grades.setManual': procedure<{ person: PersonId; manual: ManualGrade | null } & Seen, Decided>(
    z.strictObject({ person: personId, manual: manualGrade.nullable(), ...seen }),
    SMALL,
  ),
  /** Freezes the grades of all students as they are now and shows them to each. Refused without a scheme. */
  'grades.release': procedure<Seen, Decided>(z.strictObject(seen)),
  /** The caller's own grade as it was released; null: none was. */
  'grades.mine': procedure<z.infer<typeof nothing>, OwnGrade | null>(nothing),
  /**
   * Fills a column of an LMS's own export, in base64, with the released grades; before a release or with `areComputed`, with those
   * that count now, by the kept scheme and by hand. `areLabels`: the labels of bands instead of numbers. Nothing is kept. Refused like a release, or if the file or the column cannot be used.
   */
  'grades.fill': procedure<GradeFileWish, FilledGradeFile>(gradeFileWish, GRADE_FILE_CHARACTERS_MAX + SMALL),
} as const
