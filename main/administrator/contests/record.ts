import type { ContestDescription } from '../../contract/contests.ts'
import type { MatchNumber } from '../../contract/ids.ts'
import { Trouble } from '../../contract/trouble.ts'
import type { FinishedRun, VoidedRun } from '../../histories/run-book.ts'
import { ATTEMPTS_MAX } from './engine.ts'
import { finalStage, firstStageCount } from './ordered-pairs.ts'
import { createPairTally } from './pair-tally.ts'
import { matchCount } from './schedule.ts'
import type { ScheduledMatch } from './scheduled-match.ts'
import { createTally, type Tally } from './standings.ts'

/** What a contest's histories hold, kept up to date while it runs. Nothing in it is not in the histories. */
export interface ContestRecord extends Omit<Tally, 'add'> {
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
  /** What follows the schedule once its matches are over: the final of ordered pairs, or nothing. */
  final(): readonly ScheduledMatch[]
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
  const { format, entrants, seed } = description
  const names = entrants.map(({ name }) => name)
  const firstStage = format.type === 'ordered-pairs' ? firstStageCount(format, names.length) : total
  /** Matches of the first stage, or of a contest of one, that are over. */
  let over = 0
  const pairTally = format.type === 'ordered-pairs' ? createPairTally(format, names, () => over === firstStage) : null
  const tally = pairTally ?? createTally(names)
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
    pairs: () => tally.pairs(),
    walkedAway: () => tally.walkedAway(),
    final() {
      if (format.type !== 'ordered-pairs' || pairTally === null || over < firstStage) return []
      return finalStage(format, names.length, seed, pairTally.finalists())
    },
    finish(run) {
      if (run.match < firstStage && !given.has(run.match)) over += 1
      finished.set(run.match, run)
      given.delete(run.match)
      if (pairTally === null) tally.add(run)
      else pairTally.add(run)
    },
    spoil(attempt) {
      const { match } = attempt
      spoilt.push(attempt)
      attempts.set(match, Math.max(attempt.attempt, attempts.get(match) ?? 0))
      if (attempt.attempt < ATTEMPTS_MAX || finished.has(match) || given.has(match)) return
      given.add(match)
      if (match < firstStage) over += 1
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
