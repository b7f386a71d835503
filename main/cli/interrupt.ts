import type { Context } from './context.ts'

/** Exit code of what a person has stopped: 128 and the number of SIGINT, as shells have it. */
export const stoppedCode = 130

/**
 * Runs work that Ctrl-C stops in two steps: the first aborts the signal and says so through `say`, the second ends the
 * process at once.
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
