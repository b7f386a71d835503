import { setTimeout as sleep } from 'node:timers/promises'

/** Of the time that passes, at most one part in so many goes into making texts. */
const SHARE = 10

/**
 * A text that many ask for: made anew when its version has changed since, never stale, and no more often than is good for
 * everybody else. Who asks meanwhile waits for the next one.
 */
export function freshText(make: () => string, version: () => number): () => Promise<string> {
  let text = ''
  let made: number | null = null
  let notBefore = 0
  let coming: Promise<string> | null = null
  const makeSoon = async (): Promise<string> => {
    await sleep(Math.max(0, notBefore - performance.now()))
    coming = null
    const began = performance.now()
    const current = version()
    text = make()
    made = current
    const now = performance.now()
    notBefore = now + SHARE * (now - began)
    return text
  }
  return async () => (made === version() ? text : (coming ??= makeSoon()))
}
