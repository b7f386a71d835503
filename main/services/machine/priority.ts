import { setPriority } from 'node:os'

/**
 * Lets a process and those that it starts from now on yield the cores to others; without effect if it has exited. `nice`: from 1 to 19, as
 * for the command of that name. Without rights of the administrator of the machine, nobody can take it back.
 */
export function yieldCores(pid: number | undefined, nice: number): void {
  if (pid === undefined) return
  try {
    setPriority(pid, nice)
  } catch {
    // It has exited, which is reported.
  }
}
