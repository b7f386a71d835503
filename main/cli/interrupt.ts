import type { Context } from './context.ts'

/** The exit code of a command that a person stopped: 128 plus the number of SIGINT, as in shells. */
export const stoppedCode = 130

/** The messages to a person who stops work in three steps, and the function that prints them. */
interface Steps {
  /** After the first Ctrl-C: nothing new is begun. */
  readonly finishing: string
  /** After the second one, or a first request of the system to end: what runs is given up. */
  readonly stopping: string
  say(text: string): void
}

/**
 * Runs work that Ctrl-C stops in three steps: the first press aborts `finishing`, the second `signal`, the third ends the
 * process at once. If the system asks for the end (SIGTERM, a closed terminal), the first step is left out.
 */
export async function finishable<T>(
  { environment }: Context,
  { finishing, stopping, say }: Steps,
  work: (signal: AbortSignal, finishing: AbortSignal) => Promise<T>,
): Promise<T> {
  const finish = new AbortController()
  const stop = new AbortController()
  const stopListening = environment.onInterrupt((bySystem = false) => {
    if (stop.signal.aborted) return environment.exit(stoppedCode)
    if (!finish.signal.aborted && !bySystem) {
      finish.abort()
      return say(finishing)
    }
    stop.abort()
    say(stopping)
  })
  try {
    return await work(stop.signal, finish.signal)
  } finally {
    stopListening()
  }
}

/**
 * Runs work that Ctrl-C stops in two steps: the first press aborts the signal and notes what is `stopping`, the second ends
 * the process at once.
 */
export async function stoppable<T>(
  { environment, terminal }: Context,
  stopping: string,
  work: (signal: AbortSignal) => Promise<T>,
  note = (text: string): void => terminal.note(text),
): Promise<T> {
  const controller = new AbortController()
  const stopListening = environment.onInterrupt(() => {
    if (controller.signal.aborted) return environment.exit(stoppedCode)
    controller.abort()
    note(stopping)
  })
  try {
    return await work(controller.signal)
  } finally {
    stopListening()
  }
}
