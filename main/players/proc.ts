import { readdirSync, readFileSync } from 'node:fs'
import type { Effort } from './time-limit.ts'

/** A process and everything below it. */
export function descendants(pid: number): readonly number[] {
  const found: number[] = [pid]
  for (let at = 0; at < found.length; at += 1) found.push(...childrenOf(found[at]!))
  return found
}

/** Its children that have not been waited for. */
export function childrenOf(pid: number): readonly number[] {
  const lists = threads(pid).map((thread) => read(`/proc/${pid}/task/${thread}/children`))
  // Kernels may be built without those lists.
  if (lists.length > 0 && lists.every((list) => list === null)) return childrenByParent(pid)
  return lists.flatMap((list) => (list ?? '').split(' ').filter((child) => child !== '')).map(Number)
}

function childrenByParent(pid: number): readonly number[] {
  return processIds().filter((child) => Number(statOf(child)?.[1]) === pid)
}

/** All processes that this one sees; none if they cannot be listed, which takes a descriptor. */
export function processIds(): readonly number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
  } catch {
    return []
  }
}

/** True if a process exists and has not begun to end. */
export function isRunning(pid: number): boolean {
  const [state, , , , , , flags] = statOf(pid) ?? []
  return state !== undefined && state !== 'Z' && state !== 'X' && (Number(flags) & exiting) === 0
}

/** PF_EXITING of the kernel's include/linux/sched.h */
const exiting = 0x4

const statOf = (pid: number): readonly string[] | null => fieldsOf(`/proc/${pid}/stat`)

/** The fields of a process or thread from its state and its parent on. */
function fieldsOf(path: string): readonly string[] | null {
  // The name of a program may hold spaces and brackets: the fields follow the last bracket.
  const stat = read(path)
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function threads(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** Memory of these processes that is theirs: resident or swapped out, not of files, and with the page tables that lead to it. */
export function memoryBytes(pids: readonly number[]): number {
  let kilobytes = 0
  for (const pid of pids) {
    const status = read(`/proc/${pid}/status`)
    // The name of a program may hold what a regular expression takes for the end of a line, but never a line feed.
    for (const match of status?.matchAll(/\n(?:RssAnon|RssShmem|VmPTE|VmSwap):\s+(\d+) kB(?=\n)/g) ?? [])
      kilobytes += Number(match[1])
  }
  return kilobytes * 1_024
}

/** The efforts of every thread that can be read, by its process and number. */
export function effortsOf(pids: readonly number[]): ReadonlyMap<string, Effort> {
  const efforts = new Map<string, Effort>()
  for (const pid of pids) {
    for (const thread of threads(pid)) {
      const text = read(`/proc/${pid}/task/${thread}/schedstat`)
      if (text === null) continue
      const [running, waiting] = text.split(' ')
      efforts.set(`${pid}/${thread}`, { runMs: Number(running) / 1e6, waitMs: Number(waiting) / 1e6 })
    }
  }
  return efforts
}

/** True if a thread is on a core, or ready to be; named as in `effortsOf`. */
export const isRunnable = (thread: string): boolean =>
  fieldsOf(`/proc/${thread.replace('/', '/task/')}/stat`)?.[0] === 'R'

/** As UTF-8, although names of programs may be anything: Node reads files so at less than half the cost of other encodings. */
function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
