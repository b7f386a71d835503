import { codeOf } from './machine-error.ts'

/** True if no process of this machine has an id. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    // EPERM: a process of another user has it.
    return codeOf(error) === 'ESRCH'
  }
}
