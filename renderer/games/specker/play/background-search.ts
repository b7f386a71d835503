import type { Wish } from '../../../challenge-worker/messages.ts'
import { lookFor } from '../../../challenge-worker/worker-client.ts'

let last: Promise<unknown> = Promise.resolve()

/** As `lookFor`, for what is shown without being asked for: one search after the other, so that one core stays free. */
export function searchInBackground(source: string, wish: Wish, signal: AbortSignal): Promise<string> {
  const found = last.then(() => {
    signal.throwIfAborted()
    return lookFor(source, wish, signal)
  })
  last = found.catch(() => undefined)
  return found
}
