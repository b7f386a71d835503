import { keepTexts } from '../../texts/kept-texts.ts'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { checkOpenFiles } from '../../../administrator/classroom/open-files.ts'
import { openClassFolder, readClass } from '../../../administrator/classroom/classroom.ts'
import { combinedStandings } from '../standings/standings.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import { seedWarning } from '../../../contract/contests/contest-seed.ts'
import type { ContestId } from '../../../contract/ids.ts'
import type { IsolationTier } from '../../../contract/limits.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { openContests, type Contests } from '../kept/class-contests.ts'
import { reportRecovery } from '../kept/contest-edits.ts'
import { checkPhrase } from '../kept/kept-entries.ts'
import { isProgram, manifestsOf, readAgents, storedEntrants, type FileAgent } from '../descriptions/contest-agents.ts'
import { reviewOfChallenge } from '../descriptions/challenge-review.ts'
import { checkNewNames, readContest, type ReadContest } from '../descriptions/contest-file.ts'
import { openEnteredAgents } from '../../entries/entered-agents.ts'
import { chooseTier } from '../../machine/isolation.ts'
import { requireToolchains } from '../../machine/toolchains.ts'
import { checkArena } from '../arena/network-contest.ts'
import {
  checkEntriesClosed,
  endedPhases,
  nextPhase,
  waitsForEntries,
  type PhasesReport,
  type PlannedPhase,
} from './planned-phases.ts'
import type { ContestReport } from './contest-report.ts'
import { checkExportFolder, playContest, weakestTier, type PlayContestOptions, type Stage } from './play-contest.ts'
import { startEarly, type EarlyWorkers } from '../../machine/workers.ts'

export interface RunContestOptions extends PlayContestOptions {
  /** A contest file, `sample`, or a contest that has already been read. */
  readonly contest: string | ReadContest
  /** The number of match workers; default: one per core. */
  readonly cores?: number
  /** Start anew even if the same contest exists unfinished. */
  readonly again?: boolean
  /** A separate match that belongs to no class: teams and declared policies of its agents are ignored. */
  readonly apart?: boolean
  /** Called with the isolation tier before any code of an agent runs; several times if there are builds. */
  onHeld?(isolation: IsolationTier): void
}

/**
 * Runs a contest, or resumes it if the data folder contains the same contest unfinished. Standings are computed from
 * the histories. Throws ExpectedError or MachineError.
 */
export async function playContestFile(options: RunContestOptions): Promise<ContestReport> {
  const cores = options.cores ?? availableParallelism()
  checkOpenFiles()
  const workers = startEarly(options.cluster === undefined ? cores : 0)
  return run(options, cores, workers).finally(() => workers.close())
}

async function run(options: RunContestOptions, cores: number, early: EarlyWorkers): Promise<ContestReport> {
  const { data } = options
  const read = typeof options.contest === 'string' ? await readContest(options.contest, data) : options.contest
  const connecting = read.written.entrants.flatMap(({ name, network }) => (network === true ? name : []))
  checkArena(read.written.game, connecting, options.arena)
  const weakest = weakestTier(options.isolation, read.written)
  if (options.cluster !== undefined) {
    // Imported here because it is large, and most contests are played on this machine.
    const { checkCluster } = await import('../../cluster/cluster.ts')
    await checkCluster(options.cluster, read.written.entrants)
  }
  const choose = async (tier: IsolationTier, programs: boolean): Promise<IsolationTier> => {
    const isolation = await chooseTier(tier, programs)
    options.onHeld?.(isolation)
    return isolation
  }
  let chosen: Promise<IsolationTier> | null = null
  // Builds never run in a shared folder.
  const building = weakest === 'shared' ? 'bubblewrap' : weakest
  const known = { folder: data, content: await readClass(data) }
  const entered = openEnteredAgents(data)
  const agents = await readAgents(read.written, () => (chosen ??= choose(building, true)), entered, known)
  const programs = agents.some(isProgram)
  const isolation = await choose(weakest, programs)
  if (programs) await requireToolchains(read.written.toolchains, isolation)
  const home = await openClassFolder(data)
  try {
    const contests = openContests(home)
    await reportRecovery(home, contests, options)
    const stage = { home, contests, agents, isolation, cores, early, olderNames: read.olderNames === true }
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

/** A stage with the agents of a contest file; null: an agent on another machine. */
interface FileStage extends Stage {
  readonly agents: readonly (FileAgent | null)[]
  /** As in `ReadContest`. */
  readonly olderNames: boolean
}

/**
 * Plays the next phases of a contest, until one waits for entries or for a phrase of the class. Reports the last one that
 * was played.
 */
async function playPhases(
  options: RunContestOptions,
  stage: FileStage,
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
    const stops = played.state === 'stopped' || options.finishing?.aborted === true
    if (stops || before.length === plan.length || waits) return { ...played, phases }
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
async function play(
  options: RunContestOptions,
  stage: FileStage,
  description: ContestDescription,
): Promise<ContestReport> {
  const { data } = options
  const { home, contests, agents } = stage
  const open = options.again === true ? undefined : contests.twin(description)
  if (options.again !== true && open === undefined) contests.checkNotRebuilt(description)
  const isNew = open === undefined && description.phase === undefined
  if (isNew && stage.olderNames) checkNewNames(description, 'A new contest')
  if (options.exportTo !== undefined) checkExportFolder(options.exportTo, home, description, open?.id ?? null)
  // Also when resuming: this restores texts that were lost.
  if (open !== undefined) await keepTexts(data, description)
  if (options.phrase !== undefined && open === undefined) throw earlyPhrase(description)
  const { id } =
    open ?? (await contests.add(description, { manifests: manifestsOf(description, agents, options.apart) }))
  if (options.phrase === undefined)
    checkPhrase(contests.entry(id), 'when the class has given a phrase, run the same command with --phrase TEXT')
  const warning = open === undefined && typeof options.contest === 'string' ? seedWarning(description.seed) : null
  const review = isNew && typeof options.contest === 'string' ? await reviewOfChallenge(description) : []
  return playContest(options, stage, id, () => {
    for (const line of review) options.onNotice(line)
    if (warning !== null) options.onNotice(warning)
  })
}

/** Why a phrase comes too early: a contest that could still be made to suit it is committed to nothing. */
function earlyPhrase({ classPhrase }: ContestDescription): ExpectedError {
  return classPhrase === true
    ? new ExpectedError(
        'usage',
        'phrase-too-early',
        'The class gives its phrase when entries are closed: run this once without --phrase, and show the class the commitment.',
      )
    : new ExpectedError(
        'usage',
        'phrase-not-expected',
        'This contest asks for no phrase of the class: "classPhrase": true in its file makes it ask for one.',
      )
}

/** A contest as the class keeps it. */
function descriptionOf(
  { written, config }: Pick<ReadContest, 'written' | 'config'>,
  entrants: ContestDescription['entrants'],
): ContestDescription {
  // `Json` is readonly and the schema's type is not; nothing modifies the value.
  return { ...written, config: config as ContestDescription['config'], entrants }
}
