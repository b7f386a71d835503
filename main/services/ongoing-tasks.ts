import type { OngoingTask } from '../contract/procedures/classes.ts'

/** Tasks that take long and are broken off, or waited for, when their class or the program is closed. */
export interface OngoingTasks {
  /** Does work, which is listed until it has ended. Rejects like `work`, which gets a signal for `stop`. */
  run<T>(task: OngoingTask, work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** The tasks that are going on, the oldest first. */
  list(): readonly OngoingTask[]
  /** Stops all tasks of a kind that can be stopped, and waits until they have ended. */
  stop(task: OngoingTask): Promise<void>
  /** Stops whatever can be stopped, and waits for the rest, but for files that are read in: they end with their connections. */
  close(): Promise<void>
}

interface Running {
  readonly task: OngoingTask
  readonly stop: AbortController
  readonly ended: Promise<unknown>
}

export function createOngoingTasks(): OngoingTasks {
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
      const own: Running = { task, stop: stopping, ended: ended.promise }
      running.add(own)
      try {
        return await work(stopping.signal)
      } finally {
        running.delete(own)
        ended.resolve(null)
      }
    },
    list: () => [...running].map(({ task }) => task),
    stop: (task) => stop((each) => each.task === task),
    close: () => stop(({ task }) => task !== 'import'),
  }
}
