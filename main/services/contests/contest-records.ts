import type { ContestRecord } from '../../administrator/contests/contest-record.ts'
import type { ContestId, EntrantId } from '../../contract/ids.ts'

/** What is remembered of a contest whose record had to go. */
export interface ContestGist {
  /** As ContestRecord has it. */
  readonly done: number
  readonly finished: number
  /** Of entrants that have any. */
  readonly faults: ReadonlyMap<EntrantId, number>
  /** Removals that no fault tells of, of entrants that have any. */
  readonly removals: ReadonlyMap<EntrantId, number>
  /** Matches in which an entrant printed something, of those that have any. */
  readonly printed: ReadonlyMap<EntrantId, number>
}

/**
 * What contests' histories hold, as far as there is room for it: a record takes some dozen bytes a match. Those that nobody
 * asked for longest go, and are read again when they are wanted.
 */
export interface Records {
  /** Rejects as reading does; what could not be read may be mended by hand, and is read again. */
  get(id: ContestId): Promise<ContestRecord>
  /** Known without reading it again, once it has been read. Rejects as `get` does. */
  gist(id: ContestId): Promise<ContestGist>
  /** The record of a contest that runs, which stays until `rest`. */
  live(id: ContestId, record: ContestRecord): void
  rest(id: ContestId): void
}

/** Matches in all records together, those of contests that run not counted. */
const MATCHES_MAX = 2_000_000

export function createRecords(read: (id: ContestId) => Promise<ContestRecord>, most = MATCHES_MAX): Records {
  /** The one asked for last is the last. `matches`: 0 until they are known. */
  const kept = new Map<ContestId, { readonly record: Promise<ContestRecord>; matches: number }>()
  const gists = new Map<ContestId, ContestGist>()
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
      // Made now: nobody has the record later.
      void record.then((gone) => gists.set(id, gistOf(gone)))
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
    async gist(id) {
      const known = gists.get(id)
      if (known !== undefined && !kept.has(id)) return known
      const record = await get(id)
      // Of one that runs the gist is old as soon as another match has ended.
      const fresh = known?.done === record.done && known.finished === record.finished.size
      const gist = fresh ? known : gistOf(record)
      gists.set(id, gist)
      return gist
    },
    live(id, record) {
      running.add(id)
      kept.set(id, { record: Promise.resolve(record), matches: record.finished.size })
    },
    rest(id) {
      running.delete(id)
      makeRoom()
    },
  }
}

function gistOf({ done, finished }: ContestRecord): ContestGist {
  const counts = { faults: finished.faults(), removals: finished.removals(), printed: finished.printed() }
  return { done, finished: finished.size, ...counts }
}
