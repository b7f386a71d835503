import * as z from 'zod'
import type { Json } from '../json.ts'
import { page, procedure } from '../procedures/procedure.ts'
import type { PersonId } from './people.ts'

/** The time for which lines of the audit log are kept: a term of half a year, and a month for its objections. */
export const AUDIT_KEPT_DAYS = 214

/** A line of the audit log. */
export interface AuditEntry {
  readonly n: number
  /** ISO 8601. */
  readonly at: string
  /** The id and name of the person who did it; null: the person at this machine. */
  readonly by: { readonly id: PersonId; readonly name: string } | null
  /** The procedure or event, such as `people.remove`. */
  readonly did: string
  readonly what: Json
}

/** A part of the audit log, newest first. */
interface AuditPage {
  /** The number of lines that are wanted. */
  readonly total: number
  readonly items: readonly AuditEntry[]
  /** The number of the first line that is missing or was changed; null: the chain holds. */
  readonly brokenAt: number | null
  /** The number of the first line that is kept. */
  readonly keptFrom: number
}

const wanted = z.strictObject({
  ...page,
  /** A part of a deed, of its object, or of a person's name; '': any. */
  search: z.string().max(200).default(''),
  /** The first words of deeds, such as `people`; empty: all. */
  deeds: z
    .array(z.string().regex(/^[a-zA-Z-]{1,40}$/))
    .max(40)
    .default([]),
})

export const auditProcedures = {
  'audit.list': procedure<z.infer<typeof wanted>, AuditPage>(wanted, 4_000),
} as const
