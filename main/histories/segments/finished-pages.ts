import { hash } from 'node:crypto'
import { addBit, hasBit } from '../../contract/number-set.ts'
import type { EntrantId, MatchNumber, Sha256 } from '../../contract/ids.ts'
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

/** The number of matches on a page, which is allocated when the first of them is finished. */
export const PAGE = 1_024
/** Bytes of a head. */
export const HEAD = 32
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

/** The finished ones of `PAGE` consecutive matches. */
export interface MatchPage {
  /** Room for this many seats a match. */
  readonly seats: number
  /** The number of finished matches. */
  count: number
  /** A bit a match: 1 if it is finished. */
  readonly there: Uint8Array
  /** `WORDS` values a match. */
  readonly places: Uint32Array
  /** `SEAT_WORDS` values a seat of a match. */
  readonly sat: Uint16Array
  /** null: all matches of the page are finished, and only the hash of their heads is kept, in `digest`. */
  heads: Buffer | null
  digest: Sha256 | null
}

/** The entrants of a contest by their places in `names`, and their sums over all finished matches. */
interface EntrantSums {
  readonly names: EntrantId[]
  readonly places: Map<EntrantId, number>
  readonly faults: number[]
  /** Matches in which they printed something. */
  readonly printed: number[]
  readonly removals: number[]
}

/** The finished matches of a contest in pages. */
export interface Pages {
  readonly byNumber: Map<number, MatchPage>
  /** The numbers of the pages, ascending. */
  order: number[]
  /** The number of finished matches. */
  size: number
  readonly entrants: EntrantSums
  /** Counts that do not fit into 2 bytes, by match, seat and kind. */
  readonly many: Map<string, number>
  /** The heads of the page that was read last. */
  loaded: { readonly number: number; readonly heads: Buffer } | null
}

export function emptyPages(): Pages {
  const entrants: EntrantSums = { names: [], places: new Map(), faults: [], printed: [], removals: [] }
  return { byNumber: new Map(), order: [], size: 0, entrants, many: new Map(), loaded: null }
}

/** Adds a finished match. Throws RangeError if it is already there. */
export function addRun(pages: Pages, run: FinishedRun): void {
  const { match, entrants, head } = run
  const at = match % PAGE
  const page = pageFor(pages, Math.floor(match / PAGE), entrants.length)
  if (!addBit(page.there, at)) throw new RangeError(`match ${match} is there already`)
  page.places.set([run.run, run.from.segment, run.from.byte, run.to.segment, run.to.byte], at * WORDS)
  for (const [seat, name] of entrants.entries()) {
    const place = placeOf(pages.entrants, name)
    page.sat[(at * page.seats + seat) * SEAT_WORDS] = place
    const faults = setCount(pages, page, match, seat, 'faults', run.faults[seat] ?? 0)
    const printed = setCount(pages, page, match, seat, 'printed', run.printed[seat] ?? 0)
    const removed = faults === 0 && run.outcome.places[seat]?.removed === true
    pages.entrants.faults[place]! += faults
    if (printed > 0) pages.entrants.printed[place]! += 1
    pages.entrants.removals[place]! += setCount(pages, page, match, seat, 'removals', removed ? 1 : 0)
  }
  page.heads?.set(Buffer.from(head, 'hex'), at * HEAD)
  pages.size += 1
  page.count += 1
  if (page.count < PAGE || page.heads === null) return
  page.digest = hash('sha256', page.heads)
  page.heads = null
}

/** The place of an entrant; a new name gets the next one. */
function placeOf({ names, places, faults, printed, removals }: EntrantSums, name: EntrantId): number {
  const known = places.get(name)
  if (known !== undefined) return known
  if (names.length === NOBODY) throw new RangeError('a contest has fewer entrants')
  places.set(name, names.length)
  faults.push(0)
  printed.push(0)
  removals.push(0)
  return names.push(name) - 1
}

/** The places of those of these entrants that have played. */
export function entrantPlaces({ entrants }: Pages, of: ReadonlySet<EntrantId>): ReadonlySet<number> {
  return new Set([...of].flatMap((name) => entrants.places.get(name) ?? []))
}

/** The sum of each entrant, without those that have none. */
export function sumsOf({ entrants }: Pages, what: SeatCount): ReadonlyMap<EntrantId, number> {
  const { names, [what]: sums } = entrants
  return new Map(names.flatMap((name, at) => (sums[at]! > 0 ? [[name, sums[at]!]] : [])))
}

