import type { MatchNumber } from '../ids.ts'
import type { ToolchainName } from '../players/toolchains.ts'

/** A toolchain of which the matches of a contest used several versions, such as those of two workers with different compilers. */
export interface ToolchainDifference {
  readonly name: ToolchainName
  /** At least two, those of the most matches first. */
  readonly versions: readonly VersionUse[]
}

/** The use of a version in a contest. */
export interface VersionUse {
  readonly version: string
  /** The number of matches whose history names it. */
  readonly matches: number
  /** The first of them. */
  readonly match: MatchNumber
}
