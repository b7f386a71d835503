import type { FaultKind } from '../../../main/contract/faults.ts'

const names: Readonly<Record<FaultKind, string>> = {
  crash: 'Crashed',
  timeout: 'Too slow',
  stall: 'Went silent',
  memory: 'Too much memory',
  invalid: 'Answer not readable',
  protocol: 'Broke the dialogue',
  isolation: 'Tried to leave its box',
  host: 'Not its fault',
}

/** A fault in a student's words. */
export function faultName(kind: FaultKind): string {
  return names[kind]
}
