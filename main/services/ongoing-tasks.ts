import type { ExportProgress, OngoingTask } from '../contract/procedures/classes.ts'

/** Tasks that take long and are broken off, or waited for, when their class or the program is closed. */
export interface OngoingTasks {
  /** Does work, which is listed until it has ended. Rejects like `work`. */
  run<T>(task: OngoingTask, work: (following: TaskFollowing) => Promise<T>): Promise<T>
  /** The tasks that are going on, the oldest first. */
  list(): readonly OngoingTask[]
  /** The progress of the oldest export that is going on, all 0 before it has reported any; null: none is going on. */
  exporting(): ExportProgress | null
  /** Stops all tasks of a kind that can be stopped, and waits until they have ended. */
  stop(task: OngoingTask): Promise<void>
  /** Stops all that can be stopped, and waits for the rest, except for files that are read in: they end with their connections. */
  close(): Promise<void>
}

/** The signal for a task, and the receiver of its progress. */
export interface TaskFollowing {
  /** Aborted by `stop` and `close`. */
  readonly signal: AbortSignal
  /** Reports the progress of an export. */
  onProgress(progress: ExportProgress): void
}

interface Running {
  readonly task: OngoingTask
  readonly stop: AbortController
  readonly ended: Promise<unknown>
  progress: ExportProgress
}

/** `onChange`: called when a task begins, reports progress or ends. */
export function createOngoingTasks(onChange: (task: OngoingTask) => void = () => undefined): OngoingTasks {
  const running = new Set<Running>()
  async function stop(wanted: (each: Running) => boolean): Promise<void> {
    const those = [...running].filter(wanted)
    for (const each of those) each.stop.abort()
    await Promise.all(those.map(({ ended }) => ended))
  }
  return {
    async run(task, work) {
      const stopping = new AbortController()
      const ended = Promise.withResolvers<null>()
      const own: Running = { task, stop: stopping, ended: ended.promise, progress: { bytes: 0, listed: 0, packed: 0 } }
      running.add(own)
      onChange(task)
      const onProgress = (progress: ExportProgress): void => {
        own.progress = progress
        onChange(task)
      }
      try {
        return await work({ signal: stopping.signal, onProgress })
      } finally {
        running.delete(own)
        onChange(task)
        ended.resolve(null)
      }
    },
    list: () => [...running].map(({ task }) => task),
    exporting: () => [...running].find(({ task }) => task === 'export')?.progress ?? null,
    stop: (task) => stop((each) => each.task === task),
    close: () => stop(({ task }) => task !== 'import'),
  }
}
