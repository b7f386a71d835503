import { hash } from 'node:crypto'
import type { EntrantId, MatchNumber, Sha256 } from '../../contract/ids.ts'
import { addBit, hasBit } from '../../contract/number-set.ts'
import type { FinishedRun } from './run-index.ts'

/**
 * A summary of a finished match that is kept in memory. Everything else is in its history; its last line has the
 * outcome.
 */
export type FinishedRow = Pick<FinishedRun, 'match' | 'run' | 'entrants' | 'faults' | 'printed' | 'from' | 'to'> & {
  /** By seat: 1 if it was removed and no fault explains it, such as for breaking a rule; else 0. */
  readonly removals: readonly number[]
}

/** The counts of each seat. */
export type SeatCount = 'faults' | 'printed' | 'removals'

/** Which matches are wanted: all of these conditions hold. */
export interface RowFilter {
  /** In each of these sets is one who plays in the match. */
  readonly players?: readonly ReadonlySet<EntrantId>[]
  /** Whether somebody in the match had a fault or was removed. */
  readonly faults?: boolean
}

/** The finished matches of a contest by number. */
export interface FinishedRows {
  readonly size: number
  has(match: MatchNumber): boolean
  get(match: MatchNumber): FinishedRow | undefined
  /** In ascending order, like all lists here. */
  keys(): Iterable<MatchNumber>
  values(): Iterable<FinishedRow>
  /** A page of the list of the wanted matches; by default of all. */
  page(
    part: { readonly offset: number; readonly limit: number },
    wanted?: RowFilter,
  ): { readonly rows: readonly FinishedRow[]; readonly total: number }
  /** The matches in which one of these entrants has any of these counts above zero. */
  noticed(what: readonly SeatCount[], of: ReadonlySet<EntrantId>): Iterable<FinishedRow>
  /** The number of faults of each entrant that has any. */
  faults(): ReadonlyMap<EntrantId, number>
  /** The number of removals that no fault explains, of each entrant that has any. */
  removals(): ReadonlyMap<EntrantId, number>
  /** The number of matches in which an entrant has printed something, if any. */
  printed(): ReadonlyMap<EntrantId, number>
  /** A snapshot of the matches finished now, for a Merkle tree over their heads. */
  leaves(): Leaves
}

/** Matches in ascending order, as the leaves of a Merkle tree. */
export interface Leaves {
  readonly count: number
  /** The index of a match; -1: not among these. */
  indexOf(match: MatchNumber): number
  /**
   * The heads from index `from` to before `to`. Rejects like `again.read`, and with `again.changed` if that returns
   * heads that differ from the original ones.
   */
  heads(from: number, to: number, again: HeadsAgain): Promise<Sha256[]>
}

/** Reads heads that are no longer in memory. */
export interface HeadsAgain {
  /** The heads of all these matches, 32 bytes each. */
  read(rows: readonly FinishedRow[]): Promise<Buffer>
  changed(rows: readonly FinishedRow[]): Error
}

export interface FinishedTable extends FinishedRows {
  /** Adds a match. Throws RangeError if it is already there. */
  add(run: FinishedRun): void
}

/** The number of matches on a page, which is allocated when the first of them is finished. */
const PAGE = 1_024
/**
 * A row: run, then segment and byte of both ends, 4 bytes each (segments are far smaller than 4 GB); then for each seat
 * the entrant and three counts, 2 bytes each.
 */
const WORDS = 5
const SEAT = { entrant: 0, faults: 1, printed: 2, removals: 3 } as const
const SEAT_WORDS = 4
/** 2-byte values with a special meaning: the seat is empty; the count is stored elsewhere. */
const NOBODY = 0xffff
const MANY = 0xffff
const HEAD = 32

interface Page {
  readonly seats: number
  count: number
  readonly there: Uint8Array
  readonly places: Uint32Array
  readonly sat: Uint16Array
  /** null: all matches of the page are finished, and only the hash of their heads is kept, in `digest`. */
  heads: Buffer | null
  digest: Sha256 | null
}

