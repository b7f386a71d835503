import type { Ms } from '../../../contract/clock.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { Following } from '../../background-tasks.ts'

/** The shortest and the longest time that a run may take, in ms. */
const [LEAST, MOST] = [60_000, 600_000]

/** The time that agents of a recorded match may take when they are run again. `recorded`: how long the match took. */
export const rerunLimit = (recorded: Ms): Ms => Math.min(MOST, Math.max(LEAST, 2 * recorded))

/** Stops work after a time, in ms, and then rejects with ExpectedError `rerun-limit`; the work follows the signal that it is given. */
export async function withinTime<T>(
  most: Ms,
  { signal, onPart }: Following,
  work: (following: Following) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), most)
  try {
    return await work({ signal: AbortSignal.any([signal, over.signal]), onPart })
  } catch (error) {
    const isLate = over.signal.aborted && !signal.aborted && error instanceof ExpectedError && error.kind === 'stopped'
    if (!isLate) throw error
    throw new ExpectedError(
      'usage',
      'rerun-limit',
      `The run did not end within ${Math.round(most / 1_000)} seconds and was stopped: run it again, or with another agent.`,
    )
  } finally {
    clearTimeout(timer)
  }
}
