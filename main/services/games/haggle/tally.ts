import type { Session } from './sessions.ts'

/** The results of an entry over many sessions. */
export interface EntryTally {
  readonly entry: number
  sessions: number
  /** Dollars. */
  score: number
  agreements: number
  /** The number of sessions that it broke off. */
  aborts: number
}

/** Counts sessions for each of n entries. */
export function createEntryTally(n: number): { add(session: Session): void; standings(): readonly EntryTally[] } {
  const tallies = Array.from({ length: n }, (_, entry): EntryTally => {
    return { entry, sessions: 0, score: 0, agreements: 0, aborts: 0 }
  })
  return {
    add({ entries, score, outcome, aborted_by }) {
      for (const [seat, entry] of entries.entries()) {
        const tally = tallies[entry]!
        tally.sessions += 1
        tally.score += score[seat]!
        if (outcome === 'agreed') tally.agreements += 1
        if (aborted_by === seat) tally.aborts += 1
      }
    },
    standings: () => [...tallies].sort((a, b) => b.score - a.score),
  }
}
