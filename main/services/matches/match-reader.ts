import { open, rm, type FileHandle } from 'node:fs/promises'
import type { OutlineMark, OutlineSwing } from '../../contract/game/outline.ts'
import type { Json } from '../../contract/json.ts'
import type { OutlinePage, RestrictedEvent } from '../../contract/procedures/procedures.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { WorkerProcess } from '../machine/worker-process.ts'
import type { ReadMatch, ReadReport } from '../../worker/protocol.ts'
import { createPackedArray } from '../files/packed-array.ts'

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
  /** Where its text is in the file. */
  readonly from: number
  readonly bytes: number
}

/** Starts reading in a worker that only this reading uses. `scratch`: returns a path for the file of states. */
export function startReading(
  worker: WorkerProcess<ReadReport>,
  match: ReadMatch,
  scratch: () => Promise<string>,
): MatchReading {
  const [at, round, seat, lines] = [
    createPackedArray('number'),
    createPackedArray('whole'),
    createPackedArray('whole'),
    createPackedArray('whole'),
  ]
  const levels = createPackedArray('number')
  const marks: (OutlineMark & { readonly event: number })[] = []
  const swings: (OutlineSwing & { readonly event: number })[] = []
  const restricted: RestrictedEvent[] = []
  const states: SavedState[] = []
  const seats = match.seats.length
  let initial: readonly number[] = []
  let end: { readonly broken: string | null } | null = null
  let failure: ExpectedError | null = null
  let waiting: (() => void)[] = []
  let closed = false

  const wake = (): void => {
    const all = waiting
    waiting = []
    for (const each of all) each()
  }

  /** The end of the file; states are written one at a time. */
  let written = 0
  const file: Promise<{ readonly path: string; readonly handle: FileHandle }> = scratch().then(async (path) => ({
    path,
    handle: await open(path, 'wx+', 0o600),
  }))
  let writing: Promise<unknown> = file
  const write = (position: number, text: string): void => {
    writing = writing
      .then(async () => {
        const bytes = Buffer.from(text)
        const { handle } = await file
        await handle.write(bytes, 0, bytes.length, written)
        states.push({ position, from: written, bytes: bytes.length })
        written += bytes.length
      })
      .catch((error: unknown) => fail(`its states cannot be kept: ${String(error)}`))
  }

  const fail = (why: string): void => {
    failure ??= new ExpectedError('host', 'history-unreadable', `The match could not be read: ${why}.`)
    worker.kill()
    wake()
  }

  worker.onReport((report) => {
    if (report.type === 'begin') initial = report.levels
    else if (report.type === 'state') write(report.position, report.text)
    else if (report.type === 'events') {
      for (const number of report.at) at.push(number)
      for (const number of report.round) round.push(number)
      for (const number of report.seat) seat.push(number)
      for (const number of report.lines) lines.push(number)
      for (const number of report.levels) levels.push(number)
      for (const mark of report.marks) marks.push(mark)
      swings.push(...report.swings)
      for (const each of report.restricted) restricted.push(each)
    } else {
      end = { broken: report.broken }
      worker.kill()
    }
    wake()
  })
  worker.onExit((how) => {
    if (end === null) fail(`its process ended (${how})`)
  })
  worker.send({ type: 'read', match })

  /** The index of the first state after a position; `states.length` if there is none. */
  const after = (position: number): number => {
    let [low, high] = [0, states.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (states[middle]!.position <= position) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    get events() {
      return at.length
    },

    async outline(from) {
      while (at.length <= from && end === null && failure === null) {
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
      const to = Math.min(at.length, from + PAGE)
      // The states up to there were passed on before these events, but may not be written yet.
      await writing
      if (failure !== null) throw failure
      const last = end !== null && to === at.length
      return {
        from,
        at: at.slice(from, to),
        round: round.slice(from, to),
        seat: seat.slice(from, to),
        lines: lines.slice(from, to),
        levels: levels.slice(from * seats, to * seats),
        marks: marks.filter(({ event }) => event >= from && event < to),
        swings: swings.filter(({ event }) => event >= from && event < to),
        restricted: restricted.filter(({ event }) => event >= from && event < to),
        initial,
        states: states.slice(after(from), after(to)).map(({ position }) => position),
        last,
        broken: last ? (end?.broken ?? null) : null,
      }
    },

    async state(position) {
      while (at.length < position && end === null && failure === null) {
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
      await writing
      if (failure !== null) throw failure
      const saved = states[after(position) - 1]
      if (saved === undefined) return null
      const bytes = Buffer.allocUnsafe(saved.bytes)
      const { handle } = await file
      await handle.read(bytes, 0, saved.bytes, saved.from)
      return { position: saved.position, state: JSON.parse(bytes.toString('utf8')) as Json }
    },

    async close() {
      if (closed) return
      closed = true
      fail('it was closed')
      const { path, handle } = await file.catch(() => ({ path: null, handle: null }))
      await writing.catch(() => undefined)
      await handle?.close()
      if (path !== null) await rm(path, { force: true })
    },
  }
}
