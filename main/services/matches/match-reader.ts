import { open, rm, type FileHandle } from 'node:fs/promises'
import type { OutlineMark, OutlineSwing } from '../../contract/game/outline.ts'
import type { Json } from '../../contract/json.ts'
import type { OutlinePage, RestrictedEvent } from '../../contract/procedures/procedures.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { WorkerProcess } from '../machine/worker-process.ts'
import type { ReadMatch, ReadReport } from '../../worker/protocol.ts'
import { createPackedArray, type PackedArray } from '../files/packed-array.ts'
import { sentence } from '../../contract/sentence.ts'

/**
 * A match that a worker folds for viewers, so that a hostile history cannot end this process. The numbers of all events
 * are kept in memory, states in a temporary file and never in the history.
 */
export interface MatchReading {
  /** The number of events known so far. */
  readonly events: number
  /**
   * See the procedures of these names. They wait until the match has been read so far; ExpectedError 'host' if it ends
   * before.
   */
  outline(from: number): Promise<OutlinePage>
  state(position: number): Promise<{ readonly position: number; readonly state: Json } | null>
  /** Stops the worker and removes the file. */
  close(): Promise<void>
}

/** The number of events in a page of an outline. */
const PAGE = 10_000

interface SavedState {
  readonly position: number
  /** The offset of its text in the file, in bytes. */
  readonly from: number
  readonly bytes: number
}

/** A match while its worker is open. The numbers of each event are in lists of equal order. */
interface Reading {
  readonly worker: WorkerProcess<ReadReport>
  readonly at: PackedArray
  readonly round: PackedArray
  readonly seat: PackedArray
  readonly lines: PackedArray
  /** One for each seat and event. */
  readonly levels: PackedArray
  readonly marks: (OutlineMark & { readonly event: number })[]
  readonly swings: (OutlineSwing & { readonly event: number })[]
  readonly restricted: RestrictedEvent[]
  /** In the order of their positions. */
  readonly states: SavedState[]
  /** The number of seats. */
  readonly seats: number
  /** The levels before the first event. */
  initial: readonly number[]
  /** The whole match has been read; null: not yet. `broken`: see `OutlinePage`. */
  end: { readonly broken: string | null } | null
  /** The reason why nothing more can be read; null: there is none. */
  failure: ExpectedError | null
  /** Called at each report. */
  waiting: (() => void)[]
  closed: boolean
  /** The end of the file; states are written one at a time. */
  written: number
  readonly file: Promise<{ readonly path: string; readonly handle: FileHandle }>
  /** Settles when all states so far are in the file. */
  writing: Promise<unknown>
}

/** Starts reading in a worker that only this reading uses. `scratch`: returns a path for the file of states. */
export function startReading(
  worker: WorkerProcess<ReadReport>,
  match: ReadMatch,
  scratch: () => Promise<string>,
): MatchReading {
  const file = scratch().then(async (path) => ({ path, handle: await open(path, 'wx+', 0o600) }))
  const reading: Reading = {
    worker,
    at: createPackedArray('number'),
    round: createPackedArray('whole'),
    seat: createPackedArray('whole'),
    lines: createPackedArray('whole'),
    levels: createPackedArray('number'),
    marks: [],
    swings: [],
    restricted: [],
    states: [],
    seats: match.seats.length,
    initial: [],
    end: null,
    failure: null,
    waiting: [],
    closed: false,
    written: 0,
    file,
    writing: Promise.resolve(),
  }
  // Without its file the match cannot be shown, and nobody may be waiting for it yet.
  reading.writing = file.then(
    () => undefined,
    (error: unknown) => cannotKeep(reading, error),
  )
  worker.onReport((report) => take(reading, report))
  worker.onExit((how) => {
    if (reading.end === null) fail(reading, `its process ended (${how})`)
  })
  worker.send({ type: 'read', match })
  return {
    get events() {
      return reading.at.length
    },
    outline: (from) => outlinePage(reading, from),
    state: (position) => savedState(reading, position),
    close: () => close(reading),
  }
}

