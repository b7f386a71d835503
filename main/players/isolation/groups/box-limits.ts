import type { GroupLimits } from './group.ts'

const megabyte = 1_048_576
/** Beyond the agent's own memory: /tmp and /dev/shm of its box, which are in memory, and what the box itself takes. */
const boxMegabytes = 48
/** The agent's 256, which the box limits too, and those of the box. */
const tasksMax = 300

/**
 * What the kernel enforces at once and for everything in a box: kernel memory and files in memory count. The agent's own
 * limit is narrower and enforced by the watchdog. `fileBytes`: other files in memory.
 */
export const boxLimits = (memoryMb: number, fileBytes = 0): GroupLimits => ({
  memoryBytes: (memoryMb + boxMegabytes) * megabyte + fileBytes,
  tasks: tasksMax,
})
