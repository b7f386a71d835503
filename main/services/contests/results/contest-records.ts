import type { ContestRecord } from '../standings/contest-record.ts'
import type { ContestId, EntrantId } from '../../../contract/ids.ts'

/** A summary of a contest's record; it is kept when the record is dropped. */
export interface ContestCounts {
  /** This and the next: as in ContestRecord. */
  readonly done: number
  readonly total: number
  readonly finished: number
  /** The number of faults by entrant; only entrants with faults. */
  readonly faults: ReadonlyMap<EntrantId, number>
  /** The number of removals without a fault, by entrant; only entrants with such removals. */
  readonly removals: ReadonlyMap<EntrantId, number>
  /** The number of matches in which an entrant printed something; only entrants that did. */
  readonly printed: ReadonlyMap<EntrantId, number>
}

/**
 * The records of contests, cached with a limit, because a record takes some dozen bytes per match. The least recently
 * used ones are dropped and read again when needed.
 */
export interface Records {
  /** Rejects if reading fails. Failures are not cached, because a person may repair the files. */
  get(id: ContestId): Promise<ContestRecord>
  /** Returned without reading again once the record has been read. Rejects like `get`. */
  counts(id: ContestId): Promise<ContestCounts>
  /** Adds the record of a running contest, which is kept until `rest` is called. */
  live(id: ContestId, record: ContestRecord): void
  rest(id: ContestId): void
  /** Drops the record of a contest that is not running; it is read again when needed. */
  forget(id: ContestId): void
}

/** The maximum number of matches in all cached records, without those of running contests. */
const MATCHES_MAX = 2_000_000

export function createRecords(read: (id: ContestId) => Promise<ContestRecord>, most = MATCHES_MAX): Records {
  /** In order of use, the most recent last. `matches`: 0 until known. */
  const kept = new Map<ContestId, { readonly record: Promise<ContestRecord>; matches: number }>()
  const countsByContest = new Map<ContestId, ContestCounts>()
  const running = new Set<ContestId>()

  const makeRoom = (): void => {
    let sum = 0
    for (const [id, { matches }] of kept) if (!running.has(id)) sum += matches
    const [newest] = [...kept.keys()].slice(-1)
    for (const [id, { matches, record }] of kept) {
      if (sum <= most) return
      if (running.has(id) || id === newest || matches === 0) continue
      kept.delete(id)
      sum -= matches
      // Made now, while the record is still available.
      void record.then((gone) => countsByContest.set(id, contestCountsOf(gone)))
    }
  }

  const get = (id: ContestId): Promise<ContestRecord> => {
    const known = kept.get(id)
    const entry = known ?? { record: read(id), matches: 0 }
    kept.delete(id)
    kept.set(id, entry)
    if (known === undefined) {
      entry.record.then(
        ({ finished }) => {
          entry.matches = finished.size
          makeRoom()
        },
        () => {
          if (kept.get(id) === entry) kept.delete(id)
        },
      )
    }
    return entry.record
  }

  return {
    get,
    async counts(id) {
      const known = countsByContest.get(id)
      if (known !== undefined && !kept.has(id)) return known
      const record = await get(id)
      // While a contest runs, its summary is outdated after every match.
      const fresh = known?.done === record.done && known.finished === record.finished.size
      const counts = fresh ? known : contestCountsOf(record)
      countsByContest.set(id, counts)
      return counts
    },
    live(id, record) {
      running.add(id)
      kept.set(id, { record: Promise.resolve(record), matches: record.finished.size })
    },
    forget(id) {
      kept.delete(id)
      countsByContest.delete(id)
    },
    rest(id) {
      running.delete(id)
      makeRoom()
    },
  }
}

function contestCountsOf({ done, total, finished }: ContestRecord): ContestCounts {
  const counts = { faults: finished.faults(), removals: finished.removals(), printed: finished.printed() }
  return { done, total, finished: finished.size, ...counts }
}
