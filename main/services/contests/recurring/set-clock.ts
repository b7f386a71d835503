import type { WallClock } from './wall-clock.ts'

/** A clock that stands still until it is set: for classes whose weeks pass in seconds. */
export interface SetClock extends WallClock {
  /** Calls back whom the new time is for. */
  set(iso: string): void
}

export function setClock(iso: string, zone = 'Europe/Zurich'): SetClock {
  let now = Date.parse(iso)
  const waiting = new Map<() => void, number>()
  return {
    now: () => now,
    steady: () => 0,
    zone: () => zone,
    wake(at, call) {
      const own = (): void => call()
      waiting.set(own, at)
      return () => void waiting.delete(own)
    },
    set(later) {
      now = Date.parse(later)
      for (const [call, at] of [...waiting]) {
        if (at > now) continue
        waiting.delete(call)
        call()
      }
    },
  }
}
