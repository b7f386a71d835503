import type { WallClock } from '../services/contests/recurring/wall-clock.ts'

/** A machine that sleeps stops its timers, and people set its clock: so it is looked at in between. ms. */
const LOOK_EVERY = 20_000

/** The clock of this machine. Waiting for it keeps no process alive. */
export const systemClock: WallClock = {
  now: () => Date.now(),
  zone: () => new Intl.DateTimeFormat().resolvedOptions().timeZone,
  wake(at, call) {
    const timer = setTimeout(call, Math.min(LOOK_EVERY, Math.max(0, at - Date.now())))
    timer.unref()
    return () => clearTimeout(timer)
  },
}
