import { glanceAtLine } from '../read-line.ts'
import { eachLine, readWholeLines } from '../read-lines.ts'
import { fileSource, sourceLines } from '../history-source.ts'

/** A range of bytes in a file that contains lines of a match, possibly mixed with others. `to` is exclusive. */
export interface ByteRange {
  readonly path: string
  readonly from: number
  readonly to: number
}

/** The location of a match's lines. `run` null: the file contains no other match. */
export interface MatchPlace {
  readonly run: number | null
  readonly stretches: readonly ByteRange[]
}

/** The kinds of lines that viewers show; the others serve verification. */
export type EventKind = 'input' | 'fault' | 'console'

/** A byte sequence that every line of the run contains, so that most other lines can be skipped without parsing. */
export function markOf({ run }: MatchPlace): Buffer | null {
  return run === null ? null : Buffer.from(`"r":${run}`)
}

export function isEvent(kind: string): kind is EventKind {
  return kind === 'input' || kind === 'fault' || kind === 'console'
}

/** The line of an event; `passed`: the number of bytes in the match's stretches up to its end. */
export interface EventLine {
  readonly line: Buffer
  readonly kind: EventKind
  readonly passed: number
}

/** The kind of an event's line; null: not an event, or of another match. */
function eventKind(line: Buffer, { run }: MatchPlace, mark: Buffer | null): EventKind | null {
  if (mark !== null && !line.includes(mark)) return null
  const glance = glanceAtLine(line)
  return glance !== null && (run === null || glance.r === run) && isEvent(glance.k) ? glance.k : null
}

/** A match's events in order, read with `fileSource`. Throws like it. */
export function* eventsAt(place: MatchPlace): Generator<EventLine> {
  const mark = markOf(place)
  let passed = 0
  for (const { path, from, to } of place.stretches) {
    for (const { bytes } of sourceLines(fileSource(path, from, to))) {
      passed += bytes.length + 1
      const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
      const kind = eventKind(line, place, mark)
      if (kind !== null) yield { line, kind, passed }
    }
  }
}

/**
 * Passes the events of a match in order to a callback, those of a batch of `readWholeLines` at a time, and waits for it; the callback
 * stops the reading by returning false. `more`: see `readWholeLines`. Rejects like it.
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
