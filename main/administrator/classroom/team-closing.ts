import type { ContestId } from '../../contract/ids.ts'
import { closingTime, type ClosingTime } from '../../contract/people/closing-time.ts'
import type { Team } from '../../contract/people/teams.ts'
import type { Classroom, ContestEntry } from '../../contract/procedures/classroom.ts'

// The closing times of teams in a class. Hand-ins, registrations, entries, candidates, the homes and all screens ask here, so that
// everybody acts on the same time.

type Kept = Pick<Classroom, 'deadlines' | 'extensions'>

/** The closing time of a team in a contest; null: the contest has no deadline. */
export function teamClosing(
  { deadlines, extensions }: Kept,
  team: Team,
  contest: ContestId | null,
): ClosingTime | null {
  const deadline = deadlines.find((each) => each.contest === contest)
  return deadline === undefined ? null : closingTime(deadline, team, extensions)
}

/** A contest whose entries are open until a time; ISO 8601. */
interface Open {
  readonly id: ContestId
  readonly entriesUntil: string
}

/** The time at which entries close for a team: its closing time, or that of the entries if the contest has no deadline. */
export function entriesUntilFor(content: Kept, { id, entriesUntil }: Open, team: Team | undefined): string {
  return team === undefined ? entriesUntil : (teamClosing(content, team, id)?.at ?? entriesUntil)
}

/**
 * The last time at which entries close for a team: the contest begins after it. Every team of the class may register
 * until its closing time if teams register; otherwise those count whose agents are entrants.
 */
export function lastEntries(
  content: Kept & Pick<Classroom, 'agents' | 'teams'>,
  contest: Open & Pick<ContestEntry, 'description' | 'registration'>,
): string {
  const names = new Set(contest.description.entrants.map(({ name }) => name))
  const owners = new Set(
    content.agents.flatMap(({ manifest, owner }) => (names.has(manifest.name) ? (owner ?? []) : [])),
  )
  return content.teams
    .filter(({ id, members }) => owners.has(id) || (contest.registration !== undefined && members.length > 0))
    .map((team) => entriesUntilFor(content, contest, team))
    .reduce((last, each) => (Date.parse(each) > Date.parse(last) ? each : last), contest.entriesUntil)
}
