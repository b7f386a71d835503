import * as z from 'zod'
import { evidenceVerdict } from '../evidence/dossiers.ts'
import { contestId, entrantId, sha256Hex } from '../ids.ts'
import { CASE_PEOPLE_MAX, caseAct, casePerson } from './case-record.ts'
import {
  against,
  caseId,
  caseQuestion,
  caseSettings,
  citedRule,
  exhibit,
  moment,
  penalties,
  penalty,
  pseudonym,
  side,
  timedStages,
} from './cases.ts'

const number = z.int().min(0)
const instance = z.union([z.literal(1), z.literal(2)])
const stage = z.enum([...timedStages, 'draw', 'closed'])
const members = z.array(pseudonym).max(CASE_PEOPLE_MAX)

/** A case as its record alone shows it: without names, and without anything that a viewer could do. */
export const recordedCase = z.strictObject({
  ...{ case: caseId, n: number, head: sha256Hex, contest: contestId, against, filedAt: moment },
  ...{
    filer: entrantId.nullable(),
    other: entrantId.nullable(),
    rule: citedRule.pick({ source: true, id: true, sha256: true }),
  },
  ...{ stage, instance, deadline: moment.nullable() },
  stages: z.array(z.strictObject({ stage, instance, at: moment })),
  outcome: z.enum(['dismissed', 'withdrawn', 'upheld', 'rejected', 'unheard', 'open']),
  ...{ settings: caseSettings, text: z.string(), ruleText: z.string(), asks: penalty },
  exhibits: z.array(z.strictObject({ n: number, by: pseudonym.nullable(), exhibit })),
  people: z.array(casePerson),
  consequence: z.string().nullable(),
  penalties: penalties.nullable(),
  ...{ panel: members, filled: members, chair: pseudonym.nullable() },
  questions: z.array(z.strictObject({ n: number, by: pseudonym, open: z.array(side) })),
  late: z.array(number),
  ballots: z.array(
    z.strictObject({
      ...{ number, instance },
      votes: z.array(
        z.strictObject({
          ...{ voter: pseudonym, question: caseQuestion },
          state: z.union([z.enum(['sealed', 'void']), z.strictObject({ choice: z.string(), reason: z.string() })]),
        }),
      ),
      result: z
        .strictObject({
          ...{ hasQuorum: z.boolean(), broken: z.boolean(), penalty: number },
          casting: z.array(caseQuestion),
        })
        .nullable(),
    }),
  ),
  rulings: z.array(
    z.strictObject({ instance, n: number, at: moment, broken: z.boolean(), penalty, text: z.string().nullable() }),
  ),
  entries: z.array(z.strictObject({ n: number, at: moment, by: pseudonym.nullable(), act: caseAct, head: sha256Hex })),
})
export type RecordedCase = z.infer<typeof recordedCase>

/** The record of a case that somebody has as a file, with its verdict. */
export const openedRecord = z.strictObject({
  verdict: evidenceVerdict,
  /** The first fault, as a clause, and its line from 1; null: the record holds. */
  problem: z.strictObject({ line: z.int().min(1), message: z.string().max(10_000) }).nullable(),
  /** The owner of the key that signed it, `name` null: not known. null: not even the first line can be read. */
  signer: z.strictObject({ name: z.string().nullable(), fingerprint: sha256Hex }).nullable(),
  /** The case after the lines that hold; null: after none. */
  recorded: recordedCase.nullable(),
})
