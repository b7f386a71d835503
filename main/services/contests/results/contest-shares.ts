import { teamOf, versionsOf } from '../../../administrator/classroom/active-versions.ts'
import { standingsWithShares } from '../standings/component-shares.ts'
import type { Classroom, ContestEntry } from '../../../contract/procedures/classroom.ts'
import type { ShareRow } from '../../../contract/procedures/components.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import type { EntrantTeam } from '../../../contract/contests/contest-procedures.ts'
import type { StandingRow } from '../../../contract/contests/standings.ts'
import { usesReader } from '../../components/class-components.ts'

/** The components in the packages of a contest's entrants, as its entry keeps them. */
export async function componentsOfEntrants(
  data: string,
  { entrants }: Pick<ContestDescription, 'entrants'>,
): Promise<NonNullable<ContestEntry['components']>> {
  const usesOf = usesReader(data)
  const agents = [...new Set(entrants.map(({ agent }) => agent))]
  const uses = await Promise.all(agents.map(async (agent) => ({ agent, uses: [...(await usesOf(agent))] })))
  return uses.filter((each) => each.uses.length > 0)
}

/** The team of each entrant, in their order; one that the class does not have is a team of its own name. */
export function teamsOf(
  { agents }: Pick<Classroom, 'agents'>,
  { entrants }: Pick<ContestDescription, 'entrants'>,
): readonly EntrantTeam[] {
  return entrants.map((entrant) => {
    const [version] = versionsOf(agents, entrant)
    return { entrant: entrant.name, team: version === undefined ? entrant.name : teamOf(version.manifest) }
  })
}

/**
 * The standings with shares of a contest, from its standings, the components that its entry names, and the teams of the class; null:
 * it has no share. Nobody gets anything for a component that no team of the class has published.
 */
export function sharesOf(
  { agents, components }: Pick<Classroom, 'agents' | 'components'>,
  { description, components: used = [] }: Pick<ContestEntry, 'description' | 'components'>,
  standings: readonly StandingRow[],
): readonly ShareRow[] | null {
  const { componentShare, entrants } = description
  if (componentShare === undefined) return null
  const authors = new Map(components.map(({ hash, author }) => [hash, author]))
  const authorsIn = new Map(used.map(({ agent, uses }) => [agent, uses.flatMap(({ hash }) => authors.get(hash) ?? [])]))
  const teams = teamsOf({ agents }, description)
  const sharing = entrants.map(({ name, agent }, at) => ({
    ...{ agent: name, team: teams[at]!.team, authors: authorsIn.get(agent) ?? [] },
  }))
  return standingsWithShares(standings, sharing, componentShare)
}
