import { keepTexts } from '../texts/kept-texts.ts'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { storedAgentFile, storeAgent } from '../../administrator/classroom/agents.ts'
import { openClassFolder } from '../../administrator/classroom/classroom.ts'
import type { ContestRun } from '../../administrator/contests/contest-run.ts'
import type { PlayedAgain } from '../../administrator/contests/replayed-sample.ts'
import { NETWORK } from '../../contract/agents.ts'
import { complaintSentence, parsePlainly } from '../../contract/complaints.ts'
import type { TargetingReport } from '../../contract/classroom.ts'
import type { ContestDescription, ContestFile } from '../../contract/contests.ts'
import type { ContestId, MatchNumber, Sha256 } from '../../contract/ids.ts'
import type { IsolationTier } from '../../contract/limits.ts'
import {
  bounty,
  isolationRefusal,
  policyOf,
  resultsCount,
  type Bounty,
  type SecurityPolicy,
} from '../../contract/policy.ts'
import type { ContestProgress, ContestTables, CountColumn, HeadToHead, StandingRow } from '../../contract/procedures.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Consoles } from '../../histories/export.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { openContests, type Contests, type Manifests } from './class-contests.ts'
import { matchCount } from '../../administrator/contests/schedule.ts'
import { readContest, type ReadContest } from './contest-file.ts'
import { existingClass, requireContest } from './existing-class.ts'
import { openExportFolder } from '../files/export-folder.ts'
import { LISTED_MAX, writeExports, type ExportedMatches } from '../histories/export-histories.ts'
import { chooseTier } from '../machine/isolation.ts'
import { checkArena, openContestArena, type ArenaOptions } from './network-contest.ts'
import { games } from '../../referees/games.ts'
import { readAgentFile, type PreparedAgent } from '../packages/prepare.ts'
import { startEarly, type EarlyWorkers } from '../machine/workers.ts'

export interface RunContestOptions {
  /** A contest file, `sample`, or a contest that has been read. */
  readonly contest: string | ReadContest
  /** The data folder. */
  readonly data: string
  /** Match workers; default: one a core. */
  readonly cores?: number
  /** A folder that gets one file a match. */
  readonly exportTo?: string
  /** Whose console lines the exported files show. Default: nobody's. */
  readonly consoles?: Consoles
  /** Begin anew even where the same contest lies unfinished. */
  readonly again?: boolean
  /** A match by itself, in no class: whose its agents are, and which policies they are meant for, keeps none of them out. */
  readonly apart?: boolean
  /** Consent to a weaker tier than the contest itself gives. */
  readonly isolation?: IsolationTier
  /** Told how the agents are held, before anything of theirs runs; more than once where something is built. */
  onHeld?(isolation: IsolationTier): void
  /** Where agents of other machines connect; wanted where the contest has some, and nowhere else. */
  readonly arena?: ArenaOptions
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
  /** Whether the results count; those of a practice contest never do. */
  readonly counts: boolean
  readonly matches: { readonly total: number; readonly played: number; readonly void: number }
  /** What playing a sample of the matches again in fresh processes has found; null: none was. */
  readonly playedAgain: PlayedAgain | null
  /** Whether agents treat others differently, where they must not; null: it was not looked at. */
  readonly targeting: TargetingReport | null
  readonly standings: readonly StandingRow[]
  readonly headToHead: HeadToHead
  /** What the game counts of outcomes, as columns of the standings. */
  readonly countColumns: readonly CountColumn[]
  /** What the format has beside the standings. */
  readonly tables: ContestTables
  /** Where each match's history is: an exported file, or its run in the contest's segments. Of very many the first alone. */
  readonly histories: readonly ({ readonly match: MatchNumber } & (
    { readonly file: string } | { readonly folder: string; readonly run: number }
  ))[]
  readonly data: string
  readonly resumed: boolean
}

