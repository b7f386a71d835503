import { setTimeout as sleep } from 'node:timers/promises'
import { ExpectedError } from '../../contract/expected-error.ts'

/** The hand-ins that are being received, from the call to its answer. */
export interface InFlight {
  readonly answers: Set<Promise<unknown>>
  /** True: the class is being closed, and no further one is received. */
  isOver: boolean
}

export function createInFlight(): InFlight {
  return { answers: new Set(), isOver: false }
}

/** In ms: an answer leaves a moment after it is known. */
const LEAVING = 100

/** Receives a hand-in. Rejects like `receive`, and with ExpectedError 'conflict' if the class is being closed. */
export async function inFlight<T>(room: InFlight, receive: () => Promise<T>): Promise<T> {
  if (room.isOver)
    throw new ExpectedError(
      'conflict',
      'classroom-closed',
      'The classroom is being closed, and nothing was handed in: hand in again when it is open.',
    )
  const answer = receive()
  room.answers.add(answer)
  try {
    return await answer
  } finally {
    room.answers.delete(answer)
  }
}

/**
 * Receives no further hand-in, and waits until those in flight have their answers, at most `ms`. One that takes longer is read again at the next
 * start of the class.
 */
export async function landAll(room: InFlight, ms: number): Promise<void> {
  room.isOver = true
  if (room.answers.size === 0) return
  const limit = new AbortController()
  await Promise.race([Promise.allSettled(room.answers), sleep(ms, null, { signal: limit.signal }).catch(() => null)])
  limit.abort()
  await sleep(LEAVING)
}
