import type { AgentFault } from '../../../main/contract/procedures/procedures.ts'
import * as groups from '../../../main/contract/players/fault-groups.ts'

/** Faults of one kind, or removals for one reason. */
export interface FaultGroup extends Omit<groups.FaultGroup, 'kind'> {
  /** "Crashed", "Removed". */
  readonly kind: string
}

/** Faults by kind, most frequent first. `faults`: newest first. */
export function groupedFaults(faults: readonly AgentFault[]): readonly FaultGroup[] {
  return groups.groupedFaults(faults).map((group) => ({ ...group, kind: faultName(group.kind) }))
}

/** A fault's name for students; of a removal that no fault explains: that it was removed. */
export const kindOf = (fault: AgentFault): string => faultName(groups.kindOf(fault))
export const { textOf } = groups

const names: Readonly<Record<groups.FaultGroup['kind'], string>> = {
  crash: 'Crashed',
  timeout: 'Too slow',
  stall: 'Stopped answering',
  memory: 'Too much memory',
  invalid: 'Unreadable answer',
  protocol: 'Protocol error',
  isolation: 'Tried to break its isolation',
  host: 'Problem of this machine',
  removed: 'Removed',
}

/** The name of a fault for students. */
export function faultName(kind: groups.FaultGroup['kind']): string {
  return names[kind]
}