/**
 * Runs a contest, or goes on with it where the data folder holds the very same one unfinished. Standings are computed from
 * the histories. Throws ExpectedError or MachineError, one sentence each.
 */
export async function playContestFile(options: RunContestOptions): Promise<ContestReport> {
  const cores = options.cores ?? availableParallelism()
  const workers = startEarly(cores)
  return run(options, cores, workers).finally(() => workers.close())
}

async function run(options: RunContestOptions, cores: number, early: EarlyWorkers): Promise<ContestReport> {
  const { data, signal } = options
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
  // Nothing is built in company.
  const building = weakest === 'shared' ? 'bubblewrap' : weakest
  const agents = await readAgents(read.written, () => (chosen ??= choose(building, true)))
  const isolation = await choose(weakest, agents.some(isProgram))
  const home = await openClassFolder(data)
  try {
    const contests = openContests(home)
    const description = await store(options, read, agents)
    const open = options.again === true ? undefined : contests.twin(description)
    if (options.exportTo !== undefined) {
      const owner = { contest: open?.id ?? null, key: home.key.publicKey }
      const total = matchCount(description, games.get(description.game)?.contests)
      openExportFolder(options.exportTo, owner, (match) => match < total)
    }
    // Also where it goes on: a text that was lost is here again.
    if (open !== undefined) await keepTexts(data, description.game, description.config)
    const { id } = open ?? (await contests.add(description, manifestsOf(description, agents, options.apart)))
    const arena = options.arena === undefined ? null : await openContestArena(description, options.arena, options)
    const played = await contests
      .run(id, {
        workers: cores,
        launch: () => early.launch(),
        isolation,
        byteTransport: arena?.byteTransport,
        signal,
        onNotice: (text) => options.onNotice(text),
        onProgress: (progress) => options.onProgress(progress),
      })
      .finally(() => arena?.close())
    const source = { contest: id, dir: contests.folder(id), finished: played.record.finished }
    const exported =
      options.exportTo === undefined
        ? null
        : await writeExports(source, home.key, options.exportTo, options.consoles ?? 'none')
    // Last of all: a run that was killed while it exported is gone on with, not begun anew.
    if (played.state === 'finished') await contests.settle(id, 'ended')
    const { targeting = null } = contests.entry(id)
    const countColumns = contests.countColumns(id)
    const folder = contests.folder(id)
    return report(data, { id, folder, description, countColumns, isolation, run: played, exported, targeting })
  } finally {
    await home.close()
  }
}

/** A contest in a list. */
export interface ListedContest {
  readonly contest: ContestId
  readonly title: string
  readonly state: 'open' | 'ended' | 'cancelled'
  readonly entrants: number
  readonly policy: SecurityPolicy
  readonly bounties: readonly Bounty[]
}

/** All contests of a data folder, oldest first. Changes nothing. Throws ExpectedError 'usage' where there is no such folder. */
export async function listContests(data: string): Promise<readonly ListedContest[]> {
  const { contests } = await existingClass(data)
  return contests.map(({ id, state, description, bounties = [] }) => {
    const { title, entrants } = description
    return { contest: id, title, state, entrants: entrants.length, policy: policyOf(description), bounties }
  })
}

/**
 * Notes a bounty, outside the ledger of any match, for an agent that has found the administrator wanting. Throws ExpectedError 'usage'
 * where that is not allowed in the contest.
 */
export function awardBounty(data: string, contest: string, awarded: Bounty): Promise<void> {
  const read = parsePlainly(bounty, awarded)
  if (!read.ok) throw new ExpectedError('usage', `The bounty: ${complaintSentence(read.complaint)}`)
  return change(data, contest, (contests) => contests.award(contest, read.value))
}

/** Gives an open contest up: it will not go on, what was played stays. */
export function cancelContest(data: string, contest: string): Promise<void> {
  return change(data, contest, (contests) => contests.settle(contest, 'cancelled'))
}