/** Creates an empty table. A match of two takes 36 bytes, and 8 more for each further seat. */
export function createFinishedTable(): FinishedTable {
  const pages = new Map<number, Page>()
  /** The numbers of the pages, ascending. */
  let order: number[] = []
  let size = 0
  const names: EntrantId[] = []
  const places = new Map<EntrantId, number>()
  const faultsOf: number[] = []
  const printedBy: number[] = []
  const removalsOf: number[] = []
  /** Counts that do not fit into 2 bytes, by match, seat and kind. */
  const many = new Map<string, number>()
  let loaded: { readonly number: number; readonly heads: Buffer } | null = null

  const placeOf = (name: EntrantId): number => {
    const known = places.get(name)
    if (known !== undefined) return known
    if (names.length === NOBODY) throw new RangeError('a contest has fewer entrants')
    places.set(name, names.length)
    faultsOf.push(0)
    printedBy.push(0)
    removalsOf.push(0)
    return names.push(name) - 1
  }
  const placesOf = (of: ReadonlySet<EntrantId>): ReadonlySet<number> =>
    new Set([...of].flatMap((name) => places.get(name) ?? []))

  const pageFor = (number: number, seats: number): Page => {
    const known = pages.get(number)
    if (known !== undefined && known.seats >= seats) return known
    const page = known === undefined ? emptyPage(seats) : widened(known, seats)
    pages.set(number, page)
    if (known !== undefined) return page
    order.push(number)
    if (number < (order.at(-2) ?? -1)) order = order.sort((a, b) => a - b)
    return page
  }

  const count = (match: MatchNumber, seat: number, what: SeatCount, page: Page, at: number): number => {
    const kept = page.sat[(at * page.seats + seat) * SEAT_WORDS + SEAT[what]]!
    return kept < MANY ? kept : many.get(`${match} ${seat} ${what}`)!
  }
  /** Gives the value. */
  const setCount = (match: MatchNumber, seat: number, what: SeatCount, value: number, page: Page): number => {
    if (value >= MANY) many.set(`${match} ${seat} ${what}`, value)
    page.sat[((match % PAGE) * page.seats + seat) * SEAT_WORDS + SEAT[what]] = Math.min(value, MANY)
    return value
  }

  const row = (number: number, page: Page, at: number): FinishedRow => {
    const match = number * PAGE + at
    const [run, fromSegment, fromByte, toSegment, toByte] = page.places.subarray(at * WORDS, (at + 1) * WORDS)
    const seats: number[] = []
    for (let seat = 0; seat < page.seats; seat++) {
      if (page.sat[(at * page.seats + seat) * SEAT_WORDS] !== NOBODY) seats.push(seat)
    }
    return {
      match,
      run: run!,
      entrants: seats.map((seat) => names[page.sat[(at * page.seats + seat) * SEAT_WORDS]!]!),
      faults: seats.map((seat) => count(match, seat, 'faults', page, at)),
      printed: seats.map((seat) => count(match, seat, 'printed', page, at)),
      removals: seats.map((seat) => count(match, seat, 'removals', page, at)),
      from: { segment: fromSegment!, byte: fromByte! },
      to: { segment: toSegment!, byte: toByte! },
    }
  }

  /** Whether one of these entrants (null: anybody) plays in a match, and with `what`, has any of these counts above zero. */
  const has = (page: Page, at: number, of: ReadonlySet<number> | null, what: readonly SeatCount[] | null): boolean => {
    for (let seat = 0; seat < page.seats; seat++) {
      const word = (at * page.seats + seat) * SEAT_WORDS
      const place = page.sat[word]!
      if (place === NOBODY || of?.has(place) === false) continue
      if (what === null || what.some((each) => page.sat[word + SEAT[each]]! > 0)) return true
    }
    return false
  }

  /** The positions in the pages of all or of some matches. */
  function* each(
    of: ReadonlySet<number> | null,
    what: readonly SeatCount[] | null,
  ): Generator<readonly [number, Page, number]> {
    for (const number of [...order]) {
      const page = pages.get(number)!
      for (let at = 0; at < PAGE; at++) {
        if (hasBit(page.there, at) && (of === null || has(page, at, of, what))) yield [number, page, at]
      }
    }
  }

  /** The heads of a page's matches, each at its match's index in the page. */
  const headsOf = async (number: number, again: HeadsAgain): Promise<Buffer> => {
    const page = pages.get(number)!
    if (page.heads !== null) return page.heads
    if (loaded?.number === number) return loaded.heads
    const rows = Array.from({ length: PAGE }, (_, at) => row(number, page, at))
    const heads = await again.read(rows)
    if (hash('sha256', heads) !== page.digest) throw again.changed(rows)
    loaded = { number, heads }
    return heads
  }

  return {
    get size() {
      return size
    },
    has(match) {
      const page = pages.get(Math.floor(match / PAGE))
      return page !== undefined && hasBit(page.there, match % PAGE)
    },
    get(match) {
      const number = Math.floor(match / PAGE)
      const page = pages.get(number)
      return page !== undefined && hasBit(page.there, match % PAGE) ? row(number, page, match % PAGE) : undefined
    },
    add(run) {
      const { match, entrants, head } = run
      const at = match % PAGE
      const page = pageFor(Math.floor(match / PAGE), entrants.length)
      if (!addBit(page.there, at)) throw new RangeError(`match ${match} is there already`)
      page.places.set([run.run, run.from.segment, run.from.byte, run.to.segment, run.to.byte], at * WORDS)
      for (const [seat, name] of entrants.entries()) {
        const place = placeOf(name)
        page.sat[(at * page.seats + seat) * SEAT_WORDS] = place
        const faults = setCount(match, seat, 'faults', run.faults[seat] ?? 0, page)
        const printed = setCount(match, seat, 'printed', run.printed[seat] ?? 0, page)
        const removed = faults === 0 && run.outcome.places[seat]?.removed === true
        faultsOf[place]! += faults
        if (printed > 0) printedBy[place]! += 1
        removalsOf[place]! += setCount(match, seat, 'removals', removed ? 1 : 0, page)
      }
      page.heads?.set(Buffer.from(head, 'hex'), at * HEAD)
      size += 1
      page.count += 1
      if (page.count < PAGE || page.heads === null) return
      page.digest = hash('sha256', page.heads)
      page.heads = null
    },
    *keys() {
      for (const [number, , at] of each(null, null)) yield number * PAGE + at
    },
    *values() {
      for (const [number, page, at] of each(null, null)) yield row(number, page, at)
    },
    page({ offset, limit }, { players = [], faults = false } = {}) {
      const rows: FinishedRow[] = []
      const chosen = players.map(placesOf)
      const all = chosen.length === 0 && !faults
      let before = 0
      for (const number of order) {
        const page = pages.get(number)!
        if (all && (before + page.count <= offset || rows.length >= limit)) {
          before += page.count
          continue
        }
        for (let at = 0; at < PAGE; at++) {
          if (!hasBit(page.there, at) || !chosen.every((of) => has(page, at, of, null))) continue
          if (faults && !has(page, at, null, ['faults', 'removals'])) continue
          if (before >= offset && rows.length < limit) rows.push(row(number, page, at))
          before += 1
        }
      }
      return { rows, total: before }
    },
    *noticed(what, of) {
      for (const [number, page, at] of each(placesOf(of), what)) yield row(number, page, at)
    },
    faults: () => countsOf(names, faultsOf),
    printed: () => countsOf(names, printedBy),
    removals: () => countsOf(names, removalsOf),
    leaves() {
      const count = size
      const parts = order.map((number) => {
        const { there, count: own } = pages.get(number)!
        return { number, count: own, there: there.slice() }
      })
      return {
        count,
        indexOf(match) {
          let before = 0
          for (const part of parts) {
            if (part.number < Math.floor(match / PAGE)) before += part.count
            else {
              const at = match - part.number * PAGE
              if (at < 0 || at >= PAGE || !hasBit(part.there, at)) return -1
              return before + placesIn(part.there).indexOf(at)
            }
          }
          return -1
        },
        async heads(from, to, again) {
          const heads: Sha256[] = []
          let before = 0
          for (const { number, count: own, there } of parts) {
            const [first, last] = [Math.max(0, from - before), Math.min(own, to - before)]
            before += own
            if (last <= 0) break
            if (first >= own) continue
            const bytes = await headsOf(number, again)
            for (const at of placesIn(there).slice(first, last)) {
              heads.push(bytes.toString('hex', at * HEAD, (at + 1) * HEAD))
            }
          }
          return heads
        },
      }
    },
  }
}

