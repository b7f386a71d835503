import { allowedCalls, type CallNumbers } from './allowed-calls.ts'
import {
  buildCalls,
  judgedCalls,
  pretendedCalls,
  unsupportedCalls,
  type ErrorName,
  type JudgedCall,
} from './judged-calls.ts'

/** The machines whose system call numbers are known. */
export type Machine = 'x64' | 'arm64'

/** The use of a box: an agent, an agent with a shared folder, or the build step of a package. */
export type BoxUse = 'agent' | 'shared' | 'build'

/** The kernel's action on a call: allow it, pretend that it succeeded, refuse it with an error, or decide by an argument. */
export type CallAction = 'allow' | 'pretend' | ErrorName | Omit<JudgedCall, 'numbers'>

/** The calls of a machine that do not get the error ENOSYS, by number. */
export function callActions(machine: Machine, use: BoxUse): ReadonlyMap<number, CallAction> {
  const found = new Map<number, CallAction>()
  const set = (numbers: CallNumbers, action: CallAction): void => {
    const number = numberOn(machine, numbers)
    if (number !== null) found.set(number, action)
  }
  for (const call of Object.values(judgedCalls)) set(call.numbers, call)
  for (const numbers of Object.values(allowedCalls)) set(numbers, 'allow')
  for (const numbers of Object.values(unsupportedCalls)) set(numbers, 'ENOTSUP')
  set(pretendedCalls.flock, 'pretend')
  if (use === 'build') {
    set(buildCalls.flock, 'allow')
    set(judgedCalls.fcntl.numbers, buildCalls.fcntl)
  }
  // Through sockets in a shared folder agents could pass open descriptors to each other.
  if (use === 'shared') set(allowedCalls.bind, 'EPERM')
  return found
}

/** The number of a call on a machine; null if the machine does not have it. */
export const numberOn = (machine: Machine, [x64, arm64]: CallNumbers): number | null =>
  machine === 'x64' ? x64 : arm64

/** The machine that this program runs on; null: its system calls are not known. */
export function machineOf(arch: string): Machine | null {
  return arch === 'x64' || arch === 'arm64' ? arch : null
}
