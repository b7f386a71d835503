import { readFileSync } from 'node:fs'
import type { FinishedMatch } from '../../main/contract/contests/finished-match.ts'
import {
  commandsOf,
  type Commands,
  type MatchJob,
  type WorkerCommand,
  type WorkerReport,
} from '../../main/worker/protocol.ts'

/** A match as it was played once: what a worker said of it. */
export interface RecordedMatch {
  readonly run: Omit<FinishedMatch, 'match' | 'attempt' | 'isolation'>
  /** The lines of its history, in order. */
  readonly lines: readonly string[]
}

/** ms between two times at which lines that are due are told. */
const BEAT = 5

/** True if a line of a history is an event. */
export const tellsEvent = (line: string): boolean => /"k":"(?:input|fault|console)"/.test(line)

/** A key of the entrants that meet, independent of their order. */
const table = (names: readonly string[]): string => [...names].sort().join('\n')

/**
 * A match worker that plays nothing: of each match that it is given it tells again, line by line, what was recorded when these
 * agents met before. `recorded`: a file of RecordedMatch, `perSecond`: events.
 */
export function replay(recorded: string, perSecond: number): void {
  const matches = JSON.parse(readFileSync(recorded, 'utf8')) as readonly RecordedMatch[]
  const byTable = new Map(matches.map((match) => [table(match.run.entrants), match]))
  const jobs: MatchJob[] = []
  const tell = (reports: readonly WorkerReport[]): void => void process.send?.({ type: 'reports', reports })
  let [begun, told] = [0, 0]
  let next = 0

  /** The first match's lines up to the next event, and its end after the last; whether there was an event. */
  const step = (reports: WorkerReport[]): boolean => {
    const [{ run, match, attempt, entrants }] = jobs as [MatchJob]
    const { lines, run: played } = byTable.get(table(entrants.map(({ name }) => name)))!
    const line = lines[next]
    if (line !== undefined) {
      next += 1
      reports.push({ type: 'lines', run, text: line.replace(`"r":${played.run}`, `"r":${run}`) + '\n' })
      return tellsEvent(line)
    }
    reports.push({ type: 'finished', isolation: 'none', ...played, run, match, attempt })
    jobs.shift()
    next = 0
    return false
  }

  const tellDue = (): void => {
    const reports: WorkerReport[] = []
    const due = begun === 0 ? 0 : ((performance.now() - begun) * perSecond) / 1_000
    while (told < due && jobs.length > 0) if (step(reports)) told += 1
    if (reports.length > 0) tell(reports)
  }

  process.on('message', (message: WorkerCommand | Commands) => {
    const wanted = commandsOf(message).flatMap((command) => (command.type === 'play' ? command.job : []))
    if (wanted.length === 0) return
    jobs.push(...wanted)
    if (begun === 0) begun = performance.now()
    // Late messages are not delayed further.
    tellDue()
  })
  process.on('disconnect', () => process.exit())
  setInterval(tellDue, BEAT)
  tell([{ type: 'ready' }])
}
