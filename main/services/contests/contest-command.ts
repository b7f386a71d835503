import { keepTexts } from '../texts/kept-texts.ts'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { openClassFolder, type ClassFolder } from '../../administrator/classroom/classroom.ts'
import { combinedStandings } from '../../administrator/contests/combined-standings.ts'
import type { ContestRun } from '../../administrator/contests/contest-run.ts'
import type { PlayedAgain } from '../../administrator/contests/replayed-sample.ts'
import { openedSeed, seedReveal } from '../../administrator/contests/seed-commitment.ts'
import type { TargetingReport } from '../../contract/classroom.ts'
import type { ContestDescription } from '../../contract/contests.ts'
import { seedWarning } from '../../contract/contest-seed.ts'
import type { ContestId, MatchNumber } from '../../contract/ids.ts'
import type { IsolationTier } from '../../contract/limits.ts'
import type { PartsTable } from '../../contract/match-parts.ts'
import { isolationRefusal, policyOf, resultsCount, type SecurityPolicy } from '../../contract/policy.ts'
import type { ContestProgress, ContestTables, CountColumn, HeadToHead } from '../../contract/procedures.ts'
import type { Breakdowns, RatedRow, SeedReveal } from '../../contract/standings.ts'
import type { SchoolEntrant } from '../../contract/entries.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Consoles } from '../../histories/export.ts'
import type { Cluster, ClusterOptions } from '../cluster/cluster.ts'
import type { WorkerRecord } from '../cluster/worker-records.ts'
import { checkPhrase, openContests, type Contests } from './class-contests.ts'
import { matchCount, matchCountVaries } from '../../administrator/contests/schedule.ts'
import { createContestParts } from './contest-parts.ts'
import { isProgram, manifestsOf, readAgents, storedEntrants } from './contest-agents.ts'
import { readContest, type ReadContest } from './contest-file.ts'
import { openExportFolder } from '../files/export-folder.ts'
import { LISTED_MAX, writeExports, type ExportedMatches } from '../histories/export-histories.ts'
import { openEnteredAgents } from '../entries/entered-agents.ts'
import { schoolsIn } from '../entries/schools.ts'
import { chooseTier } from '../machine/isolation.ts'
import { checkArena, openContestArena, type ArenaOptions } from './network-contest.ts'
import { games } from '../../referees/games.ts'
import {
  checkEntriesClosed,
  endedPhases,
  nextPhase,
  waitsForEntries,
  type PhasesReport,
  type PlannedPhase,
} from './planned-phases.ts'
import type { PreparedAgent } from '../packages/prepare.ts'
import { startEarly, type EarlyWorkers } from '../machine/workers.ts'

export interface RunContestOptions {
  /** A contest file, `sample`, or a contest that has already been read. */
  readonly contest: string | ReadContest
  /** The data folder. */
  readonly data: string
  /** The number of match workers; default: one per core. */
  readonly cores?: number
  /** The folder for one exported file per match. */
  readonly exportTo?: string
  /** Whose console lines the exported files contain; default: nobody's. */
  readonly consoles?: Consoles
  /** Start anew even if the same contest exists unfinished. */
  readonly again?: boolean
  /** The phrase of the class, for a contest that was made before and asks for one. */
  readonly phrase?: string | undefined
  /** A separate match that belongs to no class: teams and declared policies of its agents are ignored. */
  readonly apart?: boolean
  /** Accept a weaker tier than the contest does. */
  readonly isolation?: IsolationTier
  /** Called with the isolation tier before any code of an agent runs; several times if there are builds. */
  onHeld?(isolation: IsolationTier): void
  /** Where agents on other machines connect; required if the contest has some, otherwise not allowed. */
  readonly arena?: ArenaOptions
  /** Whether the report has the table of parts, for which all histories are read once more. Default: no. */
  readonly parts?: boolean
  /** Plays on the workers that use this Redis; absent: on this machine. */
  readonly cluster?: Pick<ClusterOptions, 'url' | 'token' | 'waitMs'>
  readonly signal: AbortSignal
  onNotice(text: string): void
  onProgress(progress: ContestProgress): void
}

