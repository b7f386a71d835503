import { entering, type Groups } from './group.ts'
import { readFileSync, readlinkSync, statfsSync } from 'node:fs'

/** Stands for groups that cannot be made. `sh`: the shell that sets what remains; undefined: nothing does. `missing`: why. */
export function noGroups(missing: string, sh: string | undefined): Groups {
  return {
    version: null,
    missing,
    take: ({ isBuild = false }) => ({
      enter: (launch) => (sh === undefined ? launch : entering(sh, [], launch)),
      cpuMs: () => null,
      setWeight: () => undefined,
      ranOutOfMemory: (pids = []) => holdsTooMany(pids, isBuild ? buildSocketsMax : socketsMax),
      end: () => undefined,
    }),
  }
}

/**
 * A socket that nobody reads holds up to 533 kB, in two datagrams, and the filter of system calls lets nobody change that, so that
 * these are 136 MB.
 */
const socketsMax = 256
/** Node gives a child two sockets for each of its three pipes, and a build may have 200 processes. */
const buildSocketsMax = 1_500
/** An empty file in memory takes almost 1 kB. */
const filesMax = 50_000
/** Builds unpack and compile what consists of many files. */
const buildFilesMax = 200_000
const tmpfs = 0x0102_1994
/** The folders of a box that are in memory, and how many files each may hold; only builds have the last. */
const scratch = [
  ['tmp', filesMax],
  ['dev/shm', filesMax],
  ['work', buildFilesMax],
] as const

/**
 * True if a box holds more sockets or files in memory than any agent needs: their memory belongs to no process, and
 * without groups nothing else limits it. `pids`: its processes. Outside a box, where these are the machine's, false.
 */
function holdsTooMany(pids: readonly number[], sockets: number): boolean {
  // Process 1 of the box: of the others agents decide which there are, and one that has ended shows nothing.
  const pid = pids.find(isInBox)
  if (pid === undefined) return false
  return socketsOf(pid) > sockets || scratch.some(([folder, most]) => filesIn(`/proc/${pid}/root/${folder}`) > most)
}

function isInBox(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`) !== readlinkSync('/proc/self/ns/net')
  } catch {
    return false
  }
}

/** The sockets of a process's network namespace. */
function socketsOf(pid: number): number {
  try {
    return Number(/^sockets: used (\d+)$/m.exec(readFileSync(`/proc/${pid}/net/sockstat`, 'latin1'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** The number of files in a file system in memory; 0 for others. The path ends where bubblewrap has mounted one, never at a link. */
function filesIn(path: string): number {
  try {
    const { type, files, ffree } = statfsSync(path)
    return type === tmpfs ? files - ffree : 0
  } catch {
    return 0
  }
}
