import { open } from 'node:fs/promises'
import type { HeaderBody, HistoryBody, OutcomeBody } from '../../contract/histories/history.ts'
import type { Sha256 } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { glanceAtLine, readHistoryLine } from '../../histories/read-line.ts'
import { createPackedArray, type PackedArray } from '../files/packed-array.ts'
import { isEvent, markOf, type EventKind, type MatchPlace } from '../../histories/segments/match-place.ts'
import { eachLine, readWholeLines } from '../../histories/read-lines.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { createChangeSignal } from './change-signal.ts'
import { sentence } from '../../contract/sentence.ts'

const eventKinds: readonly EventKind[] = ['input', 'fault', 'console']

/** Longer matches are shown before they have been read completely. Bytes. */
const SHOWN_WHOLE = 4 * 1024 * 1024
/** The number of bytes at the end of a history that are searched for its outcome and its proof. */
const END_BYTES = 256 * 1024
/** The minimum length of an event's line in bytes. */
const EVENT_BYTES = 100

/** The place of a match, and its name in messages. */
export interface LocatedMatch {
  readonly place: MatchPlace
  readonly name: string
  /** Absent: the file is complete. */
  readonly coming?: Coming
}

/** A file that is still being written; `place` has its final length. */
export interface Coming {
  /** Its last bytes, known in advance. */
  readonly end: Buffer
  /** Resolves when more than `have` bytes are there. Rejects with ExpectedError when that will not happen. */
  more(have: number): Promise<boolean>
}

/** The places of the lines of all events of a match, in packed numbers, because there may be hundreds of thousands. */
export interface MatchIndex {
  readonly header: HeaderBody
  readonly outcome: OutcomeBody
  /** The hash of the outcome's line, which ends the match's chain. */
  readonly head: Sha256
  readonly config: Json
  /** The number of events found so far. */
  readonly events: number
  /** The maximum number of events; equal to `events` when the match has been read completely. */
  readonly most: number
  /** Resolves when the match has been read completely; rejects like `indexMatch`. */
  readonly whole: Promise<void>
  /** Resolves when this many events, or all, have been found; rejects if reading fails before. */
  reach(events: number): Promise<void>
  /** By event: its kind, the stretch that contains it, its offset in that file, and its length. */
  kind(event: number): EventKind
  readonly stretch: PackedArray
  readonly start: PackedArray
  readonly length: PackedArray
}

/** The match's own lines that have been read so far. */
interface Found {
  header?: HeaderBody
  outcome?: OutcomeBody
  head?: Sha256
  key: string | null
  readonly blobs: Map<Sha256, Json>
}

/**
 * Indexes a match in one pass, in the batches of `readWholeLines`, yielding between them. Lines that viewers do not need are
 * only classified. For a long match it resolves as soon as header and outcome are known, and continues. Throws
 * ExpectedError 'verdict' that names the line if the match is not complete, and MachineError.
 */
export async function indexMatch({ place, name, coming }: LocatedMatch): Promise<MatchIndex> {
  const found: Found = { key: null, blobs: new Map() }
  const kinds = createPackedArray('small')
  const [stretch, start, length] = [createPackedArray('whole'), createPackedArray('number'), createPackedArray('whole')]
  const mark = markOf(place)
  let done = false as boolean
  const signal = createChangeSignal()

  const look = async (): Promise<void> => {
    for (const [number, { path, from, to }] of place.stretches.entries()) {
      let line = 0
      const strictly = (bytes: Buffer): void => take(found, bytes, name, line)
      const visit = (bytes: Buffer, offset: number): undefined => {
        line++
        if (mark !== null && !bytes.includes(mark)) return
        const { k, r } = glanceAtLine(bytes) ?? fail(unreadable(name, line, 'the line is not a history record'))
        if (place.run !== null && r !== place.run) return
        if (isEvent(k)) {
          kinds.push(eventKinds.indexOf(k))
          stretch.push(number)
          start.push(offset)
          length.push(bytes.length)
        } else if (k !== 'checkpoint' && k !== 'redacted') strictly(bytes)
      }
      try {
        // Values that a header refers to are at the beginning of its segment.
        if (number === 0 && from > 0) {
          await readWholeLines(path, (batch) => eachLine(batch, (bytes) => takeValue(bytes, strictly)))
          line = 0
        }
        const each = (batch: Buffer, at: number): undefined => {
          eachLine(batch, (bytes, inBatch) => visit(bytes, at + inBatch))
          signal.changed()
        }
        await readWholeLines(path, each, from, to, coming?.more.bind(coming))
      } catch (error) {
        throw error instanceof ExpectedError ? error : machineErrorFrom(error, 'read', path)
      }
    }
    beginningOf(found, name)
  }

  const early: Found = { key: null, blobs: found.blobs }
  if (bytesIn(place) > SHOWN_WHOLE) {
    for (const bytes of outcomesAtEnd(coming?.end ?? (await endOf(place)))) if (takeEnd(early, bytes, place)) break
  }
  let failure: Error | undefined
  const whole = look().then(
    () => {
      done = true
      signal.changed()
    },
    (error: unknown) => {
      failure = error instanceof Error ? error : new Error(String(error))
      done = true
      signal.changed()
      throw error
    },
  )
  whole.catch(() => undefined)
  while (!done && (early.outcome === undefined || found.header === undefined)) await signal.next()
  // The outcome at the end may be wrong: if everything has been read, the result of that counts.
  if (done) await whole
  const { header, config, outcome, head } = beginningOf({ ...early, ...found }, name)
  const kind = (event: number): EventKind => eventKinds[kinds.at(event)]!
  // Every record of a match has a number; all records before the outcome, except the header, may be events.
  const most = Math.min(outcome.n - 1, Math.floor(bytesIn(place) / EVENT_BYTES))
  return {
    header,
    outcome,
    head,
    config,
    get events() {
      return start.length
    },
    get most() {
      return done ? start.length : Math.max(start.length, most)
    },
    whole,
    async reach(events) {
      while (start.length < events && !done) await signal.next()
      if (start.length < events && failure !== undefined) throw failure
    },
    kind,
    stretch,
    start,
    length,
  }
}

