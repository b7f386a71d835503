import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import { schoolsIn } from '../../../administrator/classroom/schools.ts'
import type { SchoolEntrant } from '../../../contract/contests/entries.ts'
import { policyOf, resultsCount, type SecurityPolicy } from '../../../contract/contests/policy.ts'
import type { ToolchainDifference } from '../../../contract/contests/toolchain-differences.ts'
import type { RuledResults } from '../../../contract/contests/rulings.ts'
import type { Breakdowns, Interval, RatedRow, SeedReveal } from '../../../contract/contests/standings.ts'
import type { PartsTable } from '../../../contract/game/match-parts.ts'
import type { ContestId, MatchNumber } from '../../../contract/ids.ts'
import type { IsolationTier } from '../../../contract/limits.ts'
import type { Rerun, TargetingReport } from '../../../contract/procedures/classroom.ts'
import type { ShareRow } from '../../../contract/procedures/components.ts'
import type { ContestTables, CountColumn, HeadToHead } from '../../../contract/procedures/procedures.ts'
import { seedReveal } from '../../../histories/seed-commitment.ts'
import type { WorkerRecord } from '../../cluster/worker-records.ts'
import { LISTED_MAX, type ExportedMatches } from '../../histories/export-histories.ts'
import type { ContestRun } from '../engine/contest-run.ts'
import type { PlayedAgain } from '../engine/replayed-sample.ts'
import type { Contests } from '../kept/class-contests.ts'
import { ruledIn } from '../results/ruled-results.ts'
import { sharesOf } from '../results/contest-shares.ts'
import type { PhasesReport } from './planned-phases.ts'

/** The results of a contest that a command has played, or stopped. */
export interface ContestReport {
  readonly contest: ContestId
  readonly title: string
  /** null: the contest goes on, and its seed is secret. */
  readonly seed: string | null
  readonly state: 'finished' | 'stopped'
  readonly isolation: IsolationTier
  readonly policy: SecurityPolicy
  /** True if the results count; those of a practice contest do not. */
  readonly counts: boolean
  readonly reveal: SeedReveal
  readonly matches: { readonly total: number; readonly played: number; readonly void: number }
  /** See `ContestRecord.ending`. */
  readonly ending: string | null
  /** The toolchains of which its matches used several versions. */
  readonly toolchains: readonly ToolchainDifference[]
  /** The result of replaying a sample of the matches in fresh processes; null: none were replayed. */
  readonly playedAgain: PlayedAgain | null
  /** The search for agents that treat others differently although the policy forbids it; null: not examined. */
  readonly targeting: TargetingReport | null
  /** `interval` is of the rating, `pointsInterval` of the points per match; null: not estimated. */
  readonly standings: readonly (RatedRow & { readonly pointsInterval: Interval | null })[]
  /**
   * In the order of the standings, the 95 % interval of the share of its opponents that an entrant placed before, a tie
   * counted as half; null: not estimated.
   */
  readonly shareIntervals: readonly (Interval | null)[]
  readonly headToHead: HeadToHead
  readonly breakdowns: Breakdowns
  /** null: not requested, there is none, the contest was stopped, or a history could not be read. */
  readonly parts: PartsTable | null
  /** The rulings of hearings, with the standings as they were played; absent: there are none. */
  readonly ruled?: RuledResults<readonly RatedRow[]>
  /** The standings of teams with shares for components; absent: the contest has no share. */
  readonly shares?: readonly ShareRow[]
  /** The counts in the game's outcomes, as columns of the standings. */
  readonly countColumns: readonly CountColumn[]
  /** The tables that the format adds to the standings. */
  readonly tables: ContestTables
  /**
   * The place of each match's history: an exported file, or its run in the contest's segments. The list is limited to the
   * first matches.
   */
  readonly histories: readonly ({ readonly match: MatchNumber } & (
    { readonly file: string } | { readonly folder: string; readonly run: number }
  ))[]
  readonly data: string
  readonly resumed: boolean
  /** The work of each worker of the cluster in this run; empty if it was played on this machine. */
  readonly workers: readonly WorkerRecord[]
  /** How far a contest in phases is; null: it has one phase. */
  readonly phases: PhasesReport | null
  /** The entrants that are entries of other schools. */
  readonly schools: readonly SchoolEntrant[]
  /** The contest that it repeats, and how its matches compare; null: it repeats none. */
  readonly rerun: Rerun | null
}

/** The facts of a run that the class does not keep. */
interface RunFacts {
  readonly isolation: IsolationTier
  readonly run: ContestRun
  /** null: no export was requested. */
  readonly exported: ExportedMatches | null
  readonly parts: PartsTable | null
  readonly workers: readonly WorkerRecord[]
}

/** The report of a contest with one phase. */
export function contestReport(
  { folder: data, content }: Pick<ClassFolder, 'folder' | 'content'>,
  contests: Pick<Contests, 'entry' | 'folder' | 'countColumns'>,
  id: ContestId,
  { isolation, run, exported, parts, workers }: RunFacts,
): ContestReport {
  const entry = contests.entry(id)
  const { description, targeting = null, rerun = null } = entry
  const folder = contests.folder(id)
  const { record } = run
  const standings = record.standings()
  const intervals = record.intervals()
  const shareIntervals = record.shareIntervals()
  const shares = sharesOf(content, entry, standings)
  const reveal = seedReveal(entry)
  const { rows, total: played } = record.finished.page({ offset: 0, limit: LISTED_MAX })
  return {
    contest: id,
    title: description.title,
    seed: reveal.seed,
    state: run.state,
    isolation,
    policy: policyOf(description),
    counts: resultsCount(policyOf(description)) && description.practice !== true && rerun === null,
    matches: { total: record.total, played, void: record.voided.length },
    ending: record.ending(),
    toolchains: record.toolchains(),
    playedAgain: run.playedAgain,
    targeting,
    standings: record.ratedStandings().map((row) => ({ ...row, pointsInterval: intervals.get(row.agent) ?? null })),
    shareIntervals: standings.map(({ agent }) => shareIntervals.get(agent) ?? null),
    headToHead: record.headToHead(),
    breakdowns: record.breakdowns(),
    parts,
    ...ruledIn(record, () => record.asPlayed.ratedStandings()),
    ...(shares === null ? {} : { shares }),
    countColumns: contests.countColumns(id),
    tables: record.tables(),
    histories: rows.map(({ match, run: number }) => {
      const file = exported?.files.get(match)
      return file === undefined ? { match, folder, run: number } : { match, file }
    }),
    data,
    resumed: run.resumed,
    workers,
    reveal,
    schools: schoolsIn(description, content),
    rerun,
    phases: null,
  }
}
