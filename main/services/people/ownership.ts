import type { EntrantId } from '../../contract/ids.ts'
import type { TeamId } from '../../contract/people/teams.ts'
import type { Caller } from '../../contract/people/caller.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { PublishingTeam } from '../../contract/procedures/components.ts'
import type { Classroom } from '../../contract/procedures/classroom.ts'

/**
 * The team to which an agent of the class belongs, by its newest version. null: it is the educator's own; undefined: the class has no
 * such agent.
 */
export function ownerOfAgent({ agents }: Pick<Classroom, 'agents'>, name: EntrantId): TeamId | null | undefined {
  const newest = agents.findLast(({ manifest }) => manifest.name === name)
  return newest === undefined ? undefined : (newest.owner ?? null)
}

/** The team for which a student publishes; others name the author. Throws ExpectedError 'usage' if the student has no team. */
export function publisherOf({ teams }: Pick<Classroom, 'teams'>, { role, team }: Caller): Partial<PublishingTeam> {
  if (role !== 'student') return {}
  const own = teams.find(({ id }) => id === team)
  if (own === undefined)
    throw new ExpectedError('usage', 'team-needed', 'Only a team can publish a component: form or join one first.')
  return { author: own.name, owner: own.id }
}