async function change(data: string, contest: string, how: (contests: Contests) => Promise<void>): Promise<void> {
  // Taking the folder would make it, and its key.
  await requireContest(data, contest)
  const home = await openClassFolder(data)
  try {
    await how(openContests(home))
  } finally {
    await home.close()
  }
}

interface Ended {
  readonly id: ContestId
  readonly folder: string
  readonly description: ContestDescription
  readonly countColumns: readonly CountColumn[]
  readonly isolation: IsolationTier
  readonly run: ContestRun
  /** null: nothing was to be exported. */
  readonly exported: ExportedMatches | null
  readonly targeting: TargetingReport | null
}

function report(data: string, ended: Ended): ContestReport {
  const { id, folder, description, countColumns, isolation, run, exported, targeting } = ended
  const { record } = run
  const { rows, total: played } = record.finished.page({ offset: 0, limit: LISTED_MAX })
  return {
    contest: id,
    title: description.title,
    seed: description.seed,
    state: run.state,
    isolation,
    policy: policyOf(description),
    counts: resultsCount(policyOf(description)),
    matches: { total: record.total, played, void: record.voided.length },
    playedAgain: run.playedAgain,
    targeting,
    standings: record.standings(),
    headToHead: record.headToHead(),
    countColumns,
    tables: record.tables(),
    histories: rows.map(({ match, run: number }) => {
      const file = exported?.files.get(match)
      return file === undefined ? { match, folder, run: number } : { match, file }
    }),
    data,
    resumed: run.resumed,
  }
}

/**
 * The agents, before anything is written: one that cannot be read costs nothing. A file is read once, and one is made at a time.
 * null: it is on another machine.
 */
async function readAgents(
  { entrants, game }: ContestFile,
  isolation: () => Promise<IsolationTier>,
): Promise<readonly (PreparedAgent | null)[]> {
  const read = new Map<string, PreparedAgent>()
  const agents: (PreparedAgent | null)[] = []
  for (const { name, agent: file } of entrants) {
    if (file === undefined) {
      agents.push(null)
      continue
    }
    const agent =
      read.get(file) ??
      (await readAgentFile(file, { game, isolation }).catch((error: unknown) => {
        throw error instanceof ExpectedError
          ? new ExpectedError(error.kind, `Entrant "${name}": ${error.message}`)
          : error
      }))
    read.set(file, agent)
    agents.push(agent)
  }
  return agents
}

const isProgram = (prepared: PreparedAgent | null): boolean => prepared?.agent.kind === 'program'

function manifestsOf(
  { entrants }: ContestDescription,
  agents: readonly (PreparedAgent | null)[],
  apart = false,
): Manifests {
  return new Map(
    entrants.flatMap(({ agent }, at) => {
      const manifest = agents[at]?.manifest
      if (manifest === undefined) return []
      return [[agent, apart ? { ...manifest, team: undefined, policies: undefined } : manifest]]
    }),
  )
}

/** Stores the agents; gives the contest as it is kept. */
async function store(
  { data, onNotice }: RunContestOptions,
  { written, config }: ReadContest,
  agents: readonly (PreparedAgent | null)[],
): Promise<ContestDescription> {
  const hashes: Sha256[] = []
  for (const prepared of agents) {
    if (prepared === null) {
      hashes.push(NETWORK)
      continue
    }
    const { agent: code, source } = prepared
    const { agent, restored } = await storeAgent(data, code, source).catch((error: unknown) => {
      throw machineErrorFrom(error, 'store an agent in', join(data, 'agents'))
    })
    if (restored) {
      onNotice(`${storedAgentFile(data, agent, code.kind)} had been changed since it was handed in; it was put back.`)
    }
    hashes.push(agent)
  }
  const entrants = written.entrants.map(({ name }, at) => ({ name, agent: hashes[at]! }))
  // A Json of ours is read-only, one of zod's is not; nothing writes in it.
  return { ...written, config: config as ContestDescription['config'], entrants }
}
