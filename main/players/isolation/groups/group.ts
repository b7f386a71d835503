import type { Launch } from '../launch.ts'

/** Limits of a group. Everything that its processes cause in the kernel counts as their memory. */
export interface GroupLimits {
  readonly memoryBytes: number
  /** Threads and processes. */
  readonly tasks: number
  /** True for a build, whose processes have many pipes: it may hold more local sockets where there are no groups. */
  readonly isBuild?: boolean
}

/** `usual`: as much of a busy core as any other program. `low`: a twentieth of that. Idle cores are free to both. */
export type Weight = 'usual' | 'low'

/**
 * A group that one box and all that it starts run in: a script's host, which serves one agent's matches one after the
 * other, or the process of a program, for a match or a move. The kernel counts what they use together.
 */
export interface AgentGroup {
  /** The same command, which joins the group before it does anything else. */
  enter(launch: Launch): Launch
  /** Processor time of all that ever ran in it, in ms; null: not counted. Only differences mean something. */
  cpuMs(): number | null
  /** Sets the share of busy cores. Does nothing where that is not possible. */
  setWeight(weight: Weight): void
  /**
   * True if the kernel has killed a process of it because it had reached its limit of memory; when the machine has run out
   * of memory, no agent is at fault. Without groups: true if it holds too much that does not belong to any process's
   * memory; `pids`: its processes.
   */
  ranOutOfMemory(pids?: readonly number[]): boolean
  /** Kills everything in it. It is not to be used afterwards. Idempotent. */
  end(): void
}

/** Starts something in a group, which ends if that throws: the system may be short of descriptors or memory. */
export function startIn<Started>(group: AgentGroup, start: () => Started): Started {
  try {
    return start()
  } catch (error) {
    group.end()
    throw error
  }
}

/** The groups of this process. */
export interface Groups {
  /** The version of control groups; null: there are none. */
  readonly version: 'v1' | 'v2' | null
  /** Why there are none; null: there are. A phrase. */
  readonly missing: string | null
  /** An empty group with these limits. Throws if the system refuses it. */
  take(limits: GroupLimits): AgentGroup
}

/** Counts since the group was made. */
export interface MemoryEvents {
  /** Processes that the kernel has ended for lack of memory, whether the group's or the machine's. */
  readonly kills: number
  /** How often the group has reached its own limit; version 1 tells only whether it has, since `limit` was called. */
  readonly limitHits: number
}

/**
 * The files of one group in one version of control groups. Refusals of the system are thrown, except by `kill` and
 * `remove`.
 */
export interface GroupFiles {
  /** A process of one thread that writes 0 to each of these files has joined the group. */
  readonly joins: readonly string[]
  limit(limits: GroupLimits): void
  cpuMs(): number
  setWeight(weight: Weight): void
  memoryEvents(): MemoryEvents
  /** The processes in it that have not ended. */
  pids(): readonly number[]
  /** How many threads and processes count against its limit; one that has ended does so until its parent has noticed. */
  tasks(): number
  /** Kills everything in it; nothing can be started in it until `limit` is called again. */
  kill(): void
  /** Removes an empty group; returns whether it is gone. Idempotent. */
  remove(): boolean
}

/** A version of control groups that works here. */
export interface GroupVersion {
  readonly version: 'v1' | 'v2'
  /** The folders that groups are made in. */
  readonly parents: readonly string[]
  /** Makes a group, or opens what is left of one. */
  open(name: string): GroupFiles
}

const megabyte = 1_048_576
/** Beyond the agent's own memory: /tmp and /dev/shm of its box, which are in memory, and what the box itself takes. */
const boxMegabytes = 48
/** The agent's 256, which the box limits too, and those of the box. */
const tasksMax = 300

/**
 * Limits that the kernel enforces at once and for everything in a box: kernel memory and files in memory count. The agent's own
 * limit is narrower and enforced by the watchdog. `fileBytes`: other files in memory, which only builds have.
 */
export const boxLimits = (memoryMb: number, fileBytes = 0): GroupLimits => ({
  memoryBytes: (memoryMb + boxMegabytes) * megabyte + fileBytes,
  tasks: tasksMax,
  isBuild: fileBytes > 0,
})

/**
 * Joins the groups, has the kernel choose these processes first when the machine runs out of memory, and becomes the
 * command. A process that could not join would be counted nowhere: it ends as if it had been killed from outside.
 */
const script =
  'echo 1000 > /proc/self/oom_score_adj; while [ "$1" != -- ]; do echo 0 > "$1" || kill -9 $$; shift; done; shift; exec "$@"'

/** The command, as a process of the groups with these files. */
export function entering(sh: string, joins: readonly string[], { file, args, ...launch }: Launch): Launch {
  return { ...launch, file: sh, args: ['-c', script, 'sh', ...joins, '--', file, ...args] }
}
