import { bitsMeant, nameOfBits, patternText } from '../../../main/contract/contests/policy-patterns.ts'
import { supersededBy, versionState } from '../../../main/contract/people/version-state.ts'
import type { AgentVersion } from '../../../main/contract/procedures/procedures.ts'

/** The contests that a version was handed in for. */
export function meantFor({ policies }: Pick<AgentVersion, 'policies'>): string {
  return `for ${(policies ?? ['***']).map(patternText).join('; or for ')}`
}

/** Its team and the policies that it is meant for; '' if both are the defaults. */
export function belongsTo(name: string, version: Pick<AgentVersion, 'team' | 'policies'>): string {
  return [
    ...(version.team === name ? [] : [`team ${version.team}`]),
    ...(version.policies === null ? [] : [meantFor(version)]),
  ].join(', ')
}

type Shown = Pick<
  AgentVersion,
  'policies' | 'active' | 'smoke' | 'inactive' | 'trial' | 'handIn' | 'number' | 'submitted'
>

/** Its state, and the contests for which it is its team's agent. `versions`: those of its agent. */
export function activeWhere(version: Shown, versions: readonly Shown[]): string {
  const { policies, active, handIn } = version
  const contest = handIn?.contestTitle ?? null
  const state = versionState(version)
  const later = state === 'candidate' ? supersededBy(version, versions) : null
  if (later !== null)
    return versionState(later) === 'active' ? 'inactive' : `inactive: version ${later.number} is the candidate`
  const where =
    active.length === bitsMeant(policies ?? undefined).length
      ? 'plays in contests'
      : `plays under the policy ${active.map((bits) => `“${nameOfBits(bits)}”`).join(' or ')}`
  const words = {
    received: 'received: it waits for its trial match',
    trying: active.length > 0 ? where : 'received: its trial match is being played',
    failed: active.length > 0 ? 'not fit to play, but contests take it' : 'its trial failed: it does not play',
    candidate:
      contest === null
        ? 'candidate: it is about to become active'
        : `candidate: becomes active when “${contest}” closes`,
    active: where,
    replaced: 'inactive',
    withdrawn: 'withdrawn by its team',
    paused: 'paused by the educator',
    kept: 'too late: kept, does not count',
  } as const
  return words[state]
}
