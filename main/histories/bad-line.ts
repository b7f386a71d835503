import { glanceAtLine } from './line-header.ts'
import { isEvent } from './match-place.ts'
import { linesOf, type HistorySource } from './history-source.ts'

/** The line of an exported match at which its verification failed. */
export interface BadLine {
  /** The number of the match's events up to and including this line. */
  readonly events: number
  /** The beginning of the line as it stands in the file; null: the file ends before it. */
  readonly text: string | null
}

/** The maximum number of bytes of a line that are shown. */
const SHOWN_BYTES = 4_000

/** What an event's line contains. The bad line is not parsed, because parsing it may be what it is made for. */
const eventMarks = ['input', 'fault', 'console'].map((kind) => `,"k":"${kind}","n":`)

/** Finds a line, numbered from 1. Throws only the source's own error, whatever the bytes. */
export function badLineOf(source: HistorySource, line: number): BadLine {
  let events = 0
  let at = 0
  for (const { bytes } of linesOf(source)) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    if (++at === line) {
      if (eventMarks.some((mark) => text.includes(mark))) events++
      return { events, text: text.toString('utf8', 0, SHOWN_BYTES) }
    }
    if (isEvent(glanceAtLine(text)?.k ?? '')) events++
  }
  return { events, text: null }
}
