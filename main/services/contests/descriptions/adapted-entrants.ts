import { playingVersion } from '../../../administrator/classroom/active-versions.ts'
import type { StoredAgentVersion } from '../../../contract/procedures/classroom.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'

/**
 * The entrants of a contest with the versions of their agents that were active at a time (ms since the epoch); those that
 * the class does not have stay as they are. `agents`: oldest first.
 */
export function adaptedEntrants(
  agents: readonly StoredAgentVersion[],
  description: ContestDescription,
  until: number,
): ContestDescription['entrants'] {
  const submitted = agents.filter((each) => Date.parse(each.submitted) <= until)
  return description.entrants.map((entrant) => {
    const { hash: agent = entrant.agent } = playingVersion(submitted, description, entrant) ?? {}
    return { ...entrant, agent }
  })
}
