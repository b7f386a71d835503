import * as z from 'zod'
import { line } from '../players/line.ts'

/** The maximum number of people in a class, those who left included. */
export const PEOPLE_MAX = 10_000

/** A random id that a person keeps when their name changes. */
export const personId = z.string().regex(/^[0-9a-f]{16}$/, 'expected 16 lower-case hex digits')
export type PersonId = z.infer<typeof personId>

export const role = z.enum(['educator', 'assistant', 'student', 'guest'])
export type Role = z.infer<typeof role>

/** Control characters, lone surrogates, line separators, and marks that change the writing direction. */
const unfit = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/u

/**
 * The name of a person as they write it, in any script and with any number of parts. It is normalized (Unicode NFC), and spaces
 * around and between its parts are single. It never enters a history.
 */
export const personName = z
  .string()
  .overwrite((text) =>
    text
      .normalize('NFC')
      .replaceAll(/\p{Zs}+/gu, ' ')
      .trim(),
  )
  .refine((text) => text !== '', 'a name has at least one character')
  .refine((text) => Array.from(text).length <= 200, 'a name has at most 200 characters')
  .refine((text) => !unfit.test(text), 'a name has no control characters and none that change the writing direction')

/**
 * Identifiers of a person: of the school (Canvas' SIS user id, Moodle's ID number, Blackboard's student id), of Canvas itself, and
 * the name with which they sign in there. Texts: leading zeros count.
 */
export const idKinds = ['school', 'canvas', 'login'] as const
export type IdKind = (typeof idKinds)[number]

/** A member of the class; class.json holds them, oldest first. */
export const person = z.strictObject({
  id: personId,
  name: personName,
  email: z.email().max(254).exactOptional(),
  ids: z.partialRecord(z.enum(idKinds), line).default({}),
  section: line.exactOptional(),
  role,
  added: z.iso.datetime(),
  /** They have asked to join with the class's code, and wait to be admitted. Absent: they are a member. */
  asking: z.literal(true).exactOptional(),
  /** They asked to join, under a name that nobody has checked, and were admitted. Absent: they are of a roster. */
  joined: z.literal(true).exactOptional(),
  /** They wish to appear under a pseudonym in everything public. Absent: as the class has it. */
  pseudonym: z.literal(true).exactOptional(),
  /** They left then, and may come back. Absent: they are in the class. */
  removed: z.iso.datetime().exactOptional(),
  /** Their personal data were erased then, and the name is not theirs. Absent: they were not. */
  erased: z.iso.datetime().exactOptional(),
})
export type Person = z.infer<typeof person>

/** The name that stays of an erased person: histories, receipts and cases know them by their id or a pseudonym alone. */
export const erasedName = (id: PersonId): string => `Erased person ${id.slice(0, 4)}`
