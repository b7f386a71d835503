import type { ContestRecord } from '../standings/contest-record.ts'
import type { ContestId } from '../../../contract/ids.ts'
import type { ContestResult } from '../../../contract/procedures/procedures.ts'
import { alwaysRemovedSentence, createAlwaysRemoved } from './always-removed.ts'
import type { Contests } from '../kept/class-contests.ts'

/** The result of each contest. Results are kept in memory, because reading a record takes time. */
export interface ContestResults {
  /** Rejects like `Contests.record`. */
  of(id: ContestId): Promise<ContestResult>
}

export function createResults(contests: Pick<Contests, 'entry' | 'record' | 'folder'>): ContestResults {
  /** The results of contests that are over. */
  const known = new Map<ContestId, ContestResult>()
  const alwaysRemoved = createAlwaysRemoved(contests)
  return {
    async of(id) {
      const { state } = contests.entry(id)
      const kept = known.get(id)
      if (kept !== undefined) return kept
      const record = await contests.record(id)
      const removed = await alwaysRemoved.of(id, record)
      const result = { ...resultOf(record), alwaysRemoved: removed.map(alwaysRemovedSentence) }
      if (state !== 'open') known.set(id, result)
      return result
    },
  }
}

function resultOf(record: Pick<ContestRecord, 'standings' | 'finished'>): Omit<ContestResult, 'alwaysRemoved'> {
  const { finished } = record
  return {
    leaders: record
      .standings()
      .filter(({ rank, matches }) => rank === 1 && matches > 0)
      .map(({ agent }) => agent),
    faults: sumOf(finished.faults()),
    removals: sumOf(finished.removals()),
  }
}

const sumOf = (counts: ReadonlyMap<unknown, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0)
