import { teamOf, versionsOf } from '../../../administrator/classroom/active-versions.ts'
import { standingsWithShares } from '../standings/component-shares.ts'
import type { Classroom, ContestEntry } from '../../../contract/procedures/classroom.ts'
import type { ShareRow } from '../../../contract/procedures/components.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import type { EntrantTeam } from '../../../contract/contests/contest-procedures.ts'
import type { StandingRow } from '../../../contract/contests/standings.ts'
import type { EntrantId } from '../../../contract/ids.ts'
import type { TeamId } from '../../../contract/people/teams.ts'
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

type Teams = Pick<Classroom, 'agents' | 'teams'>

/**
 * The team of each entrant, in their order; one that the class does not have is a team of its own name. A team under a pseudonym that played under
 * former names has there the first of those: together with its pseudonym they would tell whose it is.
 */
export function teamsOf(
  { agents, teams }: Teams,
  { entrants }: Pick<ContestDescription, 'entrants'>,
): readonly EntrantTeam[] {
  const hidden = new Set(teams.filter(({ called }) => called !== undefined).map(({ id }) => id))
  const former = new Map<TeamId, EntrantId>()
  return entrants.map((entrant) => {
    const [version] = versionsOf(agents, entrant)
    if (version === undefined) return { entrant: entrant.name, team: entrant.name }
    const { owner, manifest } = version
    if (owner === undefined || !hidden.has(owner) || manifest.name === entrant.name)
      return { entrant: entrant.name, team: teamOf(manifest) }
    if (!former.has(owner)) former.set(owner, entrant.name)
    return { entrant: entrant.name, team: former.get(owner)! }
  })
}

/**
 * The standings with shares of a contest, from its standings, the components that its entry names, and the teams of the class; null:
 * it has no share. Nobody gets anything for a component that no team of the class has published.
 */
export function sharesOf(
  { agents, teams, components }: Teams & Pick<Classroom, 'components'>,
  { description, components: used = [] }: Pick<ContestEntry, 'description' | 'components'>,
  standings: readonly StandingRow[],
): readonly ShareRow[] | null {
  const { componentShare, entrants } = description
  if (componentShare === undefined) return null
  const names = teamsOf({ agents, teams }, description).map(({ team }) => team)
  const nameOf = new Map(entrants.map((entrant, at) => [versionsOf(agents, entrant)[0]?.owner, names[at]!]))
  // An author who plays has the same name on both sides.
  const authors = new Map(
    components.map(({ hash, author, owner }) => [hash, owner === undefined ? author : (nameOf.get(owner) ?? author)]),
  )
  const authorsIn = new Map(used.map(({ agent, uses }) => [agent, uses.flatMap(({ hash }) => authors.get(hash) ?? [])]))
  const sharing = entrants.map(({ name, agent }, at) => ({
    ...{ agent: name, team: names[at]!, authors: authorsIn.get(agent) ?? [] },
  }))
  return standingsWithShares(standings, sharing, componentShare)
}
