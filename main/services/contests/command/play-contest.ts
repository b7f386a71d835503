import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import { isolationRefusal, policyOf } from '../../../contract/contests/policy.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { PartsTable } from '../../../contract/game/match-parts.ts'
import type { ContestId } from '../../../contract/ids.ts'
import type { IsolationTier } from '../../../contract/limits.ts'
import type { OpenArena } from '../../../contract/players/arena.ts'
import type { ContestProgress } from '../../../contract/procedures/procedures.ts'
import type { Consoles } from '../../../histories/export.ts'
import { openedSeed } from '../../../histories/seed-commitment.ts'
import { games } from '../../../referees/games.ts'
import type { Cluster, ClusterOptions } from '../../cluster/cluster.ts'
import { openExportFolder } from '../../files/export-folder.ts'
import { writeExports, type ExportedMatches } from '../../histories/export-histories.ts'
import type { EarlyWorkers } from '../../machine/workers.ts'
import type { ArenaPlan } from '../arena/network-contest.ts'
import type { ContestRun } from '../engine/contest-run.ts'
import type { Contests } from '../kept/class-contests.ts'
import { wholeParts } from '../reports/contest-parts.ts'
import { createContestRunner, type ContestRunner } from '../running/contest-runner.ts'
import { matchCount, matchCountVaries } from '../schedule/schedule.ts'
import { namedBreakdowns } from '../reports/contest-text-names.ts'
import { textNames } from '../../texts/text-names.ts'
import { contestReport, type ContestReport } from './contest-report.ts'

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
  /** The phrase of the class, for a contest that was made before and asks for one. */
  readonly phrase?: string | undefined
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

/** The arena of a contest that a command plays. */
export interface ArenaOptions extends ArenaPlan {
  /** Called once, before waiting for agents. */
  onOpen(open: OpenArena): void | Promise<void>
}

/** The resources that all contests of a command share. */
export interface Stage {
  readonly home: ClassFolder
  readonly contests: Contests
  readonly isolation: IsolationTier
  readonly cores: number
  readonly early: EarlyWorkers
}

/**
 * The weakest tier in which a contest may be played: the one that a command accepts, otherwise the contest's. Throws
 * ExpectedError 'usage' if the contest's security policy forbids it.
 */
export function weakestTier(
  accepted: IsolationTier | undefined,
  contest: Pick<ContestDescription, 'isolation' | 'policy'>,
): IsolationTier {
  const weakest = accepted ?? contest.isolation
  const refusal = isolationRefusal(weakest, policyOf(contest))
  if (refusal !== null) throw new ExpectedError('usage', 'isolation-refused', refusal)
  return weakest
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
 * Plays a contest that the class has, or the rest of it, as a classroom does: in a runner, which here has one contest and
 * no screens. `onStarted`: called when the contest has started. Throws ExpectedError or MachineError.
 */
export async function playContest(
  options: PlayContestOptions,
  stage: Stage,
  id: ContestId,
  onStarted?: () => void,
): Promise<ContestReport> {
  const { home, contests, isolation, cores, early } = stage
  const gaveUp = new AbortController()
  const description = await contests.complete(id)
  // A seed can be guessed, and the sample that is played again must not be; the cluster needs the seed for nothing else.
  const secret = { ...description, seed: `${contests.entry(id).nonce} ${description.seed}` }
  const cluster = await clusterOf(options, secret, (error) => gaveUp.abort(error))
  const unexpected: unknown[] = []
  const runner = createContestRunner({
    home,
    contests,
    workers: cluster === null ? cores : 1,
    launch: () => (cluster ?? early).launch(),
    ...(cluster === null ? {} : { lanes: cluster.lanes }),
    resumes: false,
    onChange: () => undefined,
    onFatal: (error) => void unexpected.push(error),
  })
  const played = await playIn(runner, options, stage, id, { gaveUp: gaveUp.signal, onStarted })
    .finally(() => runner.close())
    .finally(() => cluster?.close())
  if (unexpected.length > 0) throw unexpected[0]
  const report = contestReport(home, contests, id, { ...played, isolation, workers: cluster?.workers() ?? [] })
  const names = await textNames(home.folder, contests.entry(id).description)
  return { ...report, breakdowns: namedBreakdowns(report.breakdowns, names) }
}

/** The files and tables that are made of a run before the contest is marked as ended. */
interface Written {
  /** null: no export was requested. */
  exported: ExportedMatches | null
  /** null: not requested, there is none, the contest was stopped, or a history could not be read. */
  parts: PartsTable | null
}

async function playIn(
  runner: ContestRunner,
  options: PlayContestOptions,
  stage: Stage,
  id: ContestId,
  { gaveUp, onStarted }: { readonly gaveUp: AbortSignal; readonly onStarted: (() => void) | undefined },
): Promise<Written & { readonly run: ContestRun }> {
  const { arena, cluster, phrase, signal, finishing = new AbortController().signal } = options
  const written: Written = { exported: null, parts: null }
  const onPlayed = async (run: ContestRun): Promise<void> => {
    gaveUp.throwIfAborted()
    Object.assign(written, await write(options, stage, id, run))
  }
  const started = await runner.start(id, {
    ...(arena === undefined ? {} : { arena }),
    ...(phrase === undefined ? {} : { phrase }),
    isolation: stage.isolation,
    // A worker of a cluster may never answer.
    signal: AbortSignal.any([signal, gaveUp, ...(cluster === undefined ? [] : [finishing])]),
    finishing,
    follower: {
      onNotice: (text) => options.onNotice(text),
      onProgress: (progress) => options.onProgress(progress),
      onPlayed,
    },
  })
  if (arena !== undefined) await arena.onOpen(runner.credentials(id))
  onStarted?.()
  const run = await started.ended()
  if (run !== null) return { ...written, run }
  // It was stopped while it waited for agents.
  const record = await stage.contests.record(id)
  const waited: ContestRun = { state: 'stopped', record, resumed: record.done > 0, playedAgain: null }
  await onPlayed(waited)
  return { ...written, run: waited }
}

/** Writes the exported files, and reads the parts. */
async function write(
  options: PlayContestOptions,
  { home, contests }: Pick<Stage, 'home' | 'contests'>,
  id: ContestId,
  { state, record }: ContestRun,
): Promise<Written> {
  const { exportTo, consoles = 'none' } = options
  const reveal = state === 'finished' ? openedSeed({ ...contests.entry(id), state: 'ended' }) : undefined
  const source = { contest: id, dir: contests.folder(id), finished: record.finished, reveal }
  const exported = exportTo === undefined ? null : await writeExports(source, home.key, exportTo, consoles)
  const wantsParts = options.parts === true && state === 'finished'
  return { exported, parts: wantsParts ? await wholeParts(contests, id, options) : null }
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
