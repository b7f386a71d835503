import type { AgentManifest } from '../../contract/agents.ts'
import type { StoredAgentVersion } from '../../contract/classroom.ts'
import type { ContestDescription } from '../../contract/contests.ts'
import type { Sha256 } from '../../contract/ids.ts'
import { nameKey } from '../../contract/names.ts'
import { bitsMeant, policyBits, policyName, policyOf } from '../../contract/policy.ts'
import { ExpectedError } from '../../contract/expected-error.ts'

/** Whose agent it is; one that names no team is a team of its own. */
export const teamOf = ({ team, name }: AgentManifest): string => team ?? name

/** Equal for agents of one team. */
export const teamKey = (manifest: AgentManifest): string => nameKey(teamOf(manifest))

/** By version, the policies (`010`) under which it is its team's agent. */
export type ActivePolicies = ReadonlyMap<StoredAgentVersion, readonly string[]>

/**
 * A team has one active agent in a game under each policy: what it handed in last that is meant for it. Whatever was that
 * before is not any more; handed in again it is. `agents`: oldest first, as a class keeps them.
 */
export function activePolicies(agents: readonly StoredAgentVersion[]): ActivePolicies {
  const taken = new Set<string>()
  const active = new Map<StoredAgentVersion, readonly string[]>()
  for (const version of agents.toReversed()) {
    const { manifest } = version
    const free = bitsMeant(manifest.policies).filter((bits) => !taken.has(placeOf(manifest, bits)))
    for (const bits of free) taken.add(placeOf(manifest, bits))
    active.set(version, free)
  }
  return active
}

const placeOf = (manifest: AgentManifest, bits: string): string => `${manifest.game} ${bits} ${teamKey(manifest)}`

/**
 * Which of the class's agents an entrant may be, by its package: of several that have it the one of the entrant's name, which
 * may have another team and other policies than the rest, else one that had this name before it was renamed.
 */
export function versionsOf(
  agents: readonly StoredAgentVersion[],
  { name, agent }: { readonly name: string; readonly agent: Sha256 },
): readonly StoredAgentVersion[] {
  const known = agents.filter(({ hash }) => hash === agent)
  const named = known.filter(({ manifest }) => manifest.name === name)
  if (named.length > 0) return named
  const renamed = known.filter(({ formerly = [] }) => formerly.includes(name))
  return renamed.length > 0 ? renamed : known
}

/** Throws ExpectedError 'usage' where an entrant is among the class's agents, but not its team's active one under the contest's policy. */
export function checkActive(
  agents: readonly StoredAgentVersion[],
  { game, entrants, policy: written }: Pick<ContestDescription, 'game' | 'entrants' | 'policy'>,
): void {
  const policy = policyOf({ policy: written })
  const bits = policyBits(policy)
  const active = activePolicies(agents)
  const isActive = (version: StoredAgentVersion): boolean => active.get(version)?.includes(bits) === true
  const players = agents.filter(({ manifest }) => manifest.game === game)
  for (const entrant of entrants) {
    const { name } = entrant
    const known = versionsOf(players, entrant)
    const [version] = known
    // One that is not meant for the policy at all is refused as that.
    if (version === undefined || !bitsMeant(version.manifest.policies).includes(bits)) continue
    if (known.some(isActive)) continue
    const team = teamOf(version.manifest)
    const ofTeam = players.filter(({ manifest }) => teamKey(manifest) === teamKey(version.manifest))
    // If it is not itself, one that was handed in since is.
    const other = ofTeam.find(isActive)!
    const is = other.manifest.name === version.manifest.name ? 'a newer version of it' : `"${other.manifest.name}"`
    throw new ExpectedError(
      'usage',
      `Entrant "${name}" is not the active agent of the team "${team}" under ${policyName(policy)}: ${is} is.`,
    )
  }
}
