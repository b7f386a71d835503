import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import type { ContestDescription } from '../../contract/contests.ts'
import type { EntrantId } from '../../contract/ids.ts'
import { DETAIL_MAX, type ContestDetail } from '../../contract/procedures.ts'

type Entrant = ContestDescription['entrants'][number]

/** Gives the name under which an entrant is among the class's agents; null: it is not, as a person or one that came along. */
export function agentOf({ content }: ClassFolder): (entrant: Entrant) => EntrantId | null {
  const names = Map.groupBy(content.agents, ({ hash }) => hash)
  return ({ name, agent }) => {
    const found = names.get(agent) ?? []
    return (found.find(({ manifest }) => manifest.name === name) ?? found.at(-1))?.manifest.name ?? null
  }
}

/** What a contest's detail says of entrants that are not among the class's agents by their own names. */
export function calledOtherwise(home: ClassFolder, { entrants }: ContestDescription): ContestDetail['otherwise'] {
  const agent = agentOf(home)
  return entrants
    .flatMap((entrant) => {
      const own = agent(entrant)
      return own === entrant.name ? [] : [{ entrant: entrant.name, agent: own }]
    })
    .slice(0, DETAIL_MAX)
}
