import type { CaseId } from '../cases/cases.ts'
import type { DossierId } from '../evidence/dossiers.ts'
import type { ContestId, EntrantId, Sha256 } from '../ids.ts'
import type { OneVersion } from '../players/sources.ts'
import type { PersonId, Role } from './people.ts'
import type { TeamId } from './teams.ts'

/** The object of a call, as its input names it. Rows of the access table say which input names what. */
export type ObjectRef =
  /** An agent of the class, by its name. */
  | { readonly agent: EntrantId }
  /** A version of an agent. */
  | { readonly version: OneVersion }
  /** The source of a version, which the reveal rule may have made public. */
  | { readonly source: OneVersion }
  /** A contest, or a match of it. */
  | { readonly contest: ContestId }
  /** An uploaded or opened file, or an export that is being fetched, by its handle. Only its owner may use it, in any role. */
  | { readonly file: string }
  | { readonly component: Sha256 }
  | { readonly challenge: string }
  /** A setting of the class, by its name. Those of `settingsOfTrust` are the educator's. */
  | { readonly setting: string }
  | { readonly team: TeamId }
  | { readonly person: PersonId }
  | { readonly dossier: DossierId }
  /** A case, which everybody who sees its contest sees. */
  | { readonly case: CaseId }

/** The settings that concern keys and trust: which code and which signatures the class believes, the name under which it signs, the place of its copies, and who appears under a pseudonym. */
export const settingsOfTrust: ReadonlySet<string> = new Set([
  'trustedKeys',
  'webAddresses',
  'isolation',
  'school',
  'revealAfter',
  'backups',
  'pseudonyms',
  'updates',
])

/** The class as one caller sees it. */
export interface CallerView {
  readonly role: Role
  /** True if the agent belongs to the caller's team. */
  ownsAgent(name: EntrantId): boolean
  /** True if the component was published by the caller's team. */
  ownsComponent(component: Sha256): boolean
  /** True if the contest is announced to the class, or is the practice of the caller's team. */
  seesContest(contest: ContestId): boolean
  /** True if a challenge of the class is in a contest that the caller sees. `version`: SHA-256 of its file. */
  seesChallenge(version: Sha256): boolean
  /**
   * True if the object exists and is within reach. Files are looked up elsewhere. A challenge's name says nothing about it: the answer
   * decides (see `shows` in the access table).
   */
  reaches(reach: 'own' | 'public', ref: Exclude<ObjectRef, { readonly file: string }>): boolean
}