const placesIn = (there: Uint8Array): readonly number[] =>
  Array.from({ length: PAGE }, (_, at) => at).filter((at) => hasBit(there, at))

function emptyPage(seats: number): Page {
  return {
    seats,
    count: 0,
    there: new Uint8Array(PAGE / 8),
    places: new Uint32Array(PAGE * WORDS),
    sat: new Uint16Array(PAGE * seats * SEAT_WORDS).fill(NOBODY),
    heads: Buffer.alloc(PAGE * HEAD),
    digest: null,
  }
}

/** A copy of the page with room for more seats; rarely needed, because nearly all contests have one table size. */
function widened(page: Page, seats: number): Page {
  const sat = new Uint16Array(PAGE * seats * SEAT_WORDS).fill(NOBODY)
  for (let at = 0; at < PAGE; at++) {
    const own = page.sat.subarray(at * page.seats * SEAT_WORDS, (at + 1) * page.seats * SEAT_WORDS)
    sat.set(own, at * seats * SEAT_WORDS)
  }
  return { ...page, seats, sat }
}

function countsOf(names: readonly EntrantId[], counts: readonly number[]): ReadonlyMap<EntrantId, number> {
  return new Map(names.flatMap((name, at) => (counts[at]! > 0 ? [[name, counts[at]!]] : [])))
}
