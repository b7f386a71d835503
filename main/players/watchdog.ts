import { readdirSync, readFileSync } from 'node:fs'
import { platform } from 'node:process'
import type { Effort } from './time-limit.ts'

const sampleMs = 25
/** An idle process cannot grow; one that got out of its realm can. */
const idleSamples = 8

/** An agent's process and all below it. */
export interface Watched {
  readonly pid: number
  readonly memoryBytes: number
  /** Processes of one budget are counted together, and have equal limits. Absent: it is counted alone. */
  readonly budget?: object
  /** When it was last given something to do, in ms of `performance.now()`; null while it waits. */
  readonly busySince: () => number | null
  /** Called once, when the resident memory of all processes of its budget passes `memoryBytes`. */
  readonly overMemory: () => void
  /** For agents that may start processes: called once, when its budget has more than `most` of them. */
  readonly processes?: { readonly most: number; readonly over: () => void }
}

export interface Watchdog {
  watch(process: Watched): void
  unwatch(process: Watched): void
  /** What the process has done since it was given its present task; null where that is unknown. */
  effortSinceTask(process: Watched): Effort | null
  close(): void
}

interface Watch {
  /** When the task began of which the rest tells; null: there was none. */
  since: number | null
  /** When it was first looked at. */
  seenAt: number
  /** Of each thread, when the task began and at the last sample: one that has ended has made its effort all the same. */
  threads: Map<string, { readonly first: Effort; last: Effort }>
}

/**
 * Samples resident memory and CPU time of live agent processes from /proc. Heap flags do not stop typed arrays, and there
 * may be no cgroups. Memory that maps files (the Node binary, shared by all) is not counted. Where there is no /proc it sees nothing, and
 * the wall clock decides alone.
 */
export function createWatchdog(): Watchdog {
  const watches = new Map<Watched, Watch>()
  const budgets = new Map<object, Set<Watched>>()
  let timer: NodeJS.Timeout | undefined
  let tick = 0

  const forget = (process: Watched): void => {
    const budget = process.budget ?? process
    const members = budgets.get(budget)
    watches.delete(process)
    members?.delete(process)
    if (members?.size === 0) budgets.delete(budget)
  }

  const sample = (): void => {
    tick += 1
    const isTurnOfAll = tick % idleSamples === 0
    for (const members of [...budgets.values()]) {
      const all = [...members]
      if (isTurnOfAll || all.some(isBusy)) inspect(all)
    }
  }

  const inspect = (members: readonly Watched[]): void => {
    let processes = 0
    let bytes = 0
    for (const process of members) {
      const pids = descendants(process.pid)
      noteTask(process, watches.get(process)!, pids)
      processes += pids.length
      bytes += memoryBytes(pids)
    }
    for (const process of members) {
      const isCrowded = process.processes !== undefined && processes > process.processes.most
      if (!isCrowded && bytes <= process.memoryBytes) continue
      forget(process)
      if (isCrowded) process.processes.over()
      else process.overMemory()
    }
  }

  return {
    watch(process) {
      if (platform !== 'linux') return
      const budget = process.budget ?? process
      watches.set(process, { since: null, seenAt: 0, threads: new Map() })
      budgets.set(budget, (budgets.get(budget) ?? new Set()).add(process))
      timer ??= setInterval(sample, sampleMs).unref()
    },
    unwatch(process) {
      forget(process)
      if (watches.size > 0) return
      clearInterval(timer)
      timer = undefined
    },
    effortSinceTask(process) {
      const watch = watches.get(process)
      const since = process.busySince()
      if (watch === undefined || since === null) return null
      note(watch, since, descendants(process.pid))
      return watch.threads.size === 0 ? null : sum(watch)
    },
    close() {
      clearInterval(timer)
      timer = undefined
      watches.clear()
      budgets.clear()
    },
  }
}

