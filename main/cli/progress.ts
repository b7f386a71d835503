import cliProgress from 'cli-progress'
import type { Terminal } from './terminal.ts'
import { duration } from './text.ts'

/** Progress of some work. `msLeft` is null while unknown. */
export interface Progress {
  readonly done: number
  readonly total: number
  readonly msLeft: number | null
}

export interface ProgressLine {
  update(progress: Progress): void
  /** Prints a line of text above the bar. */
  note(text: string): void
  /** Removes the bar. Idempotent. */
  end(): void
}

/**
 * A bar with rate and time left if stderr is a terminal; otherwise lines with the same. `now`: ms of a clock that never goes
 * back.
 */
export function showProgress(
  terminal: Terminal,
  many: string,
  now: () => number = () => performance.now(),
): ProgressLine {
  const pace = createPace(now)
  return terminal.live === null ? lines(terminal, many, pace, now) : bar(terminal, terminal.live, many, pace)
}

function bar(terminal: Terminal, stream: NodeJS.WritableStream, many: string, pace: Pace): ProgressLine {
  const format = `{bar} {value} of {total} ${many}{pace}`
  const options = { format, stream, clearOnComplete: true, gracefulExit: false }
  const line = new cliProgress.SingleBar(options, cliProgress.Presets.shades_classic)
  let started = false
  return {
    update(progress) {
      const { done, total } = progress
      const words = { pace: pace(progress) }
      if (!started) line.start(total, done, words)
      started = true
      line.setTotal(total)
      line.update(done, words)
    },
    note(text) {
      if (started) line.stop()
      started = false
      terminal.note(text)
    },
    end() {
      if (started) line.stop()
      started = false
    },
  }
}

/** Between two lines: a tenth of the time so far, but no less and no more than this. ms. */
const LINE_LEAST = 10_000
const LINE_MOST = 300_000

/** A line after each quarter of the work, and in between, so that a log of some minutes or of a night has some dozens. */
function lines(terminal: Terminal, many: string, pace: Pace, now: () => number): ProgressLine {
  const began = now()
  let quarters = 0
  let last = began
  return {
    update(progress) {
      const { done, total } = progress
      const words = pace(progress)
      const quarter = total === 0 ? 0 : Math.floor((4 * done) / total)
      const pause = Math.min(LINE_MOST, Math.max(LINE_LEAST, (now() - began) / 10))
      if (quarter <= quarters && now() - last < pause) return
      quarters = Math.max(quarters, quarter)
      last = now()
      terminal.note(`${done} of ${total} ${many}${words}`)
    },
    note: (text) => terminal.note(text),
    end: () => undefined,
  }
}

/** The rate since the first call and the time left, as `, 14 a second, 25 s left`; '' while unknown. */
type Pace = (progress: Progress) => string

function createPace(now: () => number): Pace {
  let first: { readonly done: number; readonly at: number } | null = null
  return ({ done, total, msLeft }) => {
    first ??= { done, at: now() }
    const perSecond = (1_000 * (done - first.done)) / (now() - first.at)
    const rate = done > first.done && Number.isFinite(perSecond) ? `, ${rateWords(perSecond)}` : ''
    return `${rate}${msLeft === null || done >= total ? '' : `, ${duration(msLeft)} left`}`
  }
}

/** In the unit that gives a number from 1: `14 a second`, `2.5 a minute`. */
function rateWords(perSecond: number): string {
  const units = [
    [1, 'second'],
    [60, 'minute'],
    [3_600, 'hour'],
  ] as const
  const [seconds, unit] = units.find(([each]) => perSecond * each >= 1) ?? units[2]
  const rate = perSecond * seconds
  return `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} a ${unit}`
}
