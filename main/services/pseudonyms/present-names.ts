import type { Classroom, StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import type { TeamId } from '../../contract/people/teams.ts'
import type { EntrantId } from '../../contract/ids.ts'
import type { Becomes } from '../../contract/procedures/procedures.ts'
import { agentPseudonym, givePseudonyms } from './pseudonyms.ts'

// A file is read for minutes, and its team may get a pseudonym meanwhile: names that were chosen before are looked up when the class gets the version.

/** The names of a team's hand-in at present: of the team, and of the agent that the file becomes. */
export function presentNames(
  content: Classroom,
  { id, name }: { readonly id: TeamId; readonly name: EntrantId },
  becomes: Becomes,
): { readonly team: EntrantId; readonly becomes: Becomes } {
  const team = content.teams.find((each) => each.id === id)
  if (becomes.what === 'version')
    return { team: team?.name ?? name, becomes: { what: 'version', of: presentAgent(content, id, becomes.of) } }
  // A team under a pseudonym has agents under it, whatever their files are called.
  const isHidden = team?.called !== undefined
  return {
    team: team?.name ?? name,
    becomes: isHidden ? { what: 'agent', name: agentPseudonym(content, team) } : becomes,
  }
}

/** The name of an agent of a team that has, or had, a name; the same name if it has no such agent. */
export function presentAgent({ agents }: Pick<Classroom, 'agents'>, owner: TeamId, name: EntrantId): EntrantId {
  const own = agents.filter((each) => each.owner === owner)
  if (own.some(({ manifest }) => manifest.name === name)) return name
  return own.findLast(({ formerly = [] }) => formerly.includes(name))?.manifest.name ?? name
}

/** A version with the present names of its agent and team, if that has got a pseudonym since it was made. */
export function withPresentNames(content: Classroom, version: StoredAgentVersion): StoredAgentVersion {
  const { owner, manifest, formerly = [] } = version
  const team = content.teams.find(({ id }) => id === owner)
  if (team?.called === undefined) return version
  const name = presentAgent(content, team.id, manifest.name)
  return {
    ...version,
    manifest: { ...manifest, name, team: team.name },
    ...(name === manifest.name ? {} : { formerly: [...formerly, manifest.name] }),
  }
}

/** Gives a version that has just come in the name of its team's pseudonym, and returns the name of its agent. */
export function nameOfNew(content: Classroom, { hash, owner, manifest }: StoredAgentVersion): EntrantId {
  const version = content.agents.find(
    (each) => each.hash === hash && each.owner === owner && each.manifest.name === manifest.name,
  )
  givePseudonyms(content)
  return version?.manifest.name ?? manifest.name
}
