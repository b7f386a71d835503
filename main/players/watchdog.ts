import { platform } from 'node:process'
import type { AgentGroup } from './isolation/groups/group.ts'
import { descendants, effortsOf, isRunnable, memoryBytes } from './proc.ts'
import { NOTICED_MS, type Effort, type Meter } from './time-limit.ts'

const sampleMs = 25
/** An idle process cannot grow; one that got out of its realm can. */
const idleSamples = 8
/** An agent that computes for longer while it has no question gets only a small part of busy cores. */
const restMs = 10
/** Between two looks at processes that may be waiting: `NOTICED_MS`, and the lateness of timers. */
const recentMs = NOTICED_MS + 3
/** A group's processor time is not read again for questions that begin sooner after a reading, which takes a tenth of an answer. */
const readEveryMs = 1

/** An agent's process and all below it. */
export interface Watched {
  readonly pid: number
  /** The group that it runs in. */
  readonly group: AgentGroup
  readonly memoryBytes: number
  /** Processes of one budget are counted together, and have equal limits. Absent: it is counted alone. */
  readonly budget?: object
  /** When it was last given something to do, in ms of `performance.now()`; null while it waits. */
  readonly busySince: () => number | null
  /** True while it plays, is ready, and has no question. Starting or leaving a match is not rest. */
  readonly atRest: () => boolean
  /** Called once, when the memory of all processes of its budget passes `memoryBytes`, or its group has run out of memory. */
  readonly overMemory: () => void
  /** For agents that may start processes: called once, when its budget has more than `most` of them. */
  readonly processes?: { readonly most: number; readonly over: () => void }
}

export interface Watchdog {
  watch(process: Watched): void
  unwatch(process: Watched): void
  /** Begins to count what the process does; `null` where that is unknown. Gives it its usual share of busy cores. */
  meter(process: Watched): Meter
  close(): void
}

interface Watch {
  /** When the task began of which the rest tells; null: there was none. */
  since: number | null
  /** When it was first looked at, and when it was last. */
  seenAt: number
  lookedAt: number
  /** The efforts of each thread when the task began and at the last sample: those of a thread that has ended count. */
  threads: Map<string, { readonly first: Effort; last: Effort }>
  /** Computing time of its group when it was first seen to have nothing to do; null: it has something to do. */
  restCpuMs: number | null
  /** It has computed while it had nothing to do. */
  restless: boolean
  /** The last reading of its group's computing time for a question; null: there is none. */
  reading: CpuReading | null
}

/** Computing time of a group, and when it was read. In ms. */
interface CpuReading {
  readonly at: number
  readonly cpuMs: number | null
}

/**
 * Samples resident memory and CPU time of live agent processes from /proc. Heap flags do not stop typed arrays, and there
 * may be no cgroups. Memory that maps files (the Node binary, shared by all) is not counted. Without /proc it sees nothing, and the
 * wall clock decides alone.
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
    for (const [process, watch] of watches) lowerIfRestless(process, watch)
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
      bytes += process.group.ranOutOfMemory(pids) ? Infinity : memoryBytes(pids)
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
      watches.set(process, newWatch())
      budgets.set(budget, (budgets.get(budget) ?? new Set()).add(process))
      timer ??= setInterval(sample, sampleMs).unref()
    },
    unwatch(process) {
      forget(process)
      if (watches.size > 0) return
      clearInterval(timer)
      timer = undefined
    },
    meter(process) {
      const watch = watches.get(process)
      if (watch === undefined) return () => null
      watch.restCpuMs = null
      process.group.setWeight('usual')
      const before = cpuMsBefore(process, watch)
      return () => effortOf(process, watches.get(process), before)
    },
    close() {
      clearInterval(timer)
      timer = undefined
      watches.clear()
      budgets.clear()
    },
  }
}

const newWatch = (): Watch => ({
  since: null,
  seenAt: 0,
  lookedAt: 0,
  threads: new Map(),
  restCpuMs: null,
  restless: false,
  reading: null,
})

/**
 * Computing time of the group when a question begins; null where that is not counted. After a recent reading it is an estimate: all the
 * time since then counts as computed before the question, as if one core had been busy, so that an agent of one thread is never charged
 * for earlier questions. For such an agent it is at most `readEveryMs` too much, for one of several threads as much too little for each
 * further core.
 */
function cpuMsBefore({ group }: Watched, watch: Watch): number | null {
  const now = performance.now()
  const { at, cpuMs } = watch.reading ?? { at: -Infinity, cpuMs: null }
  if (now - at < readEveryMs) return cpuMs === null ? null : cpuMs + now - at
  watch.reading = { at: now, cpuMs: group.cpuMs() }
  return watch.reading.cpuMs
}

/** Takes the usual share of busy cores from a process that computes while it has nothing to do, then and ever after. */
function lowerIfRestless({ group, atRest }: Watched, watch: Watch): void {
  const cpuMs = atRest() ? group.cpuMs() : null
  if (cpuMs === null) {
    watch.restCpuMs = null
    return
  }
  watch.restCpuMs ??= cpuMs
  watch.restless ||= cpuMs - watch.restCpuMs > restMs
  if (watch.restless) group.setWeight('low')
}

/** The work of a process for its task; `before`: computing time of its group when the task began. */
function effortOf(process: Watched, watch: Watch | undefined, before: number | null): Effort | null {
  const since = process.busySince()
  if (watch === undefined || since === null) return null
  const earlier = new Map([...watch.threads].map(([thread, { last }]) => [thread, last]))
  const isRecent = performance.now() - watch.lookedAt <= recentMs
  note(watch, since, descendants(process.pid))
  if (watch.threads.size === 0) return null
  const effort = { ...sum(watch), waitsNow: isWaiting(watch, since, isRecent ? earlier : null) }
  const cpuMs = process.group.cpuMs()
  if (cpuMs === null || before === null) return effort
  const { waitMs, waitsNow } = effort
  // `before` may be an estimate.
  return { runMs: Math.max(0, cpuMs - before), waitMs, waitsNow }
}

/**
 * True if a thread is ready to run and may have waited for longer than its figures say, because they do not include a wait
 * until it is over. `earlier`: at the last look. If that was a moment ago, it has waited since then or it has run. If it was
 * longer ago (null), it may have run and wait again: then it has more time behind it than its figures explain.
 */
function isWaiting({ threads }: Watch, since: number, earlier: ReadonlyMap<string, Effort> | null): boolean {
  const elapsedMs = performance.now() - since
  return [...threads].some(([thread, { first, last }]) => {
    const then = earlier?.get(thread)
    const hasRun = then !== undefined && (then.runMs !== last.runMs || then.waitMs !== last.waitMs)
    const explainedMs = last.runMs - first.runMs + last.waitMs - first.waitMs
    const mayWait = earlier === null ? elapsedMs - explainedMs > NOTICED_MS : !hasRun
    return mayWait && isRunnable(thread)
  })
}

/** True if it has been at its task long enough for a sample to tell something. */
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

/**
 * Notes the efforts of all threads for the task that began at `since`. A thread that came later began at nothing. The first
 * sample of a task comes after its beginning, and much later where this process itself had to wait for a core: what a thread
 * has waited since it was last looked at, it may have waited since then.
 */
function note(watch: Watch, since: number, pids: readonly number[]): void {
  const fresh = watch.since !== since
  watch.lookedAt = performance.now()
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

/** The effort of a thread when its task began, which was `unseenMs` ago; `before`: when it was last looked at. */
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
