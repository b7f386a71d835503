import { versionsOf } from '../../administrator/classroom/active-versions.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import type { Classroom } from '../../contract/procedures/classroom.ts'
import type { ContestDescription } from '../../contract/contests/contests.ts'
import type { EntrantId } from '../../contract/ids.ts'
import { DETAIL_MAX, type ContestDetail } from '../../contract/procedures/procedures.ts'

type Entrant = ContestDescription['entrants'][number]

/**
 * Returns the name of an entrant among the class's agents; null for people and for agents that the class does not have.
 */
export function agentOf({ agents }: Pick<Classroom, 'agents'>): (entrant: Entrant) => EntrantId | null {
  const known = Map.groupBy(agents, ({ hash }) => hash)
  return (entrant) => versionsOf(known.get(entrant.agent) ?? [], entrant)[0]?.manifest.name ?? null
}

/** The entrants of a contest that are this agent. */
export function ownEntrants(
  content: Pick<Classroom, 'agents'>,
  name: EntrantId,
  entrants: readonly Entrant[],
): readonly EntrantId[] {
  const agent = agentOf(content)
  return entrants.filter((entrant) => agent(entrant) === name).map((entrant) => entrant.name)
}

/**
 * The entrants whose name in the contest is not that of their agent in the class; `agent` null: not an agent of the
 * class.
 */
export function renamedEntrants({ content }: ClassFolder, { entrants }: ContestDescription): ContestDetail['renamed'] {
  const agent = agentOf(content)
  return entrants
    .flatMap((entrant) => {
      const own = agent(entrant)
      return own === entrant.name ? [] : [{ entrant: entrant.name, agent: own }]
    })
    .slice(0, DETAIL_MAX)
}
