import type { ContestRecord } from '../standings/contest-record.ts'
import type { ContestId, EntrantId } from '../../../contract/ids.ts'
import type { ContestResult } from '../../../contract/procedures/procedures.ts'
import type { Contests } from '../kept/class-contests.ts'
import { endingInHistory } from '../../../histories/match-ending.ts'

/** The result of each contest. Results are kept in memory, because reading a record takes time. */
export interface ContestResults {
  /** Rejects like `Contests.record`. */
  of(id: ContestId): Promise<ContestResult>
}

export function createResults(contests: Pick<Contests, 'entry' | 'record' | 'folder'>): ContestResults {
  /** The results of contests that are over, with the number of decisions and rulings about them. */
  const known = new Map<ContestId, { readonly decided: number; readonly result: ContestResult }>()
  const alwaysRemoved = createAlwaysRemoved(contests)
  return {
    async of(id) {
      const { state, decisions = [] } = contests.entry(id)
      const kept = known.get(id)
      if (kept?.decided === decisions.length) return kept.result
      const record = await contests.record(id)
      const removed = await alwaysRemoved.of(id, record)
      const result = { ...resultOf(record), alwaysRemoved: removed.map(alwaysRemovedSentence) }
      if (state !== 'open') known.set(id, { decided: decisions.length, result })
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

/** An entrant that was removed from every match that it has played. */
export interface AlwaysRemoved {
  readonly entrant: EntrantId
  readonly matches: number
  /** Why it was removed from the first of them, in a sentence. */
  readonly reason: string
}

/** The entrants of contests that never played to the end: something is wrong with them, or they cannot play the settings. */
interface AlwaysRemovedEntrants {
  /** `record`: of this contest. Rejects with MachineError if its histories cannot be read. */
  of(id: ContestId, record: Pick<ContestRecord, 'totals' | 'finished'>): Promise<readonly AlwaysRemoved[]>
}

/** Reasons are kept in memory, because they are read from histories and contests that run are looked at again and again. */
export function createAlwaysRemoved(contests: Pick<Contests, 'folder'>): AlwaysRemovedEntrants {
  const reasons = new Map<string, string>()
  return {
    async of(id, record) {
      const found: AlwaysRemoved[] = []
      for (const { agent: entrant, matches, removals } of record.totals()) {
        if (matches === 0 || removals < matches) continue
        const key = `${id} ${entrant}`
        const reason = reasons.get(key) ?? (await reasonOf(contests.folder(id), record, entrant))
        reasons.set(key, reason)
        found.push({ entrant, matches, reason })
      }
      return found
    },
  }
}

async function reasonOf(
  folder: string,
  { finished }: Pick<ContestRecord, 'finished'>,
  entrant: EntrantId,
): Promise<string> {
  for (const row of finished.values()) {
    if (!row.entrants.includes(entrant)) continue
    const { outcome } = await endingInHistory(folder, row)
    const place = outcome.places.find(({ seat, removed }) => removed && row.entrants[seat] === entrant)
    if (place?.reason !== undefined) return place.reason
  }
  return 'its histories give no reason.'
}

export function alwaysRemovedSentence({ entrant, matches, reason }: AlwaysRemoved): string {
  const from = matches === 1 ? 'the only match' : `each of the ${matches} matches`
  return `${entrant} was removed from ${from} that it has played: ${reason}`
}
