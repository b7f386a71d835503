import { getPriority, setPriority } from 'node:os'

/** The `nice` of those who yield to all others. */
const LOWEST = 19

/**
 * Lets a process and those that it starts from now on yield the cores to others; without effect if it has exited. `nice`: from 1 to 19, as
 * for the command of that name, beyond that of this process. Without rights of the administrator of the machine, nobody can take it back.
 */
export function yieldCores(pid: number | undefined, nice: number): void {
  if (pid === undefined) return
  try {
    setPriority(pid, Math.min(LOWEST, getPriority() + nice))
  } catch {
    // It has exited, which is reported.
  }
}
