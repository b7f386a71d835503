import { launchWorker, type WorkerProcess } from '../administrator/contests/worker-process.ts'
import type { WorkerReport } from '../worker/protocol.ts'
import { resources } from './resources.ts'

/** Starts a worker of this program. R: what it will report. */
export function startWorker<R = WorkerReport>(): WorkerProcess<R> {
  return launchWorker<R>(resources.node, resources.worker)
}

export interface EarlyWorkers {
  /** One that has been started already, or a new one. */
  launch(): WorkerProcess
  /** Ends those that nobody has taken. */
  close(): void
}

/** Workers that start while it is still being read what they are to play. */
export function startEarly(count: number): EarlyWorkers {
  const idle = new Set<WorkerProcess>()
  for (let n = 0; n < count; n++) {
    const worker = startWorker()
    idle.add(worker)
    worker.onExit(() => idle.delete(worker))
  }
  return {
    launch() {
      const [worker] = idle
      if (worker === undefined) return startWorker()
      idle.delete(worker)
      return worker
    },
    close() {
      for (const worker of idle) worker.kill()
    },
  }
}
