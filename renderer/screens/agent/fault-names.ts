import type { FaultKind } from '../../../main/contract/faults.ts'

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
export function faultName(kind: FaultKind): string {
  return names[kind]
}
