import type { ToolchainDifference } from '../contract/contests/toolchain-differences.ts'
import { toolchainKinds } from '../contract/players/toolchains.ts'
import { count, safeLine } from './text.ts'

/** A sentence for each toolchain of which the matches of a contest used several versions, and where to look at one. */
export const toolchainLines = (differences: readonly ToolchainDifference[]): readonly string[] =>
  differences.map(({ name, versions }) => {
    const uses = versions.map(
      ({ version, matches, match }) =>
        `${safeLine(version)} in ${count(matches, 'match', 'matches')} (the first is match ${match})`,
    )
    return `The matches used different versions of ${toolchainKinds[name].title}: ${uses.join(', ')}. "tartaglia history show" prints those of a match.`
  })
