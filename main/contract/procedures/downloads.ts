import * as z from 'zod'
import { procedure } from './procedure.ts'

/** The beginning of a download: a file that the program has for the caller, too large for one message. */
export interface StartedDownload {
  /** Its handle for `downloads.piece`; only the caller may use it. */
  readonly download: string
  readonly fileName: string
}

/** The next bytes of a download. */
export interface DownloadPiece {
  /** In base64. */
  readonly content: string
  /** The part of the download that has been given, 0 to 1. */
  readonly part: number
  readonly last: boolean
}

const oneDownload = z.strictObject({ download: z.string().min(1).max(64) })

/** Files go from the program to a page piece by piece. A download that is not fetched is dropped when others are begun. */
export const downloadProcedures = {
  /** Refused if the download was dropped, or its last piece was given. */
  'downloads.piece': procedure<{ download: string }, DownloadPiece>(oneDownload),
  /** Stops a download. */
  'downloads.drop': procedure<{ download: string }, null>(oneDownload),
}
