import { hash } from 'node:crypto'
import type { EntrantId, MatchNumber, Sha256 } from '../../contract/ids.ts'
import { hasBit } from '../../contract/number-set.ts'
import {
  addRun,
  emptyPages,
  HEAD,
  hasSeat,
  matchesIn,
  PAGE,
  pageWith,
  entrantPlaces,
  rowOf,
  sumsOf,
  type FinishedRow,
  type Pages,
  type SeatCount,
} from './finished-pages.ts'
import type { FinishedRun } from './run-index.ts'

/** Conditions for matches, all of which must hold. */
export interface RowFilter {
  /** One of each of these sets plays in the match. */
  readonly players?: readonly ReadonlySet<EntrantId>[]
  /** Only matches in which somebody had a fault or was removed. */
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

/** Creates an empty table. A match of two takes 36 bytes, and 8 more for each further seat. */
export function createFinishedTable(): FinishedTable {
  const pages = emptyPages()
  return {
    get size() {
      return pages.size
    },
    has: (match) => pageWith(pages, match) !== undefined,
    get(match) {
      const page = pageWith(pages, match)
      return page === undefined ? undefined : rowOf(pages, page, match)
    },
    add: (run) => addRun(pages, run),
    *keys() {
      for (const [match] of matchesIn(pages)) yield match
    },
    *values() {
      for (const [match, page] of matchesIn(pages)) yield rowOf(pages, page, match)
    },
    page: (part, wanted) => pageOfRows(pages, part, wanted),
    *noticed(what, of) {
      for (const [match, page] of matchesIn(pages, entrantPlaces(pages, of), what)) yield rowOf(pages, page, match)
    },
    faults: () => sumsOf(pages, 'faults'),
    printed: () => sumsOf(pages, 'printed'),
    removals: () => sumsOf(pages, 'removals'),
    leaves: () => leavesOf(pages),
  }
}

/** See FinishedRows.page. Pages of the table before and after the wanted part are not looked into where all rows are wanted. */
function pageOfRows(
  pages: Pages,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  { players = [], faults = false }: RowFilter = {},
): { readonly rows: readonly FinishedRow[]; readonly total: number } {
  const rows: FinishedRow[] = []
  const chosen = players.map((of) => entrantPlaces(pages, of))
  const isForAll = chosen.length === 0 && !faults
  let before = 0
  for (const number of pages.order) {
    const page = pages.byNumber.get(number)!
    if (isForAll && (before + page.count <= offset || rows.length >= limit)) {
      before += page.count
      continue
    }
    for (let at = 0; at < PAGE; at++) {
      if (!hasBit(page.there, at) || !chosen.every((of) => hasSeat(page, at, of, null))) continue
      if (faults && !hasSeat(page, at, null, ['faults', 'removals'])) continue
      if (before >= offset && rows.length < limit) rows.push(rowOf(pages, page, number * PAGE + at))
      before += 1
    }
  }
  return { rows, total: before }
}

/** The finished matches of one page, as they were when the leaves were asked for. */
interface PageLeaves {
  readonly number: number
  readonly count: number
  readonly there: Uint8Array
}

function leavesOf(pages: Pages): Leaves {
  const parts = pages.order.map((number): PageLeaves => {
    const { there, count } = pages.byNumber.get(number)!
    return { number, count, there: there.slice() }
  })
  return {
    count: pages.size,
    indexOf: (match) => leafOf(parts, match),
    async heads(from, to, again) {
      const heads: Sha256[] = []
      let before = 0
      for (const { number, count, there } of parts) {
        const [first, last] = [Math.max(0, from - before), Math.min(count, to - before)]
        before += count
        if (last <= 0) break
        if (first >= count) continue
        const bytes = await headsOf(pages, number, again)
        for (const at of placesIn(there).slice(first, last)) {
          heads.push(bytes.toString('hex', at * HEAD, (at + 1) * HEAD))
        }
      }
      return heads
    },
  }
}

/** The index of a match among the leaves; -1: not among them. */
function leafOf(parts: readonly PageLeaves[], match: MatchNumber): number {
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
}

/** The heads of a page's matches, each at its match's index in the page. */
async function headsOf(pages: Pages, number: number, again: HeadsAgain): Promise<Buffer> {
  const page = pages.byNumber.get(number)!
  if (page.heads !== null) return page.heads
  if (pages.loaded?.number === number) return pages.loaded.heads
  const rows = Array.from({ length: PAGE }, (_, at) => rowOf(pages, page, number * PAGE + at))
  const heads = await again.read(rows)
  if (hash('sha256', heads) !== page.digest) throw again.changed(rows)
  pages.loaded = { number, heads }
  return heads
}

const placesIn = (there: Uint8Array): readonly number[] =>
  Array.from({ length: PAGE }, (_, at) => at).filter((at) => hasBit(there, at))
