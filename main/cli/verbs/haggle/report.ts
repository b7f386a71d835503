import type { SessionLog } from '../../../services/games/haggle/session-log.ts'
import type { Entry, Session } from '../../../services/games/haggle/sessions.ts'
import { storyOf } from '../../../services/games/haggle/story.ts'
import type { EntryTally } from '../../../services/games/haggle/tally.ts'
import type { Terminal } from '../../terminal.ts'
import { safeLine, table } from '../../text.ts'

/** A session as JSON for machines. */
export function told(
  { entries: [first, second], printed: _, seed, ...rest }: Session,
  entries: readonly Entry[],
): object {
  return { seed, first: entries[first]!.name, second: entries[second]!.name, ...rest }
}

/** A session in one line. */
export function endingSentence(session: Session, entries: readonly Entry[]): string {
  const [first, second] = session.entries.map((entry) => safeLine(entries[entry]!.name))
  const end =
    session.outcome === 'abort'
      ? `${session.aborted_by === 0 ? first : second} walked away: ${safeLine(session.reason ?? '')}`
      : session.outcome
  return `${session.seed}  ${first} ${session.score[0]} : ${session.score[1]} ${second}  ${end}, ${session.turns} turns`
}

/** Prints a session turn by turn, each side in its colour. */
export function tell(log: SessionLog, { print, paint }: Terminal): void {
  for (const { side, text } of storyOf(log)) {
    print(side === null ? safeLine(text) : paint(side === 0 ? 'green' : 'yellow', safeLine(text)))
  }
}

/** The results of the entries, best first. */
export function standingsTable(standings: readonly EntryTally[], entries: readonly Entry[]): readonly string[] {
  const right = (title: string) => ({ title, align: 'right' as const })
  const mean = (sum: number, count: number): string => (count === 0 ? '-' : (sum / count).toFixed(4))
  return table(
    [
      right('Rank'),
      { title: 'Agent', align: 'left' },
      right('Total'),
      right('Sessions'),
      right('Per session'),
      right('Agreements'),
      right('Per agreement'),
      right('Aborts'),
    ],
    standings.map(({ entry, sessions, score, agreements, aborts }) => [
      String(standings.findIndex((other) => other.score === score) + 1),
      entries[entry]!.name,
      String(score),
      String(sessions),
      mean(score, sessions),
      String(agreements),
      mean(score, agreements),
      String(aborts),
    ]),
  )
}
