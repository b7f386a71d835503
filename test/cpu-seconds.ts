import { readFileSync } from 'node:fs'
import process from 'node:process'
import { isMainThread } from 'node:worker_threads'
import { afterAll, beforeEach, type TaskMeta } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** Seconds of a test file and of the ended programs that it started. Read by scripts/test-report.mjs. */
    cpuSeconds?: number
  }
}

/** /proc counts in hundredths of a second on every Linux. */
const TICKS = 100

function cpuSeconds(): number {
  if (process.platform !== 'linux') return process.cpuUsage().user / 1e6
  // A file that runs in a thread has one to itself; a process has threads that work for it.
  const stat = readFileSync(isMainThread ? '/proc/self/stat' : '/proc/thread-self/stat', 'latin1')
  // utime, stime, cutime and cstime; the name, which may hold anything, ends at the last bracket.
  const times = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
  return times.reduce((sum, time) => sum + Number(time), 0) / TICKS
}

const before = cpuSeconds()
let meta: TaskMeta = {}
beforeEach(({ task }) => {
  meta = task.file.meta
})
afterAll(() => {
  meta.cpuSeconds = cpuSeconds() - before
})
