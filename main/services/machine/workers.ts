import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { launchWorker, type WorkerProcess } from '../../administrator/contests/worker-process.ts'
import type { WorkerReport } from '../../worker/protocol.ts'
import { resources } from './resources.ts'

/** Starts a worker of this program. R: what it will report. */
export function startWorker<R = WorkerReport>(): WorkerProcess<R> {
  return launchWorker<R>(resources.node, resources.worker)
}

/**
 * Has a process keep to these cores from now on, with all that it starts, by a part of util-linux. Where that cannot be had, or
 * the cores are there no more, the system chooses as ever. Resolves when it has been tried.
 */
export function keepTo(cores: readonly number[], pid: number): Promise<void> {
  const args = ['-a', '-c', '-p', cores.join(','), String(pid)]
  return new Promise((resolve) => {
    try {
      const taskset = spawn('/usr/bin/taskset', args, { stdio: 'ignore', env: {} })
      taskset.on('error', () => resolve()).on('exit', () => resolve())
    } catch {
      // For example out of memory.
      resolve()
    }
  })
}

/**
 * How workers are started of which so many play at a time. Where that is one for each core that this program may use, each
 * keeps to a core of its own, and its agents with it: worker and agent take turns anyway, and to wake one that sleeps on
 * another core takes longer than most turns.
 */
export function workersAtATime(count: number): () => WorkerProcess {
  const cores = count > 1 ? allowedCores() : []
  if (cores.length !== count) return startWorker
  const used = new Map(cores.map((core) => [core, 0]))
  return () => {
    const [core = 0] = [...used.keys()].sort((a, b) => used.get(a)! - used.get(b)!)
    const note = (by: number): unknown => used.set(core, used.get(core)! + by)
    const worker = startWorker()
    if (worker.pid !== undefined) void keepTo([core], worker.pid)
    note(1)
    worker.onExit(() => note(-1))
    return worker
  }
}

/** The numbers of the cores that this program may use; empty if unknown. */
export function allowedCores(): readonly number[] {
  if (process.platform !== 'linux') return []
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1] ?? ''
  return list.split(',').flatMap((range) => {
    const [first = NaN, last = first] = range.split('-').map(Number)
    return Array.from({ length: Math.max(0, last - first + 1) || 0 }, (_, i) => first + i)
  })
}

export interface EarlyWorkers {
  /** Returns a prestarted worker, or a new one. */
  launch(): WorkerProcess
  /** Ends the unused ones. */
  close(): void
}

/** Workers that start while it is still being read what they are to play. */
export function startEarly(count: number): EarlyWorkers {
  const start = workersAtATime(count)
  const idle = new Set<WorkerProcess>()
  for (let n = 0; n < count; n++) {
    const worker = start()
    idle.add(worker)
    worker.onExit(() => idle.delete(worker))
  }
  return {
    launch() {
      const [worker] = idle
      if (worker === undefined) return start()
      idle.delete(worker)
      return worker
    },
    close() {
      for (const worker of idle) worker.kill()
    },
  }
}