export interface ContestReport {
  readonly contest: ContestId
  readonly title: string
  readonly seed: string
  readonly state: 'finished' | 'stopped'
  readonly isolation: IsolationTier
  readonly policy: SecurityPolicy
  /** Whether the results count; those of a practice contest do not. */
  readonly counts: boolean
  readonly reveal: SeedReveal
  readonly matches: { readonly total: number; readonly played: number; readonly void: number }
  /** The result of replaying a sample of the matches in fresh processes; null: none were replayed. */
  readonly playedAgain: PlayedAgain | null
  /** Whether agents treat others differently although the policy forbids it; null: not examined. */
  readonly targeting: TargetingReport | null
  readonly standings: readonly RatedRow[]
  readonly headToHead: HeadToHead
  readonly breakdowns: Breakdowns
  /** null: not requested, there is none, or a history could not be read. */
  readonly parts: PartsTable | null
  /** What the game counts in outcomes, as columns of the standings. */
  readonly countColumns: readonly CountColumn[]
  /** The tables that the format adds to the standings. */
  readonly tables: ContestTables
  /**
   * Where each match's history is: an exported file, or its run in the contest's segments. The list is limited to the
   * first matches.
   */
  readonly histories: readonly ({ readonly match: MatchNumber } & (
    { readonly file: string } | { readonly folder: string; readonly run: number }
  ))[]
  readonly data: string
  readonly resumed: boolean
  /** What each worker of the cluster has done in this run; empty if it was played on this machine. */
  readonly workers: readonly WorkerRecord[]
  /** How far a contest in phases is; null: it has one phase. */
  readonly phases: PhasesReport | null
  /** The entrants that are entries of other schools. */
  readonly schools: readonly SchoolEntrant[]
}

/**
 * Runs a contest, or resumes it if the data folder contains the same contest unfinished. Standings are computed from
 * the histories. Throws ExpectedError or MachineError.
 */
export async function playContestFile(options: RunContestOptions): Promise<ContestReport> {
  const cores = options.cores ?? availableParallelism()
  const workers = startEarly(options.cluster === undefined ? cores : 0)
  return run(options, cores, workers).finally(() => workers.close())
}

async function run(options: RunContestOptions, cores: number, early: EarlyWorkers): Promise<ContestReport> {
  const { data } = options
  const read = typeof options.contest === 'string' ? await readContest(options.contest, data) : options.contest
  const connecting = read.written.entrants.flatMap(({ name, network }) => (network === true ? name : []))
  checkArena(read.written.game, connecting, options.arena)
  const weakest = options.isolation ?? read.written.isolation
  const refusal = isolationRefusal(weakest, policyOf(read.written))
  if (refusal !== null) throw new ExpectedError('usage', refusal)
  const choose = async (tier: IsolationTier, programs: boolean): Promise<IsolationTier> => {
    const isolation = await chooseTier(tier, programs)
    options.onHeld?.(isolation)
    return isolation
  }
  let chosen: Promise<IsolationTier> | null = null
  // Builds never run in a shared folder.
  const building = weakest === 'shared' ? 'bubblewrap' : weakest
  const entered = openEnteredAgents(data)
  const agents = await readAgents(read.written, () => (chosen ??= choose(building, true)), entered)
  const isolation = await choose(weakest, agents.some(isProgram))
  const home = await openClassFolder(data)
  try {
    const stage = { home, contests: openContests(home), agents, isolation, cores, early }
    await entered.keep(home)
    const entrants = await storedEntrants(options, read.written, agents)
    if (read.phases === undefined) return await play(options, stage, descriptionOf(read, entrants))
    const plan = read.phases.map(({ weight, deadline, ...phase }) => {
      return { description: descriptionOf(phase, entrants), weight, deadline }
    })
    return await playPhases(options, stage, plan)
  } finally {
    await home.close()
  }
}

/** What the contests of a command have in common. */
interface Stage {
  readonly home: ClassFolder
  readonly contests: Contests
  readonly agents: readonly (PreparedAgent | null)[]
  readonly isolation: IsolationTier
  readonly cores: number
  readonly early: EarlyWorkers
}

/**
 * Plays the next phases of a contest, until one waits for entries or for a phrase of the class. Reports the last one that
 * was played.
 */
async function playPhases(
  options: RunContestOptions,
  stage: Stage,
  plan: readonly PlannedPhase[],
): Promise<ContestReport> {
  const { contests, home } = stage
  const before = options.again === true ? [] : [...endedPhases(home.content.contests, plan)]
  checkEntriesClosed(plan, before, Date.now())
  let { phrase } = options
  for (;;) {
    const description = nextPhase(plan, before)
    const number = before.length + 1
    const { exportTo } = options
    const played = await play(
      {
        ...options,
        phrase,
        // Each phase is a contest with files of its own.
        ...(exportTo === undefined ? {} : { exportTo: join(exportTo, `phase-${number}`) }),
      },
      stage,
      description,
    )
    phrase = undefined
    before.push(played.contest)
    const phases = await phasesReport(contests, plan, before)
    const waits = phases.deadline !== null || description.classPhrase === true
    if (played.state === 'stopped' || before.length === plan.length || waits) return { ...played, phases }
    options.onNotice(`Phase ${number} of ${plan.length} is finished (${played.contest}).`)
  }
}

async function phasesReport(
  contests: Contests,
  plan: readonly PlannedPhase[],
  before: readonly ContestId[],
): Promise<PhasesReport> {
  const results = await Promise.all(
    before.map(async (id, at) => ({ weight: plan[at]!.weight, standings: (await contests.record(id)).standings() })),
  )
  const waits = waitsForEntries(plan, before, Date.now())
  return {
    contests: [...before],
    weights: plan.map(({ weight }) => weight),
    deadline: waits === null ? null : plan[before.length]!.deadline,
    combined: combinedStandings(results),
  }
}

