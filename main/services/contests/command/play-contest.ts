import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import type { ContestRun } from '../engine/contest-run.ts'
import { matchCount, matchCountVaries } from '../schedule/schedule.ts'
import type { PlayedAgain } from '../engine/replayed-sample.ts'
import { openedSeed, seedReveal } from '../../../histories/seed-commitment.ts'
import type { Rerun, TargetingReport } from '../../../contract/procedures/classroom.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import type { ContestId, MatchNumber } from '../../../contract/ids.ts'
import type { IsolationTier } from '../../../contract/limits.ts'
import type { PartsTable } from '../../../contract/game/match-parts.ts'
import { policyOf, resultsCount, type SecurityPolicy } from '../../../contract/contests/policy.ts'
import type {
  ContestProgress,
  ContestTables,
  CountColumn,
  HeadToHead,
} from '../../../contract/procedures/procedures.ts'
import type { Breakdowns, Interval, RatedRow, SeedReveal } from '../../../contract/contests/standings.ts'
import type { ShareRow } from '../../../contract/procedures/components.ts'
import type { SchoolEntrant } from '../../../contract/contests/entries.ts'
import type { ExpectedError } from '../../../contract/expected-error.ts'
import type { Consoles } from '../../../histories/export.ts'
import type { Cluster, ClusterOptions } from '../../cluster/cluster.ts'
import type { WorkerRecord } from '../../cluster/worker-records.ts'
import { schoolsIn } from '../../../administrator/classroom/schools.ts'
import { sharesOf } from '../results/contest-shares.ts'
import { openExportFolder } from '../../files/export-folder.ts'
import { LISTED_MAX, writeExports, type ExportedMatches } from '../../histories/export-histories.ts'
import type { EarlyWorkers } from '../../machine/workers.ts'
import { games } from '../../../referees/games.ts'
import type { Contests } from '../kept/class-contests.ts'
import { wholeParts } from '../reports/contest-parts.ts'
import { openContestArena, type ArenaOptions } from '../arena/network-contest.ts'
import type { PhasesReport } from './planned-phases.ts'

/** How a contest of a data folder is played by a command. */
export interface PlayContestOptions {
  /** The data folder. */
  readonly data: string
  /** The folder for one exported file per match. */
  readonly exportTo?: string
  /** The seats whose console lines the exported files contain; default: none. */
  readonly consoles?: Consoles
  /** The arena for agents on other machines; required if the contest has some, otherwise not allowed. */
  readonly arena?: ArenaOptions
  /** True: the report has the table of parts, for which all histories are read once more. Default: false. */
  readonly parts?: boolean
  /** Plays on the workers that use this Redis; absent: on this machine. */
  readonly cluster?: Pick<ClusterOptions, 'url' | 'token' | 'waitMs' | 'recheck' | 'quorum'>
  /** The weakest tier to accept; absent: as the contest has it. */
  readonly isolation?: IsolationTier
  /** Stops at once: matches that are being played are discarded. */
  readonly signal: AbortSignal
  /** Stops when the matches that are being played are finished; on a cluster, at once. Absent: never. */
  readonly finishing?: AbortSignal
  onNotice(text: string): void
  onProgress(progress: ContestProgress): void
}

/** The resources that all contests of a command share. */
export interface Stage {
  readonly home: ClassFolder
  readonly contests: Contests
  readonly isolation: IsolationTier
  readonly cores: number
  readonly early: EarlyWorkers
}

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
  /** The result of replaying a sample of the matches in fresh processes; null: none were replayed. */
  readonly playedAgain: PlayedAgain | null
  /** The search for agents that treat others differently although the policy forbids it; null: not examined. */
  readonly targeting: TargetingReport | null
  /** `interval` is of the rating, `pointsInterval` of the points per match; null: not estimated. */
  readonly standings: readonly (RatedRow & { readonly pointsInterval: Interval | null })[]
  readonly headToHead: HeadToHead
  readonly breakdowns: Breakdowns
  /** null: not requested, there is none, the contest was stopped, or a history could not be read. */
  readonly parts: PartsTable | null
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

/**
 * Makes the folder for the exported matches of a contest. Throws ExpectedError if it holds other files. `id` null: the
 * contest is not made yet.
 */
export function checkExportFolder(
  exportTo: string,
  { key }: Pick<ClassFolder, 'key'>,
  description: ContestDescription,
  id: ContestId | null,
): void {
  const ofGame = games.get(description.game)?.contests
  const total = matchCountVaries(description, ofGame) ? Infinity : matchCount(description, ofGame)
  openExportFolder(exportTo, { contest: id, key: key.publicKey }, (match) => match < total)
}

/**
 * Plays a contest that the class has, or the rest of it. `onReady`: called when workers and agents that connect are there.
 * Throws ExpectedError or MachineError.
 */
