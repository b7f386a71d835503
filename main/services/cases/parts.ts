import type { Side } from '../../contract/cases/cases.ts'
import { endOfPart } from '../../contract/cases/hearing-parts.ts'
import type { CaseState } from './case-state.ts'

/**
 * True if a side states or shows something after its part of a live hearing. It stands, and is marked. Before its part nobody is late, and
 * replies never are: the panel asks when it likes.
 */
export function isLate({ filed, stage, stages, deadline, at }: CaseState, side: Side): boolean {
  if (filed.settings.mode !== 'live' || stage !== 'hearing') return false
  const begun = Date.parse(stages.at(-1)!.at)
  return Date.parse(at) - begun >= endOfPart(side, Date.parse(deadline!) - begun)
}
