import type { OutlinePage } from '../../main/contract/procedures/procedures.ts'
import { mayRead, type Viewer } from '../../main/contract/histories/viewer.ts'

/** All events of a match in numbers, as a viewer may know them; of a hidden event, only its time. Position n is the state after n events. */
export interface MatchOutline {
  /** Events that are known. */
  readonly length: number
  /** ms on the match clock. */
  at(event: number): number
  round(event: number): number
  /** The seat concerned; null: none, or hidden. */
  seat(event: number): number | null
  /** True if the viewer could not read it when it happened. */
  hidden(event: number): boolean
  /** The number of its lines; one if it is hidden. */
  lines(event: number): number
  /** The account of a seat at a position. */
  level(position: number, seat: number): number
  /** The smallest and the largest account of any seat; 0 is always between them. */
  readonly least: number
  readonly most: number
}

export interface GrowingOutline extends MatchOutline {
  /** Adds the next page. */
  add(page: OutlinePage): void
}

/** An outline for a viewer. `events`: the expected number of events. Stored in typed columns: a long match has a million events. */
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

  /** Makes room for more events than expected. */
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
