import type { OutlinePage } from '../../main/contract/procedures/procedures.ts'
import { mayRead, type Viewer } from '../../main/contract/histories/viewer.ts'

/** Every event of a match in numbers, as a viewer may know them: of an event that is hidden from them, that it happened, and when. Positions count events: what is said of a position is said after so many events. */
export interface MatchOutline {
  /** Events that are known. */
  readonly length: number
  /** ms on the match clock. */
  at(event: number): number
  round(event: number): number
  /** null: nobody's, or hidden. */
  seat(event: number): number | null
  /** True if the viewer could not read it when it happened. */
  hidden(event: number): boolean
  /** Lines that it takes to tell it; one where it is hidden. */
  lines(event: number): number
  /** The account of a seat at a position. */
  level(position: number, seat: number): number
  /** The smallest and the largest that any seat has had; 0 is always between them. */
  readonly least: number
  readonly most: number
}

export interface GrowingOutline extends MatchOutline {
  /** Takes over a page that follows what is known. */
  add(page: OutlinePage): void
}

/** The outline of about `events` events of so many seats, for a viewer. In typed columns: a long match has a million events. */
export function createOutline(events: number, seats: number, viewer: Viewer): GrowingOutline {
  let room = events
  let at = new Float64Array(room)
  let round = new Int32Array(room)
  let seat = new Int32Array(room)
  let lines = new Int32Array(room)
  let levels = new Float64Array(room * seats)
  let initial: readonly number[] = []
  let length = 0
  let least = 0
  let most = 0
  const hidden = new Set<number>()

  /** For a match that has more events than was thought. */
  function makeRoom(events: number): void {
    room = Math.max(events, room * 2)
    at = grown(at, new Float64Array(room))
    round = grown(round, new Int32Array(room))
    seat = grown(seat, new Int32Array(room))
    lines = grown(lines, new Int32Array(room))
    levels = grown(levels, new Float64Array(room * seats))
  }

  return {
    get length() {
      return length
    },
    get least() {
      return least
    },
    get most() {
      return most
    },
    at: (event) => at[event] ?? 0,
    round: (event) => round[event] ?? 1,
    seat: (event) => (event < length && seat[event]! >= 0 && !hidden.has(event) ? seat[event]! : null),
    hidden: (event) => hidden.has(event),
    lines: (event) => (hidden.has(event) ? 1 : (lines[event] ?? 1)),
    level: (position, of) => (position <= 0 ? (initial[of] ?? 0) : (levels[(position - 1) * seats + of] ?? 0)),
    add(page) {
      initial = page.initial
      if (page.from + page.at.length > room) makeRoom(page.from + page.at.length)
      for (const { event, audience } of page.restricted) if (!mayRead(audience, viewer)) hidden.add(event)
      at.set(page.at, page.from)
      round.set(page.round, page.from)
      seat.set(page.seat, page.from)
      lines.set(page.lines, page.from)
      levels.set(page.levels, page.from * seats)
      for (const level of [...page.levels, ...page.initial]) {
        least = Math.min(least, level)
        most = Math.max(most, level)
      }
      length = page.from + page.at.length
    },
  }
}

function grown<A extends Float64Array | Int32Array>(from: A, to: A): A {
  to.set(from)
  return to
}
