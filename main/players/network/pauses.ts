import type { Pause } from '../../contract/players/seat-transport.ts'
import type { Meter } from '../time-limit.ts'

// While the main process stands still, it passes on neither the questions nor the answers of network agents. It notes how long that
// lasts, and tells the worker that measures the agents' time, which takes it off. Both are on one machine and have one clock.

/** Time between two looks at the clock, in ms. A pause is known to begin at most so much earlier than it is noted. */
const LOOK_MS = 10
/** Shorter delays are not noted. */
const NOTED_MS = 2
/** If there are more pauses, the older half is joined in pairs: no time is forgotten, only its place becomes coarser. */
const KEPT_MAX = 1_000

/** A clock that all processes of this machine share, in ms. */
const sharedClock = (): number => Number(process.hrtime.bigint()) / 1e6

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
    this.#pauses.push({ from: due, to: now, ms: now - due })
    condense(this.#pauses)
  }

  /** The pauses that ended after this time of the shared clock, oldest first. */
  since(time: number): readonly Pause[] {
    const first = this.#pauses.findLastIndex(({ to }) => to <= time) + 1
    return this.#pauses.slice(first)
  }
}

/** Joins pairs of the older half if there are too many. */
function condense(pauses: Pause[]): void {
  if (pauses.length <= KEPT_MAX) return
  const older = pauses.splice(0, KEPT_MAX / 2)
  const joined: Pause[] = []
  for (let i = 0; i < older.length; i += 2) {
    const [first, second] = [older[i]!, older[i + 1]!]
    joined.push({ from: first.from, to: second.to, ms: first.ms + second.ms })
  }
  pauses.unshift(...joined)
}

/** The pauses of this process. */
const ownPauses = new PauseLog()

/** Watches this process for the sake of one match, and tells each pause once. */
export class PauseNews {
  readonly #unwatch = ownPauses.watch()
  /** All pauses that ended before are told; time of the shared clock. */
  #toldTo = sharedClock()

  /** A message with the pauses that have ended since the last one. */
  with<T extends object>(news: T): T & { readonly pauses?: readonly Pause[] } {
    ownPauses.look()
    const pauses = ownPauses.since(this.#toldTo)
    if (pauses.length === 0) return news
    this.#toldTo = pauses.at(-1)!.to
    return { ...news, pauses }
  }

  close(): void {
    this.#unwatch()
  }
}

/** The pauses of another process, as far as it has reported them. */
export class ReportedPauses {
  readonly #pauses: Pause[] = []

  add(pauses: readonly Pause[]): void {
    this.#pauses.push(...pauses)
    condense(this.#pauses)
  }

  /** Starts to count how long the process stands still: an agent's time does not run meanwhile. */
  meter(): Meter {
    const begun = sharedClock()
    // Nobody sees the agent compute.
    return () => ({ runMs: 0, seenMs: 0, waitMs: this.#msSince(begun) })
  }

  #msSince(time: number): number {
    return this.#pauses.reduce((sum, { from, to, ms }) => sum + Math.max(0, Math.min(ms, to - Math.max(from, time))), 0)
  }
}
