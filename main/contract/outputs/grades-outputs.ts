import * as z from 'zod'
import { explanation, unreadable } from './output-parts.ts'

const schemeProblem = z.strictObject({ line: z.number(), column: z.number(), code: z.string(), message: z.string() })

const band = z.strictObject({
  from: z.number().nullable(),
  label: z.string(),
  written: z.strictObject({ start: z.number(), end: z.number() }).nullable(),
})

const namedContest = z.strictObject({ contest: z.string(), title: z.string() })

const gradebookRow = z.strictObject({
  person: z.string(),
  name: z.string(),
  team: z.string().nullable(),
  computed: z.strictObject({ value: z.number(), band: z.string().nullable(), explanation: explanation }).nullable(),
  manual: z.strictObject({ band: z.string().nullable(), value: z.number(), reason: z.string() }).nullable(),
  released: z
    .strictObject({
      computed: z.strictObject({ value: z.number(), band: z.string().nullable(), explanation: explanation }),
      manual: z.strictObject({ band: z.string().nullable(), value: z.number(), reason: z.string() }).nullable(),
    })
    .nullable(),
  changedTo: z
    .union([
      z.strictObject({ value: z.number(), band: z.string().nullable(), explanation: explanation }),
      z.strictObject({ band: z.string().nullable(), value: z.number(), reason: z.string() }),
    ])
    .nullable(),
})

const gradeInShort = z.strictObject({ value: z.number(), band: z.string().nullable() })

const releaseSummary = z.strictObject({
  at: z.string(),
  grades: z.number(),
  isOtherScheme: z.boolean(),
  changes: z.array(
    z.strictObject({
      person: z.string(),
      name: z.string(),
      before: gradeInShort.nullable(),
      after: gradeInShort.nullable(),
    }),
  ),
})

const gradebook = z.strictObject({
  version: z.string(),
  scheme: z.string(),
  problems: z.array(schemeProblem),
  bands: z.array(band),
  toCome: z.array(namedContest),
  rows: z.array(gradebookRow),
  release: z.strictObject({ at: z.string(), isByScheme: z.boolean(), isComparable: z.boolean() }).nullable(),
  releases: z.array(releaseSummary),
  unreadable: unreadable,
  contests: z.array(namedContest),
})

/** The outputs of verbs about grades, with --json. */
export const gradesOutputs = {
  'class gradebook show': gradebook,
  'class gradebook keep': z.strictObject({ file: z.string() }),
  'class gradebook by-hand': z.strictObject({
    person: z.string(),
    name: z.string(),
    manual: z.strictObject({ value: z.number(), reason: z.string() }).nullable(),
  }),
  'class gradebook release': z.strictObject({ released: z.number() }),
}
