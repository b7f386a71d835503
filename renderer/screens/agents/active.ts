import { bitsMeant } from '../../../main/contract/policy.ts'
import type { AgentVersion } from '../../../main/contract/procedures.ts'

/** For which policies a version was handed in. */
export function meantFor({ policies }: Pick<AgentVersion, 'policies'>): string {
  return policies === null ? 'for any policy' : `for policy ${policies.join(', ')}`
}

/** Where it is the one agent of its team. */
export function activeWhere({ policies, active }: Pick<AgentVersion, 'policies' | 'active'>): string {
  if (active.length === 0) return 'inactive'
  if (active.length === bitsMeant(policies ?? undefined).length) return 'plays in contests'
  return `plays under ${active.join(', ')}`
}
