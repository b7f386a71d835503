import type { ToolchainDifference, VersionUse } from '../../../contract/contests/toolchain-differences.ts'
import type { MatchNumber } from '../../../contract/ids.ts'
import { toolchainName, type ToolchainName, type ToolchainVersions } from '../../../contract/players/toolchains.ts'

/** A machine has one version of a toolchain; the limit is for histories that somebody has made up. */
const VERSIONS_MAX = 32

/** Counts the versions of toolchains in the matches of a contest. */
export interface ToolchainTally {
  add(match: MatchNumber, versions: ToolchainVersions | undefined): void
  /** In the order of `toolchainName`. */
  differences(): readonly ToolchainDifference[]
}

export function createToolchainTally(): ToolchainTally {
  const uses = new Map<ToolchainName, Map<string, VersionUse>>()
  return {
    add(match, versions = {}) {
      for (const name of toolchainName.options) {
        const version = versions[name]
        if (version === undefined) continue
        const known = uses.get(name) ?? new Map<string, VersionUse>()
        uses.set(name, known)
        const use = known.get(version)
        if (use === undefined && known.size === VERSIONS_MAX) continue
        known.set(version, { version, matches: (use?.matches ?? 0) + 1, match: Math.min(use?.match ?? match, match) })
      }
    },
    differences: () =>
      toolchainName.options.flatMap((name) => {
        const versions = [...(uses.get(name)?.values() ?? [])]
        if (versions.length < 2) return []
        return [{ name, versions: versions.toSorted((a, b) => b.matches - a.matches || a.match - b.match) }]
      }),
  }
}
