import { bitsMeant } from '../../../main/contract/contests/policy.ts'
import type { AgentVersion } from '../../../main/contract/procedures/procedures.ts'

/** The policies that a version was handed in for. */
export function meantFor({ policies }: Pick<AgentVersion, 'policies'>): string {
  return policies === null ? 'for any policy' : `for policy ${policies.join(', ')}`
}

/** Its team and the policies that it is meant for; '' if both are the defaults. */
export function belongsTo(name: string, version: Pick<AgentVersion, 'team' | 'policies'>): string {
  return [
    ...(version.team === name ? [] : [`team ${version.team}`]),
    ...(version.policies === null ? [] : [meantFor(version)]),
  ].join(', ')
}

/** The contests for which it is its team's agent. */
export function activeWhere({ policies, active, smoke }: Pick<AgentVersion, 'policies' | 'active' | 'smoke'>): string {
  if (active.length === 0) return 'inactive'
  if (smoke?.ok === false) return 'not fit to play, but contests take it'
  if (active.length === bitsMeant(policies ?? undefined).length) return 'plays in contests'
  return `plays under ${active.join(', ')}`
}
