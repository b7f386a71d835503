import * as z from 'zod'
import {
  contestId,
  gameId,
  matchNumber,
  type ContestId,
  type EntrantId,
  type GameId,
  type MatchNumber,
} from '../ids.ts'
import type { StartedDownload } from '../procedures/downloads.ts'
import type { HistoryFacets, HistoryVerdict, MatchSummary, Page, VerifiedMany } from '../procedures/answers.ts'
import { fileName, nothing, page, procedure, search } from '../procedures/procedure.ts'
import { newComment, type ListedComment, type NewComment } from './comments.ts'
import { matchSource, type MatchSource } from './match-source.ts'

/** The matches of the class that are wanted; all conditions hold. '' or false: any. */
const filterFields = {
  /** A part of a contest's title or id, or of a player's name. */
  search,
  game: z.union([gameId, z.literal('')]).default(''),
  /** The subject of the match, such as the name of its challenge. */
  subject: z.string().max(200).default(''),
  /** Names of players, or parts of names; each plays in the match. */
  agents: z.array(z.string().max(64)).max(2).default([]),
  /** Only matches in which somebody had a fault or was removed. */
  faults: z.boolean().default(false),
}
export const historyFilter = z.strictObject(filterFields)
export type HistoryFilter = z.output<typeof historyFilter>

/** The maximum number of matches that are exported by naming each. */
export const SELECTED_MAX = 10_000

/** The matches of an archive: those of a contest, those that a filter wants, or the selected ones. */
const archiveWish = z.discriminatedUnion('of', [
  z.strictObject({ of: z.literal('contest'), contest: contestId }),
  z.strictObject({ of: z.literal('filter'), filter: historyFilter }),
  z.strictObject({
    of: z.literal('selection'),
    matches: z
      .array(z.strictObject({ contest: contestId, match: matchNumber }))
      .min(1)
      .max(SELECTED_MAX),
  }),
])
export type ArchiveWish = z.output<typeof archiveWish>

/** The beginning of an export. */
export interface StartedArchive extends StartedDownload {
  readonly matches: number
  /** A sentence for each contest that is left out because its histories are damaged. */
  readonly leftOut: readonly string[]
}

/** The maximum number of opened files that are listed together, and of files in an opened archive. */
export const LISTED_FILES_MAX = 500

/** A file out of an archive. `message`: why it was not opened; null: it was, as `file`. */
export type UnpackedFile = { readonly name: string } & (
  { readonly file: string; readonly message: null } | { readonly file: null; readonly message: string }
)

/** The facts of an opened file for a list. Nothing of them is verified. */
export interface FileSummary {
  readonly game: GameId
  readonly contest: ContestId
  readonly match: MatchNumber
  readonly seats: readonly {
    readonly name: EntrantId
    readonly rank: number
    /** In the unit of the game's tables. */
    readonly score: number
    readonly removed: boolean
  }[]
}

/** The verdict on an opened file; `message`: why there is none. */
export type FileVerification = { readonly file: string } & (
  { readonly verdict: HistoryVerdict; readonly message: null } | { readonly verdict: null; readonly message: string }
)

/** The first line, from 1, in which two files differ, as far as it is shown; '': the file has ended. */
export type FileDifference =
  | { readonly same: true }
  | { readonly same: false; readonly line: number; readonly first: string; readonly second: string }

/** The maximum number of files that are verified by one call. */
export const VERIFIED_AT_ONCE = 20

const handle = z.string().min(1).max(100)

/** Maximum characters of a history's last bytes in base64: 256 KiB of data. */
const endCharacters = 349_528

