import type { ContestDescription } from '../../contract/contests.ts'
import type { MatchNumber } from '../../contract/ids.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { createFinishedTable } from '../../histories/finished-table.ts'
import type { FinishedRun, VoidedRun } from '../../histories/run-index.ts'
import type { ScanKeeper } from '../../histories/contest-scan.ts'
import { ATTEMPTS_MAX } from './engine.ts'
import { finalStage, firstStageCount } from './ordered-pairs.ts'
import { createPairTally } from './pair-tally.ts'
import { matchCount } from './schedule.ts'
import { scheduleFrom, type Schedule } from './scheduled-match.ts'
import { createTally, type Tally } from './standings.ts'

type Spoilt = Pick<VoidedRun, 'match' | 'attempt' | 'reason'>

/**
 * What a contest's histories hold, kept up to date while it runs. Nothing in it is not in the histories. It hears of each match
 * once, be it from a scan or from those who play; what it keeps of one is a row, see FinishedTable.
 */
export interface ContestRecord extends Omit<Tally, 'add'>, ScanKeeper {
  /** Matches that are scheduled. */
  readonly total: number
  /** The newest of them, whole, the last one last. */
  readonly recent: readonly FinishedRun[]
  /** Attempts that do not count, the newest of them. */
  readonly spoilt: readonly Spoilt[]
  /** Matches that the host has spoilt at every attempt: they count for nobody. */
  readonly voided: readonly MatchNumber[]
  /** Finished and voided matches. */
  readonly done: number
  isDone(match: MatchNumber): boolean
  /** How many attempts at a match were spoilt. */
  attempts(match: MatchNumber): number
  /** What follows the schedule once its matches are over: the final of ordered pairs, or nothing. */
  final(): Schedule
  /** A match's history is on disk. Throws ExpectedError 'verdict' where there is no such match. */
  finish(run: FinishedRun): void
  spoil(attempt: Spoilt): void
}

/** Finished matches, and spoilt attempts, that are kept whole. */
const NEWEST = 200

/** The record of a contest of which nothing has been heard. */
export function createRecord(description: ContestDescription): ContestRecord {
  const total = matchCount(description)
  const { format, entrants, seed } = description
  const names = entrants.map(({ name }) => name)
  const firstStage = format.type === 'ordered-pairs' ? firstStageCount(format, names.length) : total
  /** Matches of the first stage, or of a contest of one, that are over. */
  let over = 0
  const pairTally = format.type === 'ordered-pairs' ? createPairTally(format, names, () => over === firstStage) : null
  const tally = pairTally ?? createTally(names)
  const finished = createFinishedTable()
  const recent: FinishedRun[] = []
  const spoilt: Spoilt[] = []
  const attempts = new Map<MatchNumber, number>()
  const given = new Set<MatchNumber>()

  return {
    total,
    finished,
    recent,
    spoilt,
    get voided() {
      return [...given].sort((a, b) => a - b)
    },
    get done() {
      return finished.size + given.size
    },
    isDone: (match) => finished.has(match) || given.has(match),
    attempts: (match) => attempts.get(match) ?? 0,
    standings: () => tally.standings(),
    headToHead: () => tally.headToHead(),
    pairs: () => tally.pairs(),
    walkedAway: () => tally.walkedAway(),
    final() {
      const none = scheduleFrom(total, 0, () => ({ entrants: [] }))
      if (format.type !== 'ordered-pairs' || pairTally === null || over < firstStage) return none
      return finalStage(format, names.length, seed, pairTally.finalists())
    },
    finish(run) {
      if (run.match >= total)
        throw new ExpectedError('verdict', `The histories hold a match ${run.match} that is not scheduled.`)
      if (run.match < firstStage && !given.has(run.match)) over += 1
      finished.add(run)
      given.delete(run.match)
      keepNewest(recent, run)
      if (pairTally === null) tally.add(run)
      else pairTally.add(run)
    },
    spoil({ match, attempt, reason }) {
      keepNewest(spoilt, { match, attempt, reason })
      attempts.set(match, Math.max(attempt, attempts.get(match) ?? 0))
      if (attempt < ATTEMPTS_MAX || finished.has(match) || given.has(match)) return
      given.add(match)
      if (match < firstStage) over += 1
    },
  }
}

function keepNewest<T>(list: T[], one: T): void {
  list.push(one)
  if (list.length > NEWEST) list.shift()
}
