import { uptime } from 'node:os'

/** The time of day, for what begins by the clock; tests bring their own. */
export interface WallClock {
  /** ms since the epoch. */
  now(): number
  /** ms since some moment. Nobody sets this clock, and it goes on while the machine sleeps, where the system has such a clock. */
  steady(): number
  /** The time zone of the machine: a name of the IANA database. */
  zone(): string
  /**
   * Calls back once, at this time or soon after, and perhaps before: the callee looks at the clock again. Returns a
   * function that cancels it.
   */
  wake(at: number, call: () => void): () => void
}

/** A machine that sleeps stops its timers, and people set its clock: so it is looked at in between. ms. */
const LOOK_EVERY = 20_000

/** The zone of the machine, looked up at most that often: to ask takes longer than most else that is answered with it. */
function lookedUpZone(): () => string {
  let known = { zone: '', until: -Infinity }
  return () => {
    const now = performance.now()
    if (now >= known.until)
      known = { zone: new Intl.DateTimeFormat().resolvedOptions().timeZone, until: now + LOOK_EVERY }
    return known.zone
  }
}

/** The clock of this machine. Waiting for it keeps no process alive. */
export const systemClock: WallClock = {
  now: () => Date.now(),
  steady: () => Math.round(uptime() * 1_000),
  zone: lookedUpZone(),
  wake(at, call) {
    const timer = setTimeout(call, Math.min(LOOK_EVERY, Math.max(0, at - Date.now())))
    timer.unref()
    return () => clearTimeout(timer)
  },
}
