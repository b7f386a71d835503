import { glanceAtLine } from './line-header.ts'
import { eachLine, readWholeLines } from './read-lines.ts'
import { fileSource, linesOf } from './history-source.ts'

/** Bytes of one file in which lines of a match lie, perhaps among those of others. */
export interface ByteRange {
  readonly path: string
  readonly from: number
  readonly to: number
}

/** Where a match's lines are. `run` null: the file holds nothing else. */
export interface MatchPlace {
  readonly run: number | null
  readonly stretches: readonly ByteRange[]
}

/** Lines that viewers are shown; all others only prove something. */
export type EventKind = 'input' | 'fault' | 'console'

/** What a match's lines of one run begin with nowhere else, so that most of the others are told apart unread. */
export function markOf({ run }: MatchPlace): Buffer | null {
  return run === null ? null : Buffer.from(`"r":${run}`)
}

export function isEvent(kind: string): kind is EventKind {
  return kind === 'input' || kind === 'fault' || kind === 'console'
}

/** The line of an event, and the length of everything up to its end that lies in the match's stretches. */
export interface EventLine {
  readonly line: Buffer
  readonly kind: EventKind
  readonly passed: number
}

/** null: it is no event, or of another match. */
function eventKind(line: Buffer, { run }: MatchPlace, mark: Buffer | null): EventKind | null {
  if (mark !== null && !line.includes(mark)) return null
  const glance = glanceAtLine(line)
  return glance !== null && (run === null || glance.r === run) && isEvent(glance.k) ? glance.k : null
}

/** A match's events in their order, read as `fileSource` reads. Throws as that does. */
export function* eventsAt(place: MatchPlace): Generator<EventLine> {
  const mark = markOf(place)
  let passed = 0
  for (const { path, from, to } of place.stretches) {
    for (const { bytes } of linesOf(fileSource(path, from, to))) {
      passed += bytes.length + 1
      const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
      const kind = eventKind(line, place, mark)
      if (kind !== null) yield { line, kind, passed }
    }
  }
}

/**
 * Passes on the events of a match in order, about a megabyte at a time, and waits for the callback, which stops
 * the reading by returning false. `more`: see `readWholeLines`, and it rejects as that does.
 */
export async function eachEvents(
  place: MatchPlace,
  take: (events: readonly EventLine[]) => Promise<boolean>,
  more?: () => Promise<boolean>,
): Promise<void> {
  const mark = markOf(place)
  let passed = 0
  let goOn = true as boolean
  for (const { path, from, to } of place.stretches) {
    const visit = async (batch: Buffer): Promise<boolean> => {
      const events: EventLine[] = []
      eachLine(batch, (line): undefined => {
        passed += line.length + 1
        const kind = eventKind(line, place, mark)
        if (kind !== null) events.push({ line, kind, passed })
      })
      goOn = events.length === 0 || (await take(events))
      return goOn
    }
    if (goOn) await readWholeLines(path, visit, from, to, more)
  }
}
