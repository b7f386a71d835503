import type { Pause } from '../../contract/players/seat-transport.ts'
import type { Meter } from '../time-limit.ts'

// While the main process stands still, it passes on neither the questions nor the answers of network agents. It notes how long that
// lasts, and tells the worker that measures the agents' time, which takes it off. Both are on one machine and have one clock.

/** Time between two looks at the clock, in ms. A pause is known to begin at most so much earlier than it is noted. */
const LOOK_MS = 10
/** Shorter delays are not noted. */
const NOTED_MS = 2
/** The number of pauses that are kept; older ones are forgotten. */
const KEPT_MAX = 1_000

/** A clock that all processes of this machine share, in ms. */
export const sharedClock = (): number => Number(process.hrtime.bigint()) / 1e6

/** Notes when the event loop of this process stands still, as long as somebody watches. */
class PauseLog {
  readonly #pauses: Pause[] = []
  #watchers = 0
  #timer: NodeJS.Timeout | undefined
  #looked = 0

  /** Begins to watch; returns the end of that. */
  watch(): () => void {
    this.#watchers += 1
    if (this.#watchers === 1) {
      this.#looked = sharedClock()
      this.#timer = setInterval(() => this.look(), LOOK_MS)
      this.#timer.unref()
    }
    let watching = true
    return () => {
      if (!watching) return
      watching = false
      this.#watchers -= 1
      if (this.#watchers === 0) clearInterval(this.#timer)
    }
  }

  /** Notes a pause if the look that is due now is late. */
  look(): void {
    if (this.#watchers === 0) return
    const now = sharedClock()
    const due = this.#looked + LOOK_MS
    this.#looked = now
    if (now - due < NOTED_MS) return
    this.#pauses.push({ from: due, to: now })
    if (this.#pauses.length > KEPT_MAX) this.#pauses.shift()
  }

  /** The pauses that ended after this time of the shared clock, oldest first. */
  since(time: number): readonly Pause[] {
    const first = this.#pauses.findLastIndex(({ to }) => to <= time) + 1
    return this.#pauses.slice(first)
  }
}

/** The pauses of this process. */
export const ownPauses = new PauseLog()

/** The pauses of another process, as far as it has reported them. */
export class ReportedPauses {
  readonly #pauses: Pause[] = []

  add(pauses: readonly Pause[]): void {
    this.#pauses.push(...pauses)
    this.#pauses.splice(0, this.#pauses.length - KEPT_MAX)
  }

  /** Starts to count how long the process stands still: an agent's time does not run meanwhile. */
  meter(): Meter {
    const begun = sharedClock()
    // Nobody sees the agent compute.
    return () => ({ runMs: 0, seenMs: 0, waitMs: this.#msSince(begun) })
  }

  #msSince(time: number): number {
    return this.#pauses.reduce((sum, { from, to }) => sum + Math.max(0, to - Math.max(from, time)), 0)
  }
}