function beginningOf(
  { header, outcome, head, blobs }: Found,
  name: string,
): { readonly header: HeaderBody; readonly config: Json; readonly outcome: OutcomeBody; readonly head: Sha256 } {
  if (header === undefined || outcome === undefined || head === undefined) {
    throw new ExpectedError(
      'verdict',
      'match-unfinished',
      `${name} does not hold a complete match: its ${header ? 'outcome' : 'header'} is missing.`,
    )
  }
  const config = blobs.get(header.config)
  if (config === undefined)
    throw new ExpectedError('verdict', 'history-invalid', `${name} lacks the settings that its match was played with.`)
  return { header, config, outcome, head }
}

function take(found: Found, bytes: Buffer, name: string, line: number): void {
  const read = readHistoryLine(bytes)
  if (!read.ok) throw unreadable(name, line, read.message)
  keep(found, read)
}

function keep(found: Found, { body, h }: { readonly body: HistoryBody; readonly h: Sha256 }): void {
  if (body.k === 'header') found.header = body
  else if (body.k === 'outcome') {
    found.outcome = body
    found.head = h
  } else if (body.k === 'blob') found.blobs.set(body.sha256, body.value)
}

/** Reads an outcome; false: it is not the match's. Lines that cannot be read here are reported when the whole match is read. */
function takeEnd(found: Found, bytes: Buffer, { run }: MatchPlace): boolean {
  const glance = glanceAtLine(bytes)
  if (glance?.k !== 'outcome' || (run !== null && glance.r !== run)) return false
  const read = readHistoryLine(bytes)
  if (read.ok) keep(found, read)
  return read.ok
}

/** In every outcome's line, and never within a string, where quotation marks are escaped. */
const OUTCOME_MARK = '"k":"outcome"'
/** The maximum number of lines with that mark that are looked at: a match ends with its outcome, and few others end beside it. */
const OUTCOMES_TRIED = 200

/**
 * The complete lines that may be outcomes, the last first. An end can have a hundred thousand lines, all of which a stranger
 * wrote: the others are not looked at.
 */
function* outcomesAtEnd(end: Buffer): Generator<Buffer> {
  let until = end.lastIndexOf(10)
  for (let tried = 0; tried < OUTCOMES_TRIED; tried++) {
    const mark = until <= 0 ? -1 : end.lastIndexOf(OUTCOME_MARK, until - 1)
    const start = mark === -1 ? -1 : end.lastIndexOf(10, mark)
    // Before the first newline is the rest of a line.
    if (start === -1) return
    yield end.subarray(start + 1, end.indexOf(10, mark))
    until = start
  }
}

/** The last bytes of a match. Rejects with MachineError. */
async function endOf({ stretches }: MatchPlace): Promise<Buffer> {
  const { path, from, to } = stretches.at(-1)!
  try {
    const file = await open(path, 'r')
    try {
      const end = Math.min(to, (await file.stat()).size)
      const bytes = Buffer.alloc(Math.max(0, Math.min(END_BYTES, end - from)))
      await file.read(bytes, 0, bytes.length, end - bytes.length)
      return bytes
    } finally {
      await file.close()
    }
  } catch (error) {
    throw machineErrorFrom(error, 'read', path)
  }
}

function bytesIn({ stretches }: MatchPlace): number {
  return stretches.reduce((sum, { from, to }) => sum + to - from, 0)
}

/** Passes on lines until the first that belongs to a run; returns false there. */
function takeValue(bytes: Buffer, take: (bytes: Buffer) => void): boolean {
  const peeked = glanceAtLine(bytes)
  if (peeked?.k === 'blob') take(bytes)
  return peeked?.k === 'blob' || peeked?.k === 'segment'
}

function unreadable(name: string, line: number, message: string): ExpectedError {
  return new ExpectedError('verdict', 'history-invalid', sentence(`${name}, line ${line}: ${message}`))
}

function fail(error: Error): never {
  throw error
}
