/** The event list's rows: as many for each event as it has lines. */
export interface Rows {
  readonly length: number
  /** The event of a row, and which of its lines. */
  at(row: number): { readonly index: number; readonly part: number }
  /** The first row of an event. */
  first(index: number): number
  /** Takes over the events from the last one taken over up to before `events`. */
  grow(events: number, linesOf: (index: number) => number): void
}

export function createRows(): Rows {
  // Numbers only: a long match has a million rows.
  const eventOfRow: number[] = []
  const firstRow: number[] = []
  return {
    get length() {
      return eventOfRow.length
    },
    at(row) {
      const index = eventOfRow[row]!
      return { index, part: row - firstRow[index]! }
    },
    first: (index) => firstRow[index] ?? 0,
    grow(events, linesOf) {
      for (let index = firstRow.length; index < events; index++) {
        firstRow.push(eventOfRow.length)
        for (let lines = linesOf(index); lines > 0; lines--) eventOfRow.push(index)
      }
    },
  }
}

/** The row of another viewer's list for the line of a row: a viewer that cannot read an event has one line for it. */
export function sameRow(from: Rows, row: number, to: Rows): number {
  if (row < 0 || row >= from.length) return -1
  const { index, part } = from.at(row)
  const first = to.first(index)
  const wanted = first + part
  return wanted < to.length && to.at(wanted).index === index ? wanted : first
}
