import type { AgentFault } from '../../../main/contract/procedures/procedures.ts'
import type { FaultKind } from '../../../main/contract/faults.ts'
import { patternOf } from '../../../main/contract/text-patterns.ts'

/** Faults of one kind, or removals for one reason. */
export interface FaultGroup {
  /** "Crashed", "Removed". */
  readonly kind: string
  /** Their common text, with … for numbers. */
  readonly text: string
  readonly times: number
  readonly newest: AgentFault
}

/** Faults by kind, most frequent first. `faults`: newest first. */
export function groupedFaults(faults: readonly AgentFault[]): readonly FaultGroup[] {
  const found = Map.groupBy(faults, (each) => `${kindOf(each)}\n${patternOf(textOf(each))}`)
  return [...found.values()]
    .map(([newest, ...others]): FaultGroup => {
      const text = others.length === 0 ? textOf(newest!) : patternOf(textOf(newest!))
      return { kind: kindOf(newest!), text, times: 1 + others.length, newest: newest! }
    })
    .sort((a, b) => b.times - a.times)
}

/** A fault's name for students; of a removal that no fault explains: that it was removed. */
export const kindOf = ({ what }: AgentFault): string => ('fault' in what ? faultName(what.fault.kind) : 'Removed')
export const textOf = ({ what }: AgentFault): string => ('fault' in what ? what.fault.text : what.removal)

const names: Readonly<Record<FaultKind, string>> = {
  crash: 'Crashed',
  timeout: 'Too slow',
  stall: 'Stopped answering',
  memory: 'Too much memory',
  invalid: 'Unreadable answer',
  protocol: 'Protocol error',
  isolation: 'Tried to break its isolation',
  host: 'Problem of this machine',
}

/** The name of a fault for students. */
function faultName(kind: FaultKind): string {
  return names[kind]
}
