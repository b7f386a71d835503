import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  killAll,
  makeGroupFolder,
  numberAfter,
  numberInFile,
  openGroupFile,
  pidsIn,
  removeFolder,
  write,
  writeIfPossible,
  type GroupSetting,
} from './files.ts'
import type { GroupFiles, GroupLimits, GroupVersion, Weight } from './group.ts'
import type { CgroupPlace } from './mounts.ts'

const needed = ['memory', 'pids', 'cpuacct'] as const
const shares: Readonly<Record<Weight, string>> = { usual: '1024', low: '51' }
/** While everything in a group is killed, processes may be made that are on no list yet. */
const roundsMax = 10
/** The kernel takes memory for a group in pieces, so that less than this may be left when one is refused. */
const marginBytes = 1_048_576

/**
 * Version 1: a hierarchy for each controller, and a group in each of them, below the group of this process. Kernel
 * memory is a part of `memory`. Returns a phrase if a controller is missing.
 */
export function versionOne(places: readonly CgroupPlace[]): GroupVersion | string {
  const parentOf = (controller: string): string | undefined =>
    places.find(({ controllers }) => controllers?.includes(controller))?.own
  const [memory, pids, cpuacct] = needed.map(parentOf)
  if (memory === undefined || pids === undefined || cpuacct === undefined) {
    const missing = needed.filter((controller) => parentOf(controller) === undefined)
    return `the control groups of version 1 have no ${missing.join(' and no ')} controller`
  }
  const cpu = parentOf('cpu')
  const parents = [...new Set([memory, pids, cpuacct, ...(cpu === undefined ? [] : [cpu])])]
  return { version: 'v1', parents, open: (name) => openGroup({ memory, pids, cpuacct, cpu, parents }, name) }
}

interface Parents {
  readonly memory: string
  readonly pids: string
  readonly cpuacct: string
  readonly cpu: string | undefined
  readonly parents: readonly string[]
}

function openGroup({ parents, ...parentOf }: Parents, name: string): GroupFiles {
  const folders = parents.map((parent) => join(parent, name))
  for (const folder of folders) makeGroupFolder(folder)
  const [memory, pids] = [join(parentOf.memory, name), join(parentOf.pids, name)]
  const cpu = parentOf.cpu === undefined ? null : join(parentOf.cpu, name)
  const usage = openGroupFile(join(parentOf.cpuacct, name, 'cpuacct.usage'))
  const oom = openGroupFile(join(memory, 'memory.oom_control'))
  const swap = existsSync(join(memory, 'memory.memsw.limit_in_bytes'))
  // Swap is in the second, and what both may be is the same. Since Linux 6.15 memory.failcnt may stay 0.
  const peakFile = swap ? 'memory.memsw.max_usage_in_bytes' : 'memory.max_usage_in_bytes'
  const peak = openGroupFile(join(memory, peakFile))
  let memoryBytes = Infinity
  return {
    // To move all threads of a process, the kernel waits for all processors of the machine; to move one it does not.
    joins: folders.map((folder) => join(folder, 'tasks')),
    limit(limits) {
      write(memory, memorySettings(limits, swap))
      // For any value that is written, the peak begins at the memory in use.
      write(memory, [[peakFile, '0']])
      memoryBytes = limits.memoryBytes
      write(pids, [['pids.max', String(limits.tasks)]])
      // Without swap there is nothing to say about it.
      writeIfPossible(memory, [['memory.swappiness', '0']])
    },
    cpuMs: () => Number(usage.read()) / 1e6,
    setWeight(weight) {
      if (cpu !== null) write(cpu, [['cpu.shares', shares[weight]]])
    },
    memoryEvents: () => ({
      kills: numberAfter('oom_kill', oom.read()),
      limitHits: Number(peak.read()) > memoryBytes - marginBytes ? 1 : 0,
    }),
    pids: () => [...new Set(folders.flatMap(pidsIn))],
    tasks: () => numberInFile(join(pids, 'pids.current')),
    kill() {
      writeIfPossible(pids, [['pids.max', '0']])
      for (let round = 0; round < roundsMax; round++) {
        const left = [...new Set(folders.flatMap(pidsIn))]
        if (left.length === 0) return
        killAll(left)
      }
    },
    remove() {
      for (const file of [usage, oom, peak]) file.close()
      return folders.map(removeFolder).every((gone) => gone)
    },
  }
}

/**
 * The limit of memory and swap together may not be below that of memory, and a used group has both: so the way up
 * begins with no limit.
 */
export function memorySettings({ memoryBytes }: GroupLimits, swap: boolean): readonly GroupSetting[] {
  const limit = String(memoryBytes)
  const memory: GroupSetting = ['memory.limit_in_bytes', limit]
  return swap ? [['memory.memsw.limit_in_bytes', '-1'], memory, ['memory.memsw.limit_in_bytes', limit]] : [memory]
}
