import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { sweepGroups } from '../../players/isolation/groups/detect.ts'
import { launchWorker, type WorkerProcess } from './worker-process.ts'
import type { WorkerReport } from '../../worker/protocol.ts'
import { yieldCores } from './priority.ts'
import { resources } from './resources.ts'

/** Starts a worker of this program. R: the type of its reports. */
export function startWorker<R = WorkerReport>(): WorkerProcess<R> {
  const worker = launchWorker<R>(resources.node, resources.worker)
  // If it was killed, nobody else ends what it has left.
  worker.onExit(() => void sweepGroups())
  return worker
}

/**
 * Binds a process and its threads to these cores with `taskset` of util-linux; processes that it starts inherit this.
 * If that fails, the system chooses the cores. Resolves after the attempt.
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
 * Returns how to start workers when `count` of them play at a time. If that is one per available core, each worker and
 * its agents are bound to a core of their own: worker and agent take turns, and waking a process on another core takes
 * longer than most turns.
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

/** The `nice` of matches that yield: this process and its screens have two thirds of a core that both want. */
const YIELDING = 5

/**
 * Workers that yield the cores, to the end of their contest, once the class is crowded when they are given a match: this process answers everybody, and passes on what network
 * agents say, whose time runs. On idle cores their matches are as fast as before.
 */
export function yieldingWorkers(launch: () => WorkerProcess, isCrowded: () => boolean): () => WorkerProcess {
  return () => {
    const worker = launch()
    let yields = false
    return {
      ...worker,
      send(command) {
        if (!yields && command.type === 'play' && isCrowded()) {
          yields = true
          yieldCores(worker.pid, YIELDING)
        }
        worker.send(command)
      },
    }
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
  /** Stops the unused workers. */
  close(): void
}

/** Starts workers while the matches that they will play are still being read. */
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
