import type { Sha256 } from '../../../../main/contract/ids.ts'
import { policyBits, type SecurityPolicy } from '../../../../main/contract/contests/policy.ts'
import type { AgentSummary, AgentVersion } from '../../../../main/contract/procedures/procedures.ts'

/** The version of an agent that plays for its team under a policy; undefined if another agent does, or none. */
export function activeVersion({ versions }: AgentSummary, policy: SecurityPolicy): AgentVersion | undefined {
  const bits = policyBits(policy)
  return versions.find(({ active }) => active.includes(bits))
}

/** Why packages cannot play a contest with the chosen settings, by the package: as they declare it, or as a trial match found. */
export type Unfit = ReadonlyMap<Sha256, string>

/**
 * Why an agent of the game is not chosen by itself; null: it may be. Its trial match failed, or it cannot play with the
 * settings of this contest. A person may choose it all the same.
 */
function whyLeftOut(agent: AgentSummary, policy: SecurityPolicy, unfit: Unfit): string | null {
  const version = activeVersion(agent, policy)
  if (version === undefined) return null
  if (version.smoke?.ok === false) return version.smoke.text
  return unfit.get(version.agent) ?? null
}

/** The chosen agents, and those that were taken out because they cannot play, which return when they can. */
interface Chosen {
  readonly names: readonly string[]
  readonly aside: readonly string[]
}

/**
 * The chosen agents after verdicts have come in or settings have changed: those that newly fail are taken out, so that
 * no agent plays that nobody has chosen. `before`, `now`: why agents are left out, by name.
 */
export function chosenAfter(
  { names, aside }: Chosen,
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): Chosen {
  const out = names.filter((name) => now.has(name) && !before.has(name))
  const back = aside.filter((name) => !now.has(name))
  if (out.length === 0 && back.length === 0) return { names, aside }
  return {
    names: [...new Set([...names.filter((name) => !out.includes(name)), ...back])],
    aside: [...aside.filter((name) => now.has(name)), ...out],
  }
}

/** Why agents are left out, by name. */
export function leftOutOf(
  agents: readonly AgentSummary[],
  policy: SecurityPolicy,
  unfit: Unfit,
): ReadonlyMap<string, string> {
  return new Map(
    agents.flatMap((agent) => {
      const why = whyLeftOut(agent, policy, unfit)
      return why === null ? [] : [[agent.name, why] as const]
    }),
  )
}