/** The page with this number, with room for this many seats. */
function pageFor(pages: Pages, number: number, seats: number): MatchPage {
  const known = pages.byNumber.get(number)
  if (known !== undefined && known.seats >= seats) return known
  const page = known === undefined ? emptyPage(seats) : widened(known, seats)
  pages.byNumber.set(number, page)
  if (known !== undefined) return page
  pages.order.push(number)
  if (number < (pages.order.at(-2) ?? -1)) pages.order.sort((a, b) => a - b)
  return page
}

/** The page of a finished match; undefined: the match is not finished. */
export function pageWith({ byNumber }: Pages, match: MatchNumber): MatchPage | undefined {
  const page = byNumber.get(Math.floor(match / PAGE))
  return page !== undefined && hasBit(page.there, match % PAGE) ? page : undefined
}

function countOf({ many }: Pages, page: MatchPage, match: MatchNumber, seat: number, what: SeatCount): number {
  const kept = page.sat[((match % PAGE) * page.seats + seat) * SEAT_WORDS + SEAT[what]]!
  return kept < MANY ? kept : many.get(`${match} ${seat} ${what}`)!
}

/** Returns the value. */
function setCount(
  { many }: Pages,
  page: MatchPage,
  match: MatchNumber,
  seat: number,
  what: SeatCount,
  value: number,
): number {
  if (value >= MANY) many.set(`${match} ${seat} ${what}`, value)
  page.sat[((match % PAGE) * page.seats + seat) * SEAT_WORDS + SEAT[what]] = Math.min(value, MANY)
  return value
}

/** The row of a match that is finished. */
export function rowOf(pages: Pages, page: MatchPage, match: MatchNumber): FinishedRow {
  const at = match % PAGE
  const [run, fromSegment, fromByte, toSegment, toByte] = page.places.subarray(at * WORDS, (at + 1) * WORDS)
  const entrantIn = (seat: number): number => page.sat[(at * page.seats + seat) * SEAT_WORDS]!
  const seats = Array.from({ length: page.seats }, (_, seat) => seat).filter((seat) => entrantIn(seat) !== NOBODY)
  return {
    match,
    run: run!,
    entrants: seats.map((seat) => pages.entrants.names[entrantIn(seat)]!),
    faults: seats.map((seat) => countOf(pages, page, match, seat, 'faults')),
    printed: seats.map((seat) => countOf(pages, page, match, seat, 'printed')),
    removals: seats.map((seat) => countOf(pages, page, match, seat, 'removals')),
    from: { segment: fromSegment!, byte: fromByte! },
    to: { segment: toSegment!, byte: toByte! },
  }
}

/**
 * Tells whether one of these entrants (null: anybody) plays in the match at this index of a page, and with `what`, has any
 * of these counts above zero.
 */
export function hasSeat(
  page: MatchPage,
  at: number,
  of: ReadonlySet<number> | null,
  what: readonly SeatCount[] | null,
): boolean {
  for (let seat = 0; seat < page.seats; seat++) {
    const word = (at * page.seats + seat) * SEAT_WORDS
    const place = page.sat[word]!
    if (place === NOBODY || of?.has(place) === false) continue
    if (what === null || what.some((each) => page.sat[word + SEAT[each]]! > 0)) return true
  }
  return false
}

/** The finished matches, ascending, each with its page: all, or those that `hasSeat`. */
export function* matchesIn(
  pages: Pages,
  of: ReadonlySet<number> | null = null,
  what: readonly SeatCount[] | null = null,
): Generator<readonly [MatchNumber, MatchPage]> {
  for (const number of [...pages.order]) {
    const page = pages.byNumber.get(number)!
    for (let at = 0; at < PAGE; at++) {
      if (hasBit(page.there, at) && (of === null || hasSeat(page, at, of, what))) yield [number * PAGE + at, page]
    }
  }
}

function emptyPage(seats: number): MatchPage {
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
function widened(page: MatchPage, seats: number): MatchPage {
  const sat = new Uint16Array(PAGE * seats * SEAT_WORDS).fill(NOBODY)
  for (let at = 0; at < PAGE; at++) {
    const own = page.sat.subarray(at * page.seats * SEAT_WORDS, (at + 1) * page.seats * SEAT_WORDS)
    sat.set(own, at * seats * SEAT_WORDS)
  }
  return { ...page, seats, sat }
}
