import type { Context } from './context.ts'

/** The exit code of a command that a person stopped: 128 plus the number of SIGINT, as in shells. */
export const stoppedCode = 130

/**
 * Runs work that Ctrl-C stops in two steps: the first press aborts the signal and calls `say`, the second ends the process
 * at once.
 */
export async function stoppable<T>(
  { environment }: Context,
  say: () => void,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const stopListening = environment.onInterrupt(() => {
    if (controller.signal.aborted) return environment.exit(stoppedCode)
    controller.abort()
    say()
  })
  try {
    return await work(controller.signal)
  } finally {
    stopListening()
  }
}
