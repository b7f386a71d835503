import type { Sha256 } from '../ids.ts'
import type { IsolationTier } from '../limits.ts'
import type { ContestSummary } from './contest-answers.ts'
import type { ClassSettings } from './classroom.ts'

export type * from '../contests/standings.ts'
export type * from './agent-answers.ts'
export type * from './contest-answers.ts'
export type * from './match-answers.ts'

// The results of procedures. They come from trusted code, so they are typed and not parsed.

/**
 * A part of a long list. `total`: the number of items that match the filter. Pages of large items may be shorter than
 * requested but not empty: the next page begins at `offset + items.length`.
 */
export interface Page<T> {
  readonly items: readonly T[]
  readonly offset: number
  readonly total: number
}

export interface ChallengeSummary {
  readonly name: string
  readonly title: string
  /** Markdown, for students. */
  readonly text: string
  /** True if it belongs to the class, which can edit it; the others ship with Tartaglia. */
  readonly own: boolean
  /** The first problem and its place, if the challenge is a draft, which contests refuse. null: it can be played. */
  readonly problem: string | null
  /** SHA-256 of its file. */
  readonly version: Sha256
}

/** A challenge with its file. */
export type ChallengeDetail = ChallengeSummary & { readonly source: string }

/** The result of one check. `weak`: works with limitations. `bad`: contests cannot run. */
export interface DoctorFinding {
  readonly name: string
  readonly verdict: 'good' | 'weak' | 'bad'
  /** One sentence, or a value. */
  readonly text: string
  /** A remedy, in a sentence. */
  readonly advice?: string
}

export interface TierFinding {
  readonly tier: IsolationTier
  readonly available: boolean
  readonly text: string
  readonly command: string | null
}

export interface Overview {
  readonly agents: number
  readonly contests: readonly ContestSummary[]
  /** Matters for the educator, most urgent first; `link` is a screen's address such as `#/contests/x-1`. */
  readonly attention: readonly { readonly text: string; readonly link: string }[]
}

/** The state of the backups that a class makes by itself. Times in ISO 8601. */
export interface BackupState {
  /** null: there is none yet. */
  readonly last: string | null
  readonly next: string
  /** Why the last one failed, as a sentence; null: it did not. */
  readonly problem: string | null
  /**
   * The newest test: backups (`copies` of them) were restored to a scratch folder, compared with their checksums, and opened. `problem` null: they are
   * whole. null: none was tested yet.
   */
  readonly tested: { readonly at: string; readonly problem: string | null; readonly copies: number } | null
}

export interface Settings extends ClassSettings {
  readonly dataFolder: string
  /** The folder of its backups, outside of it. */
  readonly backupFolder: string
  /** Backups by themselves; null: the class makes none, or the viewer does not see it. */
  readonly backupState: BackupState | null
  /** The public key that verifies this class's histories, as one line of text. */
  readonly publicKey: string
  /** The fingerprint of this key, in hex. */
  readonly fingerprint: string
}
