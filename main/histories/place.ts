import { glanceAtLine } from './glance.ts'
import { fileSource, linesOf } from './source.ts'

/** Bytes of one file in which lines of a match lie, perhaps among those of others. */
export interface Stretch {
  readonly path: string
  readonly from: number
  readonly to: number
}

/** Where a match's lines are. `run` null: the file holds nothing else. */
export interface MatchPlace {
  readonly run: number | null
  readonly stretches: readonly Stretch[]
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

/** A match's events in their order, read as `fileSource` reads. Throws as that does. */
export function* eventsAt(place: MatchPlace): Generator<EventLine> {
  const mark = markOf(place)
  let passed = 0
  for (const { path, from, to } of place.stretches) {
    for (const { bytes } of linesOf(fileSource(path, from, to))) {
      passed += bytes.length + 1
      const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
      if (mark !== null && !line.includes(mark)) continue
      const glance = glanceAtLine(line)
      if (glance === null || (place.run !== null && glance.r !== place.run) || !isEvent(glance.k)) continue
      yield { line, kind: glance.k, passed }
    }
  }
}
