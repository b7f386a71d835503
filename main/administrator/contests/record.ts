import type { ContestDescription } from '../../contract/contests.ts'
import type { MatchNumber } from '../../contract/ids.ts'
import { Trouble } from '../../contract/trouble.ts'
import type { FinishedRun, VoidedRun } from '../../histories/run-book.ts'
import { ATTEMPTS_MAX } from './engine.ts'
import { matchCount } from './schedule.ts'
import { createTally, type Tally } from './standings.ts'

/** What a contest's histories hold, kept up to date while it runs. Nothing in it is not in the histories. */
export interface ContestRecord extends Pick<Tally, 'standings' | 'headToHead'> {
  /** Matches that are scheduled. */
  readonly total: number
  readonly finished: ReadonlyMap<MatchNumber, FinishedRun>
  /** Attempts that do not count. */
  readonly spoilt: readonly Pick<VoidedRun, 'match' | 'attempt' | 'reason'>[]
  /** Matches that the host has spoilt at every attempt: they count for nobody. */
  readonly voided: readonly MatchNumber[]
  /** Finished and voided matches. */
  readonly done: number
  /** How many attempts at a match were spoilt. */
  attempts(match: MatchNumber): number
  /** A match's history is on disk. */
  finish(run: FinishedRun): void
  spoil(attempt: Pick<VoidedRun, 'match' | 'attempt' | 'reason'>): void
}

/** The record of what a scan found. Throws Trouble 'verdict' where it is not this contest's. */
export function createRecord(
  description: ContestDescription,
  scan: { readonly finished: ReadonlyMap<MatchNumber, FinishedRun>; readonly voided: readonly VoidedRun[] },
): ContestRecord {
  const total = matchCount(description)
  const tally = createTally(description.entrants.map(({ name }) => name))
  const finished = new Map<MatchNumber, FinishedRun>()
  const spoilt: Pick<VoidedRun, 'match' | 'attempt' | 'reason'>[] = []
  const attempts = new Map<MatchNumber, number>()
  const given = new Set<MatchNumber>()

  const record: ContestRecord = {
    total,
    finished,
    spoilt,
    get voided() {
      return [...given].sort((a, b) => a - b)
    },
    get done() {
      return finished.size + given.size
    },
    attempts: (match) => attempts.get(match) ?? 0,
    standings: () => tally.standings(),
    headToHead: () => tally.headToHead(),
    finish(run) {
      finished.set(run.match, run)
      given.delete(run.match)
      tally.add(run)
    },
    spoil(attempt) {
      const { match } = attempt
      spoilt.push(attempt)
      attempts.set(match, Math.max(attempt.attempt, attempts.get(match) ?? 0))
      if (attempt.attempt >= ATTEMPTS_MAX && !finished.has(match)) given.add(match)
    },
  }
  for (const run of scan.finished.values()) {
    if (run.match >= total)
      throw new Trouble('verdict', `The histories hold a match ${run.match} that is not scheduled.`)
    record.finish(run)
  }
  for (const attempt of scan.voided) record.spoil(attempt)
  return record
}
