import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { complaintSentence, parsePlainly } from '../../../contract/complaints.ts'
import { contestFile } from '../../../contract/contests/contests.ts'
import type { SecurityPolicy } from '../../../contract/contests/policy.ts'
import type { EntrantId, GameId } from '../../../contract/ids.ts'
import type { Json } from '../../../contract/json.ts'
import type { ClockMode, IsolationTier, Limits } from '../../../contract/limits.ts'
import { freeName, nameFrom, nameKey } from '../../../contract/names.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { checkEntrantNames, completeContest } from '../descriptions/contest-file.ts'
import { matchConditions } from '../descriptions/match-conditions.ts'
import { playContestFile } from './contest-command.ts'
import type { ContestReport } from './contest-report.ts'
import { seatReportsJob, type SeatReport } from './seat-reports.ts'
import { isolationWarning } from '../../machine/isolation.ts'
import { readText } from '../../machine/reading.ts'
import { checkOutFile, writeOutFile, type OutFile } from '../../files/output-file.ts'
import { allowedAddresses, changeAllowList } from '../../machine/web-addresses.ts'

export interface PlayMatchOptions {
  readonly game: GameId
  /** Files, or names of shipped agents such as `baby`; in seat order. */
  readonly agents: readonly string[]
  /** The names of the first agents; those of the others come from their files. */
  readonly names?: readonly EntrantId[]
  /** The game's settings; missing ones get their defaults. */
  readonly config: Json
  /** The data folder; only its class's own challenges and allowed addresses are used. */
  readonly data: string
  readonly seed: string
  /** Absent: as in contests that do not choose. */
  readonly limits?: Partial<Limits>
  /** Absent: as in contests that do not choose. */
  readonly clock?: ClockMode | undefined
  /** Absent: the default. */
  readonly policy?: SecurityPolicy
  /** The weakest isolation to accept. Absent: the agents are the person's own; see `isolationWarning`. */
  readonly isolation?: IsolationTier | undefined
  /** The file for the match's history. */
  readonly exportTo?: OutFile
  /** Keeps the match's history, instead of `exportTo`, and returns its file. */
  readonly keep?: (history: Uint8Array) => string
  readonly signal: AbortSignal
  onNotice(text: string): void
}

/** One match according to its history. */
export interface MatchReport {
  readonly game: GameId
  readonly seed: string
  readonly isolation: IsolationTier
  /** In seat order. */
  readonly seats: readonly SeatReport[]
  /** The exported history; null: none. */
  readonly file: string | null
}

/** Plays one match in a temporary folder. Throws ExpectedError like a contest. */
export async function playSingleMatch(options: PlayMatchOptions): Promise<MatchReport> {
  const { game, agents, seed, exportTo, keep } = options
  if (exportTo !== undefined) checkOutFile(exportTo)
  const names = namesOf(agents, options.names)
  const entrants = agents.map((agent, at) => ({ name: names[at]!, agent }))
  const contest = { what: 'The match', format: { type: 'single' }, cores: 1, consoles: 'all', entrants } as const
  return playApart({ ...options, ...contest }, async (report) => {
    const [history] = report.histories
    if (report.state === 'stopped')
      throw new ExpectedError('stopped', 'stopped', 'The match was stopped before its end.')
    if (history === undefined || !('file' in history))
      throw new ExpectedError(
        'host',
        'match-failed',
        'The match could not be played: every attempt failed because of a problem of this machine.',
      )
    const seats = await readText(seatReportsJob, history.file)
    if (exportTo !== undefined) writeOutFile(exportTo, await readFile(history.file))
    const file = keep === undefined ? (exportTo?.path ?? null) : keep(await readFile(history.file))
    return { game, seed, isolation: report.isolation, seats, file }
  })
}

/** Matches that belong to no class. */
export interface ApartOptions extends Omit<PlayMatchOptions, 'agents' | 'names' | 'exportTo' | 'keep'> {
  /** The subject of a sentence about the match. */
  readonly what: string
  readonly format: Json
  readonly entrants: readonly { readonly name: EntrantId; readonly agent: string }[]
  /** The number of match workers; absent: one per core. */
  readonly cores?: number
  readonly consoles?: 'all'
  /** The folder for all histories; absent: they are only there for `use`. */
  readonly historiesTo?: string
}

/**
 * Plays a contest of no class in a temporary folder, which is there until `use` of its report has ended. Throws ExpectedError
 * like a contest.
 */
export async function playApart<R>(options: ApartOptions, use: (report: ContestReport) => Promise<R>): Promise<R> {
  const { what, game, format, entrants, seed, policy, isolation = 'none', signal, cores, consoles } = options
  let told: IsolationTier | null = null
  const onHeld = (tier: IsolationTier): void => {
    const open = options.isolation === undefined && tier !== told ? isolationWarning(tier) : null
    told = tier
    if (open !== null) options.onNotice(open)
  }
  const written = parsePlainly(contestFile, {
    title: 'Match',
    game,
    format,
    seed,
    ...matchConditions(game, { ...options, isolation }),
    ...(policy && { policy }),
    entrants,
  })
  if (!written.ok)
    throw new ExpectedError(
      'usage',
      'settings-invalid',
      `${what} cannot be played: ${complaintSentence(written.complaint)}`,
    )
  const lower = `${what.charAt(0).toLowerCase()}${what.slice(1)}`
  checkEntrantNames(written.value, lower)
  const contest = await completeContest(written.value, '.', lower, options.data)
  const folder = await mkdtemp(join(tmpdir(), 'tartaglia-match-'))
  const data = join(folder, 'data')
  try {
    const allow = await allowedAddresses(options.data)
    if (allow.length > 0) await changeAllowList(data, { allow, forbid: [] })
    const report = await playContestFile({
      contest,
      data,
      apart: true,
      ...(cores === undefined ? {} : { cores }),
      exportTo: options.historiesTo ?? join(folder, 'export'),
      ...(consoles === undefined ? {} : { consoles }),
      signal,
      onNotice: (text) => options.onNotice(text),
      onHeld,
      onProgress: () => undefined,
    })
    return await use(report)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Pseudonyms from file names; duplicates are numbered. */
function namesOf(agents: readonly string[], given: readonly EntrantId[] = []): readonly EntrantId[] {
  const taken = new Set<string>()
  return agents.map((agent, at) => {
    const own = given[at] ?? nameFrom(basename(agent, extname(agent)))
    const name = freeName(own, (each) => taken.has(nameKey(each)))
    taken.add(nameKey(name))
    return name
  })
}
