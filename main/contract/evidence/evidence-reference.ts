import * as z from 'zod'
import { contestId, matchNumber, sha256Hex } from '../ids.ts'

/** Maximum characters of the sentence of a reference. */
export const REFERENCE_SENTENCE_MAX = 1_000
/** Maximum characters of the text of a rule. */
export const RULE_CHARACTERS_MAX = 20_000

/** The place of a line: in the chain of its match, and in the list of events of the match's screen. */
const evidencePlace = z.strictObject({
  contest: contestId,
  match: matchNumber,
  /** The number of the line in the chain (`n`): the header is 0. */
  line: z.int().min(0),
  /** The number of events up to and including the line, as in the address of the match's screen. */
  move: z.int().min(0).max(999_999_999),
  /** The sentence meant, from 1, where the event is told in several; null: all of them, or the only one. */
  part: z.int().min(1).max(999_999).nullable(),
})

/**
 * A line of a history that somebody refers to, in a dossier or in a case. Everything in it can be checked against the exported match
 * alone: `head` names the history, `hash` is the line's own link of the chain.
 */
export const evidenceReference = z.strictObject({
  ...evidencePlace.shape,
  /** The last hash of the match's chain: unlike a file's hash, it stays when the contest goes on. */
  head: sha256Hex,
  /** The `h` of the line. */
  hash: sha256Hex,
  /** The line in a sentence of its game, as the program that made the reference told it. */
  sentence: z
    .string()
    .min(1)
    .max(REFERENCE_SENTENCE_MAX)
    .refine((text) => text.isWellFormed(), 'a lone surrogate (half of a character) is not allowed'),
})
export type EvidenceReference = z.infer<typeof evidenceReference>
