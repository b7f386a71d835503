import { versionsOf } from '../../administrator/classroom/active-versions.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import type { Classroom } from '../../contract/classroom.ts'
import type { ContestDescription } from '../../contract/contests.ts'
import type { EntrantId } from '../../contract/ids.ts'
import { DETAIL_MAX, type ContestDetail } from '../../contract/procedures.ts'

type Entrant = ContestDescription['entrants'][number]

/** Gives the name under which an entrant is among the class's agents; null: it is not, as a person or one that came along. */
export function agentOf({ agents }: Pick<Classroom, 'agents'>): (entrant: Entrant) => EntrantId | null {
  const known = Map.groupBy(agents, ({ hash }) => hash)
  return (entrant) => versionsOf(known.get(entrant.agent) ?? [], entrant)[0]?.manifest.name ?? null
}

/** Which entrants of a contest are this agent. */
export function ownEntrants(content: Classroom, name: EntrantId, entrants: readonly Entrant[]): readonly EntrantId[] {
  const agent = agentOf(content)
  return entrants.filter((entrant) => agent(entrant) === name).map((entrant) => entrant.name)
}

/** What a contest's detail says of entrants that are not among the class's agents by their own names. */
export function calledOtherwise(
  { content }: ClassFolder,
  { entrants }: ContestDescription,
): ContestDetail['otherwise'] {
  const agent = agentOf(content)
  return entrants
    .flatMap((entrant) => {
      const own = agent(entrant)
      return own === entrant.name ? [] : [{ entrant: entrant.name, agent: own }]
    })
    .slice(0, DETAIL_MAX)
}
