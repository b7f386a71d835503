import * as z from 'zod'
import type { AgentManifest } from './agents.ts'
import { entrantId, sha256Hex, type EntrantId, type GameId, type Sha256 } from '../ids.ts'

// The sources of agents that have become public to the class.

/** When the source of a version becomes public. */
export interface Reveal {
  /** The number of contests after which it is public. */
  readonly after: number
  /** The number of finished contests in which the version took part. */
  readonly contests: number
}

/** A version of an agent whose source is public. */
export interface PublicSource extends Reveal {
  readonly name: EntrantId
  readonly game: GameId
  readonly kind: AgentManifest['kind']
  readonly agent: Sha256
  /** The public name of its team. */
  readonly team: string
}

/** A file of a source, in the order of the package. */
export interface SourceFile {
  readonly path: string
  readonly bytes: number
  /** True if it can be shown: text of at most `SOURCE_CHARACTERS_MAX` characters. */
  readonly shown: boolean
}

/** The files of a public source. `remark`: why there is no source to see in them, in one sentence; null: there is one. */
export interface SourceDetail extends PublicSource {
  readonly files: readonly SourceFile[]
  readonly remark: string | null
}

/** Longer texts are not shown. */
export const SOURCE_CHARACTERS_MAX = 1024 * 1024

/** A version of an agent. */
export const oneVersion = z.strictObject({ name: entrantId, agent: sha256Hex })
export type OneVersion = z.infer<typeof oneVersion>

/** A file of a version's source. The path is looked up among the package's paths and never used on a disk. */
export const oneSourceFile = oneVersion.extend({ path: z.string().min(1).max(1_000) })

/** True if the source is public. */
export const isPublic = (reveal: Reveal | undefined): reveal is Reveal =>
  reveal !== undefined && reveal.contests >= reveal.after

/** When a source becomes public, as a sentence. */
export function revealWords(reveal: Reveal | undefined): string {
  if (reveal === undefined) return 'The source does not become public: no reveal rule held when it was handed in.'
  const { after, contests } = reveal
  const needed = after === 1 ? 'one contest' : `${after} contests`
  if (isPublic(reveal)) return `The source is public to the class, since the version took part in ${needed}.`
  return `The source becomes public to the class after ${needed}; the version has taken part in ${contests}.`
}

/** The class's reveal rule, as shown to students who hand in an agent. `after`: in contests; 0: never. */
export function ruleWords(after: number): string {
  if (after === 0) return 'Sources do not become public.'
  const contests = after === 1 ? 'one contest' : `${after} contests`
  return `The source becomes public to the class after the version has taken part in ${contests}.`
}
