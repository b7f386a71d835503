import * as z from 'zod'
import {
  contestId,
  matchNumber,
  seatId,
  sha256Hex,
  type ContestId,
  type MatchNumber,
  type SeatId,
  type Sha256,
} from '../ids.ts'
import type { Opponent } from '../procedures/human-match.ts'
import type { StartedDownload } from '../procedures/downloads.ts'
import { nothing, procedure } from '../procedures/procedure.ts'
import type { DossierReport } from './dossier-report.ts'
import {
  dossierId,
  dossierReaders,
  dossierTitle,
  noteText,
  type DossierId,
  type DossierItem,
  type DossierReaders,
} from './dossiers.ts'

/** A dossier in a list. */
export interface DossierSummary {
  readonly dossier: DossierId
  readonly title: string
  /** The owner, as others may know them. */
  readonly by: string
  /** True if the caller may change it. */
  readonly isOwn: boolean
  readonly readers: DossierReaders
  readonly made: string
  readonly items: number
}

export interface DossierDetail extends DossierSummary {
  readonly entries: readonly DossierItem[]
}

/** An event of a match to keep. `move`: the number of events up to it; null: the result. `part`: its sentence, from 1; null: all. */
export interface EventToKeep {
  readonly contest: ContestId
  readonly match: MatchNumber
  readonly move: number | null
  readonly part: number | null
}

/** The agents that can be run again at an event of a dossier. */
export interface RerunOffer {
  /** The seat whose answer the event records; 0: none of the players answered. */
  readonly seat: SeatId
  /** The seats of the match in their order. `agent`: the version that played. */
  readonly seats: readonly { readonly name: string; readonly agent: Sha256 }[]
  /** Others that the caller may run in their place: for a decision, and for the match as a whole. */
  readonly agents: Readonly<Record<'decision' | 'match', readonly Opponent[]>>
}

const rerunWish = z.strictObject({
  dossier: dossierId,
  /** An event in it. */
  item: z.uuid(),
  /** Chosen by the caller: names the request in its progress and when it is stopped. */
  request: z.uuid(),
  /** The decision at the event, or the match as a whole. */
  again: z.enum(['decision', 'match']),
  seat: seatId,
  /** null: the version that played the seat. */
  agent: sha256Hex.nullable(),
})
/** A decision to ask for again, or a match to play again. */
export type RerunWish = z.output<typeof rerunWish>

/** A rule that can be put into a dossier. */
export interface OfferedRule {
  /** Names it within its book. */
  readonly rule: string
  readonly title: string
  readonly text: string
}

/** A dossier that somebody has as a file, with its verdicts. */
export interface OpenedDossier {
  readonly report: DossierReport
  /** The opened files of its histories, by their paths in the dossier. */
  readonly files: Readonly<Record<string, string>>
}

const one = { dossier: dossierId }
/** The name of a book of rules: a game, or `security`. */
export const ruleBook = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/)

/** Dossiers: what a team or a person keeps of histories as evidence. */
export const dossierProcedures = {
  /** The caller's own, and those shared with them; the newest first. */
  'dossiers.list': procedure<z.infer<typeof nothing>, readonly DossierSummary[]>(nothing),
  'dossiers.get': procedure<{ dossier: DossierId }, DossierDetail>(z.strictObject(one)),
  'dossiers.make': procedure<{ title: string }, { readonly dossier: DossierId }>(
    z.strictObject({ title: dossierTitle }),
  ),
  'dossiers.rename': procedure<{ dossier: DossierId; title: string }, DossierDetail>(
    z.strictObject({ ...one, title: dossierTitle }),
  ),
  'dossiers.share': procedure<{ dossier: DossierId; readers: DossierReaders }, DossierDetail>(
    z.strictObject({ ...one, readers: dossierReaders }),
  ),
  'dossiers.remove': procedure<{ dossier: DossierId }, null>(z.strictObject(one)),
  /** Adds an event; the program tells it in a sentence. Refused if the match is not finished. */
  'dossiers.keep': procedure<EventToKeep & { dossier: DossierId }, DossierDetail>(
    z.strictObject({
      ...one,
      contest: contestId,
      match: matchNumber,
      move: z.int().min(1).max(999_999_999).nullable(),
      part: z.int().min(1).max(999_999).nullable(),
    }),
  ),
  /** Writes a note: a new item (`item` null), or the words of one. */
  'dossiers.note': procedure<{ dossier: DossierId; item: string | null; text: string }, DossierDetail>(
    z.strictObject({ ...one, item: z.uuid().nullable(), text: noteText }),
  ),
  'dossiers.drop': procedure<{ dossier: DossierId; item: string }, DossierDetail>(
    z.strictObject({ ...one, item: z.uuid() }),
  ),
  /** Verifies the match of an item, and adds the verdict. */
  'dossiers.verify': procedure<{ dossier: DossierId; item: string }, DossierDetail>(
    z.strictObject({ ...one, item: z.uuid() }),
  ),
  'dossiers.rerunOffer': procedure<{ dossier: DossierId; item: string }, RerunOffer>(
    z.strictObject({ ...one, item: z.uuid() }),
  ),
  /**
   * Asks an agent again for the decision at an event, or plays the match again with it, isolated, and adds the result. The topic `rerun:` reports the progress. Refused
   * while another one of the caller is running.
   */
  'dossiers.rerun': procedure<RerunWish, DossierDetail>(rerunWish),
  'dossiers.stopRerun': procedure<{ dossier: DossierId; request: string }, null>(
    z.strictObject({ ...one, request: z.uuid() }),
  ),
  /** The rules of a game's rulebook, or of the security policy (`security`). */
  'dossiers.rules': procedure<{ book: string }, readonly OfferedRule[]>(z.strictObject({ book: ruleBook })),
  'dossiers.addRule': procedure<{ dossier: DossierId; book: string; rule: string }, DossierDetail>(
    z.strictObject({ ...one, book: ruleBook, rule: z.string().min(1).max(200) }),
  ),
  /** Checks a dossier that somebody has as a zip, an opened file, and opens the histories in it. */
  'dossiers.open': procedure<{ file: string }, OpenedDossier>(z.strictObject({ file: z.string().min(1).max(100) })),
  /** The dossier as a zip that anybody can read and verify offline: a download. */
  'dossiers.download': procedure<{ dossier: DossierId }, StartedDownload>(z.strictObject(one)),
}
