import * as z from 'zod'
import { sha256Hex } from '../ids.ts'

/** Maximum characters of a comment, and of the name of the person who wrote it. */
export const COMMENT_CHARACTERS_MAX = 1_000
export const COMMENT_NAME_MAX = 60
/** The maximum number of comments on a match. */
export const COMMENTS_MAX = 100

/** Text with at least one visible character and no half ones. */
const text = (most: number) =>
  z
    .string()
    .max(most)
    .refine((value) => value.isWellFormed(), 'a lone surrogate (half of a character) is not allowed')

const words = {
  /** The event, from 0, and its line in the list of events, from 0. */
  event: z.int().min(0).max(999_999_999),
  line: z.int().min(0).max(999_999),
  /** The name of the person who wrote it, as they gave it; '': none. */
  by: text(COMMENT_NAME_MAX),
  text: text(COMMENT_CHARACTERS_MAX).refine((value) => value.trim() !== '', 'a comment needs a text'),
}
export const newComment = z.strictObject(words)
export type NewComment = z.infer<typeof newComment>

const comment = z.strictObject({ id: z.uuid(), ...words, written: z.iso.datetime() })
/** A comment on an event of a match. */
export type MatchComment = z.infer<typeof comment>

/**
 * The comments on a match: how a class keeps them and how they lie beside the history in an archive. They are not part of
 * the history, and nothing proves who wrote them.
 */
export const matchComments = z.strictObject({
  format: z.literal('tartaglia-comments/1'),
  /** The last hash of the match's chain: unlike a file's hash, it stays when the contest goes on. */
  head: sha256Hex,
  comments: z.array(comment).max(COMMENTS_MAX),
})
export type MatchComments = z.infer<typeof matchComments>

/** A comment in a list. `own`: the class keeps it; else it came with an opened archive. */
export interface ListedComment extends MatchComment {
  readonly own: boolean
}
