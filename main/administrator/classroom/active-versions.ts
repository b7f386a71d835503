import type { AgentManifest } from '../../contract/players/agents.ts'
import type { StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import type { ContestDescription } from '../../contract/contests/contests.ts'
import type { Sha256 } from '../../contract/ids.ts'
import { nameKey } from '../../contract/names.ts'
import { policyBits, policyName, policyOf } from '../../contract/contests/policy.ts'
import { bitsMeant } from '../../contract/contests/policy-patterns.ts'
import { ExpectedError } from '../../contract/expected-error.ts'

/** The name of an agent's team; without one, the agent is a team of its own. */
export const teamOf = ({ team, name }: AgentManifest): string => team ?? name

/** Equal for agents of one team. */
export const teamKey = (manifest: AgentManifest): string => nameKey(teamOf(manifest))

/** For each version, the policies (such as `010`) under which it is its team's active agent. */
export type ActivePolicies = ReadonlyMap<StoredAgentVersion, readonly string[]>

/**
 * A team has one active agent in each game under each policy: the last one handed in that is meant for the policy.
 * Handing an older one in again makes it active again. A version that is marked as inactive is not counted. `agents`: oldest first, as in
 * `class.json`.
 */
export function activePolicies(agents: readonly StoredAgentVersion[]): ActivePolicies {
  const taken = new Set<string>()
  const active = new Map<StoredAgentVersion, readonly string[]>()
  for (const version of agents.toReversed()) {
    const { manifest, inactive } = version
    if (inactive !== undefined) {
      active.set(version, [])
      continue
    }
    const free = bitsMeant(manifest.policies).filter((bits) => !taken.has(slotKey(manifest, bits)))
    for (const bits of free) taken.add(slotKey(manifest, bits))
    active.set(version, free)
  }
  return active
}

const slotKey = (manifest: AgentManifest, bits: string): string => `${manifest.game} ${bits} ${teamKey(manifest)}`

/**
 * The agents of the class with an entrant's package. Several agents may have the same package but different teams and
 * policies: then those with the entrant's name, otherwise those that had this name before they were renamed.
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

/** The version that plays now for the team of an entrant's agent; undefined: the class has no such agent. */
export function playingVersion(
  agents: readonly StoredAgentVersion[],
  { game, policy }: Pick<ContestDescription, 'game' | 'policy'>,
  entrant: { readonly name: string; readonly agent: Sha256 },
): StoredAgentVersion | undefined {
  const bits = policyBits(policyOf({ policy }))
  const players = agents.filter(({ manifest }) => manifest.game === game)
  const [version] = versionsOf(players, entrant)
  if (version === undefined) return undefined
  const active = activePolicies(agents)
  const team = teamKey(version.manifest)
  return players.find((each) => teamKey(each.manifest) === team && active.get(each)?.includes(bits) === true)
}

/**
 * Throws ExpectedError 'usage' if an entrant is an agent of the class but not its team's active one under the contest's
 * policy.
 */
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
    // An agent that is not meant for the policy is refused elsewhere.
    if (version === undefined || !bitsMeant(version.manifest.policies).includes(bits)) continue
    if (known.some(isActive)) continue
    const team = teamOf(version.manifest)
    const ofTeam = players.filter(({ manifest }) => teamKey(manifest) === teamKey(version.manifest))
    const other = ofTeam.find(isActive)
    const is =
      other === undefined
        ? 'none'
        : other.manifest.name === version.manifest.name
          ? 'a newer version of it'
          : `"${other.manifest.name}"`
    throw new ExpectedError(
      'usage',
      'team-agent-inactive',
      `Entrant "${name}" is not the active agent of the team "${team}" under the policy "${policyName(policy)}": ${is} is.`,
    )
  }
}