/** The histories of a class, and files of histories that a person opens. */
export const historyProcedures = {
  'histories.list': procedure<HistoryFilter & { offset: number; limit: number }, Page<MatchSummary>>(
    z.strictObject({ ...page, ...filterFields }),
  ),
  'histories.facets': procedure<z.infer<typeof nothing>, HistoryFacets>(nothing),
  /**
   * Announces the upload of a history, so that it can be read while it arrives. `end`: its last bytes, which contain
   * its outcome. `file`: the id of the opened file; the upload must start within ten seconds.
   */
  'histories.expect': procedure<{ fileName: string; bytes: number; end: string }, { readonly file: string }>(
    z.strictObject({ fileName, bytes: z.int().min(0), end: z.base64().max(endCharacters) }),
    endCharacters + 1_000,
  ),
  /** Returns the verdict; the topic `verification:` reports the progress. A file's verdict is cached. */
  'histories.verify': procedure<{ source: MatchSource }, HistoryVerdict>(z.strictObject({ source: matchSource })),
  /**
   * Verifies all matches of the class that the filter wants. The topic `verifications` reports the progress. Refused
   * while others are being verified like this.
   */
  'histories.verifyAll': procedure<HistoryFilter, VerifiedMany>(historyFilter),
  /** Stops `histories.verifyAll`, which then fails with a message that it was stopped; verdicts so far are kept. */
  'histories.stopAll': procedure<z.infer<typeof nothing>, null>(nothing),
  /** Stops a running verification; its call then fails with a message that it was stopped. */
  'histories.stop': procedure<{ source: MatchSource }, null>(z.strictObject({ source: matchSource })),
  /** The exported file's text, and the public key to verify it with. */
  'histories.export': procedure<
    { contest: string; match: number },
    { readonly fileName: string; readonly content: string; readonly publicKey: string }
  >(z.strictObject({ contest: contestId, match: matchNumber })),

  /**
   * A page that shows the match, its rules and the verdict on its history without Tartaglia and without a network. It holds what the
   * exported history holds, and nothing else of the class.
   */
  'histories.replay': procedure<
    { contest: string; match: number },
    { readonly fileName: string; readonly content: string }
  >(z.strictObject({ contest: contestId, match: matchNumber })),

  /** Begins to export matches as one archive, with the public key of the class: a download. */
  'histories.archive': procedure<ArchiveWish, StartedArchive>(archiveWish),

  /**
   * Opens each history in an opened archive; null: the file is not an archive. A file that cannot be a history, or is one
   * too many, gets a message in its place. The archive itself is then closed.
   */
  'histories.unpack': procedure<{ file: string }, readonly UnpackedFile[] | null>(z.strictObject({ file: handle })),
  /**
   * Shows the comments of an opened file until the classroom is closed. Returns why they cannot be shown; null: they are.
   * The file is then closed.
   */
  'histories.bringComments': procedure<{ file: string }, string | null>(z.strictObject({ file: handle })),
  /** The comments on a match: those of the class, and those that came with opened files. */
  'histories.comments': procedure<{ source: MatchSource }, readonly ListedComment[]>(
    z.strictObject({ source: matchSource }),
  ),
  /** Writes a comment on an event, and returns all. Refused if the match has as many as it may. */
  'histories.comment': procedure<{ source: MatchSource; comment: NewComment }, readonly ListedComment[]>(
    z.strictObject({ source: matchSource, comment: newComment }),
  ),
  /** Deletes a comment that the class keeps, and returns the others. */
  'histories.deleteComment': procedure<{ source: MatchSource; id: string }, readonly ListedComment[]>(
    z.strictObject({ source: matchSource, id: z.uuid() }),
  ),
  /** Describes the match of an opened file. Refused if it is not a history. */
  'histories.look': procedure<{ file: string }, FileSummary>(z.strictObject({ file: handle })),
  /** Compares two opened files. */
  'histories.compare': procedure<{ first: string; second: string }, FileDifference>(
    z.strictObject({ first: handle, second: handle }),
  ),
  /** Verifies opened files, one after the other. */
  'histories.verifyFiles': procedure<{ files: readonly string[] }, readonly FileVerification[]>(
    z.strictObject({ files: z.array(handle).min(1).max(VERIFIED_AT_ONCE) }),
  ),
}