export async function playContest(
  options: PlayContestOptions,
  stage: Stage,
  id: ContestId,
  onReady?: () => void,
): Promise<ContestReport> {
  const { data, signal } = options
  const { home, contests, isolation, cores, early } = stage
  const description = await contests.complete(id)
  const gaveUp = new AbortController()
  const cluster = await clusterOf(options, description, (error) => gaveUp.abort(error))
  const { finishing = new AbortController().signal } = options
  const atOnce = AbortSignal.any([signal, finishing])
  // While agents are waited for, nothing runs that could be finished.
  const waiting = { ...options, signal: atOnce }
  const arena = options.arena === undefined ? null : await openContestArena(description, options.arena, waiting)
  onReady?.()
  const played = await contests
    .run(id, {
      workers: cluster === null ? cores : 1,
      launch: () => (cluster ?? early).launch(),
      ...(cluster === null ? {} : { lanes: cluster.lanes }),
      isolation,
      byteTransport: arena?.byteTransport,
      // A worker of a cluster may never answer.
      signal: AbortSignal.any([cluster === null ? signal : atOnce, gaveUp.signal]),
      finishing,
      onNotice: (text) => options.onNotice(text),
      onProgress: (progress) => options.onProgress(progress),
    })
    .finally(() => arena?.close())
    .finally(() => cluster?.close())
  gaveUp.signal.throwIfAborted()
  // The export comes before the contest is marked as ended.
  const reveal = played.state === 'finished' ? openedSeed({ ...contests.entry(id), state: 'ended' }) : undefined
  const source = { contest: id, dir: contests.folder(id), finished: played.record.finished, reveal }
  const exported =
    options.exportTo === undefined
      ? null
      : await writeExports(source, home.key, options.exportTo, options.consoles ?? 'none')
  const wantsParts = options.parts === true && played.state === 'finished'
  const parts = wantsParts ? await wholeParts(contests, id, options) : null
  // Last, so that a run that is killed before its report is resumed and not started anew.
  if (played.state === 'finished') await contests.settle(id, 'ended')
  const entry = contests.entry(id)
  const { targeting = null } = entry
  const countColumns = contests.countColumns(id)
  const folder = contests.folder(id)
  const workers = cluster?.workers() ?? []
  return report(data, {
    id,
    folder,
    description,
    countColumns,
    isolation,
    run: played,
    exported,
    targeting,
    parts,
    workers,
    reveal: seedReveal(entry),
    shares: sharesOf(home.content, entry, played.record.standings()),
    schools: schoolsIn(entry.description, home.content),
    rerun: entry.rerun ?? null,
  })
}

/** null: the contest is played on this machine. */
async function clusterOf(
  { cluster, data, isolation, onNotice }: PlayContestOptions,
  description: ContestDescription,
  onFailed: (error: ExpectedError) => void,
): Promise<Cluster | null> {
  if (cluster === undefined) return null
  // Imported here because it is large, and most contests are played on this machine.
  const { openCluster } = await import('../../cluster/cluster.ts')
  return openCluster({ ...cluster, data, description, isolation, onNotice: (text) => onNotice(text), onFailed })
}

interface Ended {
  readonly id: ContestId
  readonly folder: string
  readonly description: ContestDescription
  readonly countColumns: readonly CountColumn[]
  readonly isolation: IsolationTier
  readonly run: ContestRun
  /** null: no export was requested. */
  readonly exported: ExportedMatches | null
  readonly targeting: TargetingReport | null
  readonly parts: PartsTable | null
  readonly workers: readonly WorkerRecord[]
  readonly reveal: SeedReveal
  readonly shares: readonly ShareRow[] | null
  readonly schools: readonly SchoolEntrant[]
  readonly rerun: Rerun | null
}

function report(data: string, ended: Ended): ContestReport {
  const {
    id,
    folder,
    description,
    countColumns,
    isolation,
    run,
    exported,
    targeting,
    parts,
    workers,
    reveal,
    shares,
    schools,
    rerun,
  } = ended
  const { record } = run
  const { rows, total: played } = record.finished.page({ offset: 0, limit: LISTED_MAX })
  const intervals = record.intervals()
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
    playedAgain: run.playedAgain,
    targeting,
    standings: record.ratedStandings().map((row) => ({ ...row, pointsInterval: intervals.get(row.agent) ?? null })),
    headToHead: record.headToHead(),
    breakdowns: record.breakdowns(),
    parts,
    ...(shares === null ? {} : { shares }),
    countColumns,
    tables: record.tables(),
    histories: rows.map(({ match, run: number }) => {
      const file = exported?.files.get(match)
      return file === undefined ? { match, folder, run: number } : { match, file }
    }),
    data,
    resumed: run.resumed,
    workers,
    reveal,
    schools,
    rerun,
    phases: null,
  }
}
