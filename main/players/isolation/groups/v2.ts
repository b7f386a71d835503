import { readFileSync } from 'node:fs'
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
import { ancestors, type CgroupPlace } from './mounts.ts'

const needed = ['memory', 'pids'] as const
const weights: Readonly<Record<Weight, string>> = { usual: '100', low: '5' }

/**
 * Version 2: one hierarchy. A group that holds processes, as that of this process does, can hand its controllers to no
 * group below it; so groups are made beside it, in the nearest folder above that has handed on what is needed:
 * under systemd, in the slice of the user or of its scope. Only an attempt shows if they may be made there.
 * Returns a phrase if there is no such folder.
 */
export function versionTwo(places: readonly CgroupPlace[]): GroupVersion | string {
  const place = places.find(({ controllers }) => controllers === null)
  if (place === undefined) return 'control groups of version 2 are not mounted'
  const folders = ancestors(place.mount, place.own)
  const parent = (folders.length === 0 ? [place.mount] : folders).find((folder) => hasNeeded(handedOn(folder)))
  if (parent === undefined) return 'no control group above this program hands on memory and pids'
  return { version: 'v2', parents: [parent], open: (name) => groupIn(join(parent, name)) }
}

/** The controllers that a folder hands on to the groups in it. */
function handedOn(folder: string): readonly string[] {
  try {
    return readFileSync(join(folder, 'cgroup.subtree_control'), 'latin1').trim().split(' ')
  } catch {
    return []
  }
}

const hasNeeded = (controllers: readonly string[]): boolean => needed.every((name) => controllers.includes(name))

/** Makes the group with this folder, or opens what is left of it. */
export function groupIn(folder: string): GroupFiles {
  makeGroupFolder(folder)
  const stat = openGroupFile(join(folder, 'cpu.stat'))
  const events = openGroupFile(join(folder, 'memory.events'))
  return {
    joins: [join(folder, 'cgroup.procs')],
    limit(limits) {
      write(folder, limitSettings(limits))
      writeIfPossible(folder, withoutSwap)
    },
    cpuMs: () => numberAfter('usage_usec', stat.read()) / 1e3,
    // Not every parent hands on `cpu`.
    setWeight: (weight) => writeIfPossible(folder, [['cpu.weight', weights[weight]]]),
    memoryEvents() {
      const text = events.read()
      return { kills: numberAfter('oom_kill', text), limitHits: numberAfter('oom', text) }
    },
    pids: () => pidsIn(folder),
    tasks: () => numberInFile(join(folder, 'pids.current')),
    kill() {
      writeIfPossible(folder, [
        ['pids.max', '0'],
        ['cgroup.kill', '1'],
      ])
      // Kernels before 5.14 have no cgroup.kill.
      killAll(pidsIn(folder))
    },
    remove() {
      stat.close()
      events.close()
      return removeFolder(folder)
    },
  }
}

/** Settings that every group of version 2 must have. When memory runs out all of the group is killed. */
export function limitSettings({ memoryBytes, tasks }: GroupLimits): readonly GroupSetting[] {
  return [
    ['memory.max', String(memoryBytes)],
    ['memory.oom.group', '1'],
    ['pids.max', String(tasks)],
  ]
}

/** Kernels without swap have none of these. */
const withoutSwap: readonly GroupSetting[] = [
  ['memory.swap.max', '0'],
  ['memory.zswap.max', '0'],
]
