import { candidateAt, type ClosingTime } from '../../contract/people/closing-time.ts'
import type { ContestId } from '../../contract/ids.ts'
import type { Team } from '../../contract/people/teams.ts'
import type { Classroom, StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import { teamClosing } from '../../administrator/classroom/team-closing.ts'
import { ownEntrants } from '../agents/entrant-agents.ts'

// Candidates become active at the closing times of their teams. Pure functions of the class and a time, in ms since the epoch: a class
// that was not open at a closing time catches up when it is opened.

type Kept = Pick<Classroom, 'agents' | 'teams' | 'contests' | 'deadlines' | 'extensions'>

/** A candidate of a team, and when it can become active; null: at once. */
interface Waiting {
  readonly version: StoredAgentVersion
  readonly team: Team
  readonly closing: number | null
}

function candidatesOf(content: Kept): readonly Waiting[] {
  return content.agents.flatMap((version) => {
    const team = content.teams.find(({ id }) => id === version.owner)
    // Nobody plays for a team that is dissolved.
    if (version.inactive !== 'candidate' || team === undefined || team.members.length === 0) return []
    return [{ version, team, closing: closingFor(content, version, team) }]
  })
}

/**
 * When a candidate can become active: at the closing time of its contest. One that was handed in for no contest waits, too, while its
 * agent is an entrant of contests that were not closed: until the first of them closes. null: nothing is to be waited for.
 */
function closingFor(content: Kept, version: StoredAgentVersion, team: Team): number | null {
  const contest = version.handIn?.contest ?? null
  if (contest !== null) return timeOf(teamClosing(content, team, contest))
  const handedIn = Date.parse(version.submitted)
  const times = content.deadlines
    .filter((deadline) => isEntrant(content, version, deadline.contest))
    .flatMap((deadline) => timeOf(teamClosing(content, team, deadline.contest)) ?? [])
    .filter((time) => time >= handedIn)
  return times.length === 0 ? null : Math.min(...times)
}

const timeOf = (closing: ClosingTime | null): number | null => (closing === null ? null : Date.parse(closing.at))

/** True if the agent of a version is an entrant of a contest that has not ended. */
function isEntrant(content: Kept, { manifest }: StoredAgentVersion, id: ContestId): boolean {
  const contest = content.contests.find((each) => each.id === id)
  return contest?.state === 'open' && ownEntrants(content, manifest.name, contest.description.entrants).length > 0
}

/** The candidates that become active at this time or became so before it: of each agent in each contest the one of `candidateAt`. */
export function candidatesDue(content: Kept, now: number): readonly StoredAgentVersion[] {
  // A hand-in at the very closing time is on time.
  const due = candidatesOf(content).filter(({ closing }) => closing === null || closing < now)
  return due
    .filter(({ version, closing }) => playsFrom(content.agents, version, closing ?? now) === version)
    .map(({ version }) => version)
}

/** The version of the agent of a candidate that plays from the closing time of its contest on. */
function playsFrom(
  agents: readonly StoredAgentVersion[],
  { owner, manifest, handIn }: StoredAgentVersion,
  closing: number,
): StoredAgentVersion | null {
  const contest = handIn?.contest ?? null
  const versions = agents
    .filter((each) => each.owner === owner && each.manifest.name === manifest.name && isIn(each, contest))
    .map((version) => ({
      ...{ version, handedIn: Date.parse(version.submitted) },
      trial: trialOf(version),
      counts: version.inactive === undefined || version.inactive === 'candidate',
    }))
  // A late version counts from its own time on.
  const late = versions.filter(({ version, trial, counts }) => counts && trial === 'passed' && isLate(version))
  const from = Math.max(closing, ...late.map(({ handedIn }) => handedIn))
  return candidateAt(versions, from, null)?.version ?? null
}

/** True if a version was handed in for a contest. */
const isIn = ({ handIn }: StoredAgentVersion, contest: ContestId | null): boolean =>
  (handIn?.contest ?? null) === contest

const isLate = ({ handIn }: StoredAgentVersion): boolean => handIn?.time === 'late'

function trialOf({ smoke }: StoredAgentVersion): 'passed' | 'failed' | 'none' {
  if (smoke === null) return 'none'
  return smoke.ok ? 'passed' : 'failed'
}

/** The next closing time of a team that has a candidate; null: there is none. */
export function nextClosing(content: Kept, now: number): number | null {
  const times = candidatesOf(content).flatMap(({ closing }) => (closing !== null && closing >= now ? closing : []))
  return times.length === 0 ? null : Math.min(...times)
}