/** Plays one contest, or resumes it. */
async function play(options: RunContestOptions, stage: Stage, description: ContestDescription): Promise<ContestReport> {
  const { data, signal } = options
  const { home, contests, agents, isolation, cores, early } = stage
  const open = options.again === true ? undefined : contests.twin(description)
  if (options.exportTo !== undefined) {
    const owner = { contest: open?.id ?? null, key: home.key.publicKey }
    const ofGame = games.get(description.game)?.contests
    const total = matchCountVaries(description, ofGame) ? Infinity : matchCount(description, ofGame)
    openExportFolder(options.exportTo, owner, (match) => match < total)
  }
  // Also when resuming: this restores texts that were lost.
  if (open !== undefined) await keepTexts(data, description)
  if (options.phrase !== undefined && open === undefined) throw new ExpectedError('usage', earlyPhrase(description))
  const { id } =
    open ?? (await contests.add(description, { manifests: manifestsOf(description, agents, options.apart) }))
  if (options.phrase !== undefined) await contests.givePhrase(id, options.phrase)
  checkPhrase(contests.entry(id), 'when the class has given a phrase, run the same command with --phrase TEXT')
  const gaveUp = new AbortController()
  const cluster = await clusterOf(options, description, (error) => gaveUp.abort(error))
  const arena = options.arena === undefined ? null : await openContestArena(description, options.arena, options)
  const warning = open === undefined && typeof options.contest === 'string' ? seedWarning(description.seed) : null
  if (warning !== null) options.onNotice(warning)
  const played = await contests
    .run(id, {
      workers: cluster === null ? cores : 1,
      launch: () => (cluster ?? early).launch(),
      ...(cluster === null ? {} : { lanes: cluster.lanes }),
      isolation,
      byteTransport: arena?.byteTransport,
      signal: AbortSignal.any([signal, gaveUp.signal]),
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
  // Last, so that a run that is killed during the export is resumed and not started anew.
  if (played.state === 'finished') await contests.settle(id, 'ended')
  const entry = contests.entry(id)
  const { targeting = null } = entry
  const countColumns = contests.countColumns(id)
  const folder = contests.folder(id)
  const workers = cluster?.workers() ?? []
  const parts = options.parts === true ? await wholeParts(contests, id, options) : null
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
    schools: schoolsIn(entry.description, home.content),
  })
}

/** The table of parts; null: there is none, it could not be computed, or the signal aborts. */
async function wholeParts(
  contests: Contests,
  id: ContestId,
  { signal, onNotice }: Pick<RunContestOptions, 'signal' | 'onNotice'>,
): Promise<PartsTable | null> {
  if (signal.aborted) return null
  const parts = createContestParts(contests, Infinity)
  signal.addEventListener('abort', parts.close)
  try {
    return await parts.get(id)
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error
    if (!signal.aborted) onNotice(error.message)
    return null
  } finally {
    signal.removeEventListener('abort', parts.close)
  }
}

/** Why a phrase comes too early: a contest that could still be made to suit it is committed to nothing. */
function earlyPhrase({ classPhrase }: ContestDescription): string {
  return classPhrase === true
    ? 'The class gives its phrase when entries are closed: run this once without --phrase, and show the class the commitment.'
    : 'This contest asks for no phrase of the class: "classPhrase": true in its file makes it ask for one.'
}

/** null: the contest is played on this machine. */
async function clusterOf(
  { cluster, data, onNotice }: RunContestOptions,
  description: ContestDescription,
  onFailed: (error: ExpectedError) => void,
): Promise<Cluster | null> {
  if (cluster === undefined) return null
  // Imported here because it is large, and most contests are played on this machine.
  const { openCluster } = await import('../cluster/cluster.ts')
  return openCluster({ ...cluster, data, description, onNotice: (text) => onNotice(text), onFailed })
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
  readonly schools: readonly SchoolEntrant[]
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
    schools,
  } = ended
  const { record } = run
  const { rows, total: played } = record.finished.page({ offset: 0, limit: LISTED_MAX })
  return {
    contest: id,
    title: description.title,
    seed: description.seed,
    state: run.state,
    isolation,
    policy: policyOf(description),
    counts: resultsCount(policyOf(description)) && description.practice !== true,
    matches: { total: record.total, played, void: record.voided.length },
    playedAgain: run.playedAgain,
    targeting,
    standings: record.ratedStandings(),
    headToHead: record.headToHead(),
    breakdowns: record.breakdowns(),
    parts,
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
    phases: null,
  }
}

/** A contest as the class keeps it. */
function descriptionOf(
  { written, config }: Pick<ReadContest, 'written' | 'config'>,
  entrants: ContestDescription['entrants'],
): ContestDescription {
  // `Json` is readonly and the schema's type is not; nothing modifies the value.
  return { ...written, config: config as ContestDescription['config'], entrants }
}