/** Whether it has been at its task for so long that a sample tells something. */
function isBusy({ busySince }: Watched): boolean {
  const since = busySince()
  return since !== null && performance.now() - since >= sampleMs / 2
}

/** Notes what a busy process has done for its task: at the first sample of the task, and at each where processes may end. */
function noteTask(process: Watched, watch: Watch, pids: readonly number[]): void {
  const since = process.busySince()
  if (since === null || !isBusy(process)) return
  if (watch.since !== since || process.processes !== undefined) note(watch, since, pids)
}

/** A process and everything below it. */
export function descendants(pid: number): readonly number[] {
  const found: number[] = [pid]
  for (let at = 0; at < found.length; at += 1) found.push(...childrenOf(found[at]!))
  return found
}

function childrenOf(pid: number): readonly number[] {
  const lists = threads(pid).map((thread) => read(`/proc/${pid}/task/${thread}/children`))
  // Kernels may be built without those lists.
  if (lists.length > 0 && lists.every((list) => list === null)) return childrenByParent(pid)
  return lists.flatMap((list) => (list ?? '').split(' ').filter((child) => child !== '')).map(Number)
}

function childrenByParent(pid: number): readonly number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return all.map(Number).filter((child) => Number(statOf(child)?.[1]) === pid)
}

/** Whether a process is there and has not begun to end. */
export function isRunning(pid: number): boolean {
  const [state, , , , , , flags] = statOf(pid) ?? []
  return state !== undefined && state !== 'Z' && state !== 'X' && (Number(flags) & exiting) === 0
}

/** PF_EXITING of the kernel's include/linux/sched.h */
const exiting = 0x4

/** What the kernel tells of a process, from its state and its parent on. */
function statOf(pid: number): readonly string[] | null {
  // The name of a program may hold spaces and brackets: the fields follow the last bracket.
  const stat = read(`/proc/${pid}/stat`)
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function threads(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

function memoryBytes(pids: readonly number[]): number {
  let kilobytes = 0
  for (const pid of pids) {
    const status = read(`/proc/${pid}/status`)
    for (const match of status?.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm) ?? []) kilobytes += Number(match[1])
  }
  return kilobytes * 1_024
}

/**
 * Notes the efforts of all threads for the task that began at `since`. A thread that came later began at nothing. The first
 * sample of a task comes after its beginning, and much later where this process itself had to wait for a core: what a thread
 * has waited since it was last looked at, it may have waited since then.
 */
function note(watch: Watch, since: number, pids: readonly number[]): void {
  const fresh = watch.since !== since
  const before = watch.threads
  if (fresh) {
    watch.since = since
    watch.seenAt = performance.now()
    watch.threads = new Map()
  }
  const unseenMs = watch.seenAt - since
  for (const [thread, effort] of effortsOf(pids)) {
    const known = watch.threads.get(thread)
    if (known !== undefined) known.last = effort
    else
      watch.threads.set(thread, {
        first: fresh ? begin(effort, before.get(thread)?.last, unseenMs) : none,
        last: effort,
      })
  }
}

/** What a thread had done when its task began, which was `unseenMs` ago; `before`: when it was last looked at. */
function begin({ runMs, waitMs }: Effort, before: Effort = none, unseenMs: number): Effort {
  return { runMs, waitMs: waitMs - Math.min(unseenMs, waitMs - before.waitMs) }
}

const none: Effort = { runMs: 0, waitMs: 0 }

function sum({ threads: all, seenAt }: Watch): Effort {
  let { runMs, waitMs } = none
  for (const { first, last } of all.values()) {
    runMs += last.runMs - first.runMs
    waitMs += last.waitMs - first.waitMs
  }
  return { runMs, waitMs, seenMs: performance.now() - seenAt }
}

/** Of every thread that can be read, by its process and number. */
function effortsOf(pids: readonly number[]): ReadonlyMap<string, Effort> {
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

function read(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null
  }
}