/** Adds a report to what is known of the match. */
function take(reading: Reading, report: ReadReport): void {
  if (report.type === 'begin') reading.initial = report.levels
  else if (report.type === 'state') write(reading, report.position, report.text)
  else if (report.type === 'events') {
    for (const number of report.at) reading.at.push(number)
    for (const number of report.round) reading.round.push(number)
    for (const number of report.seat) reading.seat.push(number)
    for (const number of report.lines) reading.lines.push(number)
    for (const number of report.levels) reading.levels.push(number)
    for (const mark of report.marks) reading.marks.push(mark)
    reading.swings.push(...report.swings)
    for (const each of report.restricted) reading.restricted.push(each)
  } else {
    reading.end = { broken: report.broken }
    reading.worker.kill()
  }
  wake(reading)
}

/** Waits until this number of events has been read, or no more will come. */
async function readSoFar(reading: Reading, events: number): Promise<void> {
  while (reading.at.length < events && reading.end === null && reading.failure === null) {
    await new Promise<void>((resolve) => reading.waiting.push(resolve))
  }
}

async function outlinePage(reading: Reading, from: number): Promise<OutlinePage> {
  await readSoFar(reading, from + 1)
  const { at, round, seat, lines, levels, marks, swings, restricted, seats, states } = reading
  const to = Math.min(at.length, from + PAGE)
  // The states up to there were passed on before these events, but may not be written yet.
  await reading.writing
  if (reading.failure !== null) throw reading.failure
  const { end, initial } = reading
  const last = end !== null && to === at.length
  const isOnPage = ({ event }: { readonly event: number }): boolean => event >= from && event < to
  return {
    from,
    at: at.slice(from, to),
    round: round.slice(from, to),
    seat: seat.slice(from, to),
    lines: lines.slice(from, to),
    levels: levels.slice(from * seats, to * seats),
    marks: marks.filter(isOnPage),
    swings: swings.filter(isOnPage),
    restricted: restricted.filter(isOnPage),
    initial,
    states: states.slice(after(reading, from), after(reading, to)).map(({ position }) => position),
    last,
    broken: last ? end.broken : null,
  }
}

/** The newest state that was saved at a position or before it; null: there is none. */
async function savedState(
  reading: Reading,
  position: number,
): Promise<{ readonly position: number; readonly state: Json } | null> {
  await readSoFar(reading, position)
  await reading.writing
  if (reading.failure !== null) throw reading.failure
  const saved = reading.states[after(reading, position) - 1]
  if (saved === undefined) return null
  const bytes = Buffer.allocUnsafe(saved.bytes)
  const { handle } = await reading.file
  await handle.read(bytes, 0, saved.bytes, saved.from)
  return { position: saved.position, state: JSON.parse(bytes.toString('utf8')) as Json }
}

async function close(reading: Reading): Promise<void> {
  if (reading.closed) return
  reading.closed = true
  fail(reading, 'it was closed')
  const { path, handle } = await reading.file.catch(() => ({ path: null, handle: null }))
  await reading.writing.catch(() => undefined)
  await handle?.close()
  if (path !== null) await rm(path, { force: true })
}

function wake(reading: Reading): void {
  const all = reading.waiting
  reading.waiting = []
  for (const each of all) each()
}

function write(reading: Reading, position: number, text: string): void {
  reading.writing = reading.writing
    .then(async () => {
      const bytes = Buffer.from(text)
      const { handle } = await reading.file
      await handle.write(bytes, 0, bytes.length, reading.written)
      reading.states.push({ position, from: reading.written, bytes: bytes.length })
      reading.written += bytes.length
    })
    .catch((error: unknown) => cannotKeep(reading, error))
}

function cannotKeep(reading: Reading, error: unknown): void {
  fail(reading, `its states cannot be kept: ${String(error)}`)
}

function fail(reading: Reading, why: string): void {
  reading.failure ??= new ExpectedError('host', 'history-unreadable', sentence(`The match could not be read: ${why}`))
  reading.worker.kill()
  wake(reading)
}

/** The index of the first state after a position; `states.length` if there is none. */
function after(reading: Reading, position: number): number {
  let [low, high] = [0, reading.states.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (reading.states[middle]!.position <= position) low = middle + 1
    else high = middle
  }
  return low
}
