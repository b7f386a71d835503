import type { FaultKind } from '../faults.ts'
import type { AgentFault } from '../procedures/agent-answers.ts'
import { patternOf } from '../text-patterns.ts'

/** Faults of one kind with one text, or removals for one reason. */
export interface FaultGroup {
  readonly kind: FaultKind | 'removed'
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

/** The kind of a fault; `removed`: a removal that no fault explains. */
export const kindOf = ({ what }: AgentFault): FaultGroup['kind'] => ('fault' in what ? what.fault.kind : 'removed')
export const textOf = ({ what }: AgentFault): string => ('fault' in what ? what.fault.text : what.removal)
