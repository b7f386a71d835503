import { MachineError } from '../../histories/machine-error.ts'
import { catchUp, nextDeadline, type ClassCases } from './class-cases.ts'

/** Does what the deadlines of cases want, when they want it. */
export interface FollowedDeadlines {
  /** Looks now, and again at the next deadline. To be called after each change of a case. */
  look(): void
  stop(): void
}

/** `wake` as of `WallClock`; `looked` is called after each look. After a write that failed it is tried again at the next look. */
export function followDeadlines(
  cases: ClassCases,
  wake: (at: number, call: () => void) => () => void,
  looked: () => void = () => undefined,
): FollowedDeadlines {
  let cancel: (() => void) | null = null
  let isStopped = false
  const look = (): void => {
    cancel?.()
    cancel = null
    if (isStopped) return
    try {
      catchUp(cases)
    } catch (error) {
      if (!(error instanceof MachineError)) throw error
    }
    looked()
    const next = nextDeadline(cases)
    if (next !== null) cancel = wake(Math.max(next, cases.now() + LEAST), look)
  }
  return {
    look,
    stop() {
      isStopped = true
      cancel?.()
    },
  }
}

/** ms between two looks, even if the disk fails. */
const LEAST = 1_000
