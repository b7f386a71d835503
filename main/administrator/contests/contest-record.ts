import type { GameContests, Tally } from '../../contract/contest-format.ts'
import type { ContestDescription } from '../../contract/contests.ts'
import type { MatchNumber } from '../../contract/ids.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { createFinishedTable } from '../../histories/finished-table.ts'
import type { FinishedRun, VoidedRun } from '../../histories/run-index.ts'
import type { ScanKeeper } from '../../histories/contest-scan.ts'
import { ATTEMPTS_MAX } from './engine.ts'
import { chosenFormat, stagePairings } from './formats/registry.ts'
import { scheduleFrom, type Schedule } from './scheduled-match.ts'
import { createStages } from './stages.ts'
import { createTally } from './standings.ts'

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
  /** The matches of a stage, from 0. null: a stage before it is not over, so that nobody knows them, or there is no such stage. */
  stage(index: number): Schedule | null
  /** A match's history is on disk. Throws ExpectedError 'verdict' where there is no such match. */
  finish(run: FinishedRun): void
  spoil(attempt: Spoilt): void
}

/** Finished matches, and spoilt attempts, that are kept whole. */
const NEWEST = 200

/**
 * The record of a contest of which nothing has been heard. `contests`: what its game says of contests. Throws ExpectedError 'usage'
 * where its format is not known.
 */
export function createRecord(description: ContestDescription, contests: GameContests = {}): ContestRecord {
  const chosen = chosenFormat(description.format, contests)
  if (typeof chosen === 'string') throw new ExpectedError('usage', `format: ${chosen}`)
  const { format, settings } = chosen
  const { entrants, seed } = description
  const names = entrants.map(({ name }) => name)
  const stages = createStages(format.stages(settings, names.length), names, contests)
  const { total } = stages
  const tallied = { settings, names, contests, results: () => stages.results() }
  const tally = format.tally?.(tallied) ?? createTally(names, contests)
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
    tables: () => tally.tables(),
    stage(index) {
      const before = stages.results()
      const first = stages.firsts[index]
      if (first === undefined || before.length < index) return null
      const contest = { entrants: names.length, seed }
      return scheduleFrom(first, stagePairings(chosen, contest, before.slice(0, index)))
    },
    finish(run) {
      if (run.match >= total)
        throw new ExpectedError('verdict', `The histories hold a match ${run.match} that is not scheduled.`)
      if (!given.has(run.match)) stages.end(run.match)
      stages.add(run)
      finished.add(run)
      given.delete(run.match)
      keepNewest(recent, run)
      tally.add(run)
    },
    spoil({ match, attempt, reason }) {
      keepNewest(spoilt, { match, attempt, reason })
      attempts.set(match, Math.max(attempt, attempts.get(match) ?? 0))
      if (attempt < ATTEMPTS_MAX || finished.has(match) || given.has(match)) return
      given.add(match)
      stages.end(match)
    },
  }
}

function keepNewest<T>(list: T[], one: T): void {
  list.push(one)
  if (list.length > NEWEST) list.shift()
}
