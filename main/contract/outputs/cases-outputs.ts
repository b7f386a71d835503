import * as z from 'zod'
import { caseAct } from '../cases/case-record.ts'
import { penalty } from '../cases/cases.ts'
import { receiptBody } from '../people/receipts.ts'
import { brokenCase, caseOutcome, genuineCase, stage } from './output-parts.ts'

const listedCase = z.union([
  z.strictObject({
    case: z.string(),
    problem: z.null(),
    contest: z.string(),
    filer: z.string(),
    other: z.string(),
    rule: z.string(),
    stage,
    deadline: z.string().nullable(),
    outcome: caseOutcome,
  }),
  z.strictObject({ case: z.string(), problem: z.string() }),
])

const caseRuling = z.strictObject({
  instance: z.union([z.literal(1), z.literal(2)]),
  n: z.number(),
  at: z.string(),
  broken: z.boolean(),
  penalty,
  text: z.string().nullable(),
})

const receiptVerdict = z.union([
  z.strictObject({
    verdict: z.enum(['genuine', 'signer-unknown']),
    file: z.string(),
    receipts: z.number(),
    receipt: receiptBody,
    head: z.string(),
    signer: z.string().nullable(),
  }),
  z.strictObject({ verdict: z.literal('not-genuine'), file: z.string(), line: z.number(), message: z.string() }),
  z.strictObject({ verdict: z.literal('unreadable'), file: z.string(), code: z.string(), message: z.string() }),
])

/** The outputs of verbs about cases, with --json. */
export const casesOutputs = {
  'case list': z.strictObject({ cases: z.array(listedCase) }),
  'case show': z.strictObject({
    case: z.string(),
    stage,
    deadline: z.string().nullable(),
    outcome: caseOutcome,
    panel: z.array(z.string()),
    chair: z.string().nullable(),
    rulings: z.array(caseRuling),
    entries: z.array(
      z.strictObject({
        n: z.number(),
        at: z.string(),
        by: z.string().nullable(),
        act: caseAct,
        head: z.string(),
      }),
    ),
  }),
  'case verify': z.union([genuineCase, brokenCase]),
  'case export': z.strictObject({ case: z.string(), files: z.array(z.string()) }),
  'receipt verify': z.strictObject({ ok: z.boolean(), files: z.array(receiptVerdict) }),
}
