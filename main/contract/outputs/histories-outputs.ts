import * as z from 'zod'
import { brokenCase, genuineCase } from './output-parts.ts'

const signer = z.strictObject({ name: z.string().nullable(), key: z.string(), fingerprint: z.string() })

const verifiedEntry = z.strictObject({
  seat: z.number(),
  name: z.string(),
  pseudonym: z.string(),
  school: z.string(),
  agent: z.string(),
  submitted: z.string(),
  signer: signer,
})

const refuted = z.strictObject({
  ok: z.literal(false),
  line: z.number(),
  message: z.string(),
  expected: z.string().optional(),
  found: z.string().optional(),
  events: z.number(),
  text: z.string().nullable(),
})

const historyVerdict = z.union([
  z.strictObject({
    ok: z.literal(true),
    contest: z.string(),
    match: z.number(),
    signer: signer,
    replayed: z.boolean(),
    entries: z.array(verifiedEntry),
    checked: z.array(z.string()),
    notes: z.array(z.string()),
  }),
  refuted,
])

const listedHistories = z.strictObject({ contest: z.string(), matches: z.number(), bytes: z.number() })

const listedMatch = z.strictObject({
  match: z.number(),
  entrants: z.array(z.string()),
  outcome: z.looseObject({
    places: z.array(
      z.strictObject({
        seat: z.number(),
        rank: z.number(),
        score: z.number(),
        removed: z.boolean(),
        reason: z.string().optional(),
      }),
    ),
  }),
})

const seatRecord = z.strictObject({
  name: z.string(),
  agent: z.string(),
  elsewhere: z.literal(true).optional(),
  id: z.number(),
  entrant: z.number(),
  role: z.string(),
  bodies: z.number(),
})

const checkedEntry = z.strictObject({
  seat: z.number(),
  name: z.string(),
  statement: z.strictObject({
    signs: z.literal('tartaglia entry'),
    school: z.string(),
    key: z.string(),
    name: z.string(),
    game: z.string(),
    kind: z.enum(['script', 'program']),
    package: z.string(),
    submitted: z.string(),
    policies: z.array(z.string()).optional(),
    packages: z.array(z.string()).optional(),
    source: z.literal('shown').optional(),
  }),
  signer: signer,
})

/** The verdict on a history that holds. */
const genuineHistory = z.strictObject({
  file: z.string(),
  ok: z.literal(true),
  signer: signer,
  seed: z.string(),
  count: z.number(),
  match: z.number(),
  game: z.string(),
  contest: z.string(),
  lines: z.number(),
  seats: z.array(seatRecord),
  key: z.string(),
  head: z.string(),
  outcome: z.looseObject({
    places: z.array(
      z.strictObject({
        seat: z.number(),
        rank: z.number(),
        score: z.number(),
        removed: z.boolean(),
        reason: z.string().optional(),
      }),
    ),
  }),
  replayed: z.boolean(),
  version: z.number(),
  attempt: z.number(),
  revealed: z.strictObject({ seed: z.string(), phrase: z.string().nullable() }).nullable(),
  inputs: z.number(),
  faults: z.number(),
  redacted: z.number(),
  root: z.string(),
  keyChecked: z.boolean(),
  practice: z.boolean(),
  notes: z.array(z.string()),
  entries: z.array(checkedEntry),
})

/** The place and the reason at which a history does not hold. */
const brokenHistory = z.strictObject({
  file: z.string(),
  ok: z.literal(false),
  line: z.number(),
  message: z.string(),
  expected: z.string().optional(),
  found: z.string().optional(),
  events: z.number(),
  text: z.string().nullable(),
})

/** A file that cannot be read. */
const unreadableFile = z.strictObject({ file: z.string(), ok: z.literal(false), code: z.string(), message: z.string() })

const verdict = z.enum(['unreadable', 'genuine', 'signer-unknown', 'not-genuine'])
const checked = z.union([
  genuineHistory.extend({ verdict }),
  brokenHistory.extend({ verdict }),
  genuineCase.extend({ verdict }),
  brokenCase.extend({ verdict }),
  unreadableFile.extend({ verdict }),
])

const shownHistory = z.strictObject({
  file: z.string(),
  verdict: z.union([genuineHistory, brokenHistory]).nullable(),
  lines: z.array(z.string()),
})

/** The outputs of verbs about histories, with --json. */
export const historiesOutputs = {
  'history export': z.union([
    z.strictObject({
      contest: z.string(),
      to: z.string(),
      histories: z.array(z.strictObject({ match: z.number(), file: z.string() })),
    }),
    z.strictObject({
      html: z.string(),
      contest: z.string(),
      match: z.number(),
      bytes: z.number(),
      verdict: historyVerdict,
    }),
    z.strictObject({ archive: z.string(), matches: z.number(), bytes: z.number(), leftOut: z.array(z.string()) }),
  ]),
  'history list': z.union([
    z.strictObject({ data: z.string(), histories: z.array(listedHistories) }),
    z.strictObject({ data: z.string(), contest: z.string(), total: z.number(), matches: z.array(listedMatch) }),
  ]),
  'history verify': z.strictObject({ ok: z.boolean(), files: z.array(checked) }),
  'history show': shownHistory,
  replay: z.union([
    shownHistory,
    z.strictObject({ file: z.string(), html: z.string(), bytes: z.number(), verdict: historyVerdict }),
  ]),
}
