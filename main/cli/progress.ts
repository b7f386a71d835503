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

/** A bar if stderr is a terminal; otherwise a line after each quarter of the work. */
export function showProgress(terminal: Terminal, many: string): ProgressLine {
  return terminal.live === null ? quarters(terminal, many) : bar(terminal, terminal.live, many)
}

function bar(terminal: Terminal, stream: NodeJS.WritableStream, many: string): ProgressLine {
  const format = `{bar} {value} of {total} ${many}{left}`
  const options = { format, stream, clearOnComplete: true, gracefulExit: false }
  const line = new cliProgress.SingleBar(options, cliProgress.Presets.shades_classic)
  let started = false
  return {
    update({ done, total, msLeft }) {
      const left = msLeft === null ? '' : `, ${duration(msLeft)} left`
      if (!started) line.start(total, done, { left })
      started = true
      line.setTotal(total)
      line.update(done, { left })
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

function quarters(terminal: Terminal, many: string): ProgressLine {
  let said = 0
  return {
    update({ done, total }) {
      const quarter = total === 0 ? 0 : Math.floor((4 * done) / total)
      if (quarter > said) terminal.note(`${done} of ${total} ${many}`)
      said = Math.max(said, quarter)
    },
    note: (text) => terminal.note(text),
    end: () => undefined,
  }
}
