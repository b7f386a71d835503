import * as z from 'zod'
import type { FileSummary } from '../histories/history-procedures.ts'
import { gameId } from '../ids.ts'
import { matchSource, type MatchSource } from '../histories/match-source.ts'
import { kitNames, type KitName } from '../players/kits.ts'
import type { StartedDownload } from './downloads.ts'
import { nothing, procedure } from './procedure.ts'

/** The maximum number of kept matches that the window of a kit lists. */
export const KIT_MATCHES_LISTED = 20

/** A match that was kept in the folder of a kit. */
export type KitMatch = {
  /** In the order in which the matches were kept, from 1. */
  readonly number: number
  /** The name of its file. */
  readonly name: string
  /** The time at which it was kept, ISO 8601. */
  readonly at: string
} & (
  | { readonly summary: FileSummary; readonly message: null }
  /** `message`: why the file cannot be read. */
  | { readonly summary: null; readonly message: string }
)

/** The matches that were kept in the folder of a kit. */
export interface KitMatches {
  /** Those that were kept last, the last one first. */
  readonly matches: readonly KitMatch[]
  /** The number of all kept matches. */
  readonly total: number
}

/** Kits for students, and the folder of the kit whose window this is. */
export const kitProcedures = {
  /** A starter kit for students as a zip: a download. */
  'kits.get': procedure<{ game: string; kit: KitName }, StartedDownload>(
    z.strictObject({ game: gameId, kit: z.enum(kitNames) }),
  ),
  /** In the window of a kit: the matches that `tartaglia run` has kept in the folder of the kit. Nothing of them is verified. */
  'kits.matches': procedure<z.infer<typeof nothing>, KitMatches>(nothing),
  /** Opens a match of `kits.matches` as a file. Refused if it is not kept any more. */
  'kits.match': procedure<{ match: number }, { readonly file: string }>(z.strictObject({ match: z.int().min(1) })),
  /**
   * In the window of a kit: saves a move of a finished match as a test case in the folder of the kit; see `TestCase`. The move is the one
   * shown at this position, a number of events, or the next one. Returns the path in the kit.
   */
  'kits.saveCase': procedure<{ source: MatchSource; position: number }, { readonly file: string }>(
    z.strictObject({ source: matchSource, position: z.int().min(0) }),
  ),
} as const
