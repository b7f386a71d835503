import { NETWORK } from '../../../contract/players/agents.ts'
import type { GameContests } from '../../../contract/contests/contest-format.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import type { PlacedDecision } from '../../../contract/contests/decisions.ts'
import type { SeedDerivation } from '../../../contract/histories/history.ts'
import type { ContestId, MatchNumber, Sha256 } from '../../../contract/ids.ts'
import type { Json } from '../../../contract/json.ts'
import type { IsolationTier } from '../../../contract/limits.ts'
import type { ByteTransport, SeatTransport } from '../../../contract/players/seat-transport.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { hashOf } from '../../../histories/canonical.ts'
import type { SigningKey } from '../../../histories/keys.ts'
import { newNonce } from '../../../histories/nonce.ts'
import { seedCommitment } from '../../../histories/derived-seeds.ts'
import { endingInHistory } from '../../../histories/match-ending.ts'
import { openSegments, type SegmentWriter } from '../../../histories/segments/writer.ts'
import type { VoidedRun } from '../../../histories/segments/run-index.ts'
import { isRemote, isScript, type AgentCode, type ContestSetup, type MatchConfig } from '../../../worker/protocol.ts'
import { playMatches } from './engine.ts'
import type { RunsInPlay } from '../../../contract/game/live-match.ts'
import { createRecord, type ContestRecord } from '../standings/contest-record.ts'
import { createComparison, differenceSentence, sampleOf, type Comparison, type PlayedAgain } from './replayed-sample.ts'
import { withMixedSeed } from '../../../histories/seed-commitment.ts'
import { matchSeed, scheduleFault, tableSize } from '../schedule/schedule.ts'
import type { Schedule, ScheduledMatch } from '../schedule/scheduled-match.ts'
import type { Ticket, Tickets } from './ticket.ts'
import type { WorkerProcess } from '../../machine/worker-process.ts'

export interface ContestRunOptions {
  /** The contest's own folder, inside a data folder that this process has locked. */
  readonly folder: string
  readonly contest: ContestId
  readonly description: ContestDescription
  /** Commits to the seed in the published description, which stays secret until the educator reveals both. */
  readonly nonce: Sha256
  /** The phrase of the class, with which the seed is mixed; absent: it is not. */
  readonly phrase?: string | undefined
  readonly seeds: SeedDerivation
  /** The educator's decisions, those of the histories first; the others are written there when their place is reached. */
  readonly decisions?: readonly PlacedDecision[] | undefined
  /**
   * True for a match that must be over before a decision, by its index, holds; see `addRerun`. Absent: decisions that are
   * not in the histories yet hold at once.
   */
  readonly isBefore?: ((decision: number, match: MatchNumber) => boolean) | undefined
  /** The contest was over before: nothing of its schedule is played again as a sample. Absent: it was not. */
  readonly wasOver?: boolean | undefined
  /** The game's contest settings; absent: the defaults. */
  readonly contests?: GameContests | undefined
  /** The description's config with the game's defaults filled in. */
  readonly config: Json
  /** The complete configs of the format's variants, in their order; absent: it has none. */
  readonly variants?: readonly Json[]
  /** The tier to use, available on this machine. */
  readonly isolation: IsolationTier
  readonly key: SigningKey
  readonly workers: number
  /** Matches that each worker plays at a time: more than one is faster for very short matches. */
  readonly lanes: number
  /** True if equal seeds and equal agents give equal matches: a sample is then played again. */
  readonly repeatable: boolean
  /** Every agent of the description. */
  readonly agents: ReadonlyMap<Sha256, AgentCode>
  launch(): WorkerProcess
  /** For a remote player, if there is one. */
  readonly seatTransport?: SeatTransport | undefined
  /** For agents on other machines, if there are any. */
  readonly byteTransport?: ByteTransport | undefined
  /** Follows the matches that are being played; absent: nobody can. */
  readonly runsInPlay?: RunsInPlay | undefined
  readonly signal: AbortSignal
  /** Stops the contest when the matches that are being played are finished. Absent: never. */
  readonly finishing?: AbortSignal | undefined
  /** A message for the educator, in one sentence. */
  onNotice(text: string): void
  /** Called with the current record at the start and whenever a match has ended. */
  onProgress(record: ContestRecord): void
  /** Called for each attempt at a match that does not count. */
  onVoid?(): void
}

/** The result of a run. */
export interface ContestRun {
  readonly state: 'finished' | 'stopped'
  readonly record: ContestRecord
  /** True if an earlier run had recorded anything. */
  readonly resumed: boolean
  /** null: the contest is not finished, or nothing can be compared. */
  readonly playedAgain: PlayedAgain | null
}

/** A contest that is being run. */
interface Running {
  readonly options: ContestRunOptions
  /** With the seed from which its matches follow. */
  readonly description: ContestDescription
  readonly setup: ContestSetup
  readonly record: ContestRecord
  readonly writer: SegmentWriter
  /** The sample that is played again. */
  readonly comparison: Comparison
  /** The number of entrants that are scripts. */
  readonly scripts: number
  nextRun: number
}

/**
 * Plays the remaining matches of a contest: all of them, or those that an earlier run, even a killed one, has not
 * finished. Every scheduled match is counted once. Throws ExpectedError if the description has no schedule or the
 * histories are damaged (they are then left unchanged), and MachineError if the disk fails.
 */
export async function runContest(options: ContestRunOptions): Promise<ContestRun> {
  const { contest, contests, config, decisions = [], variants = [] } = options
  const description = withMixedSeed(options.description, options.phrase)
  const fault = scheduleFault(description, contests)
  if (fault !== null) throw new ExpectedError('usage', 'schedule-invalid', fault)
  const published = publishedDescription(options)
  const record = createRecord(description, contests, decisions)
  const opened = await openSegments({
    dir: options.folder,
    contest,
    key: options.key,
    // Two variants may be equal.
    blobs: [...new Map([published, config, ...variants].map((blob) => [hashOf(blob), blob])).values()],
    keeper: record,
  })
  if (!opened.ok)
    throw new ExpectedError(
      'verdict',
      'history-damaged',
      `${opened.damage.message} Nothing was changed; the contest cannot be resumed.`,
    )
  const { scan, writer } = opened
  if (record.unknown.length > 0) {
    await writer.close()
    throw new UnknownDecisions(contest)
  }
  for (const repair of scan.repairs) options.onNotice(repair)
  options.onProgress(record)
  const running: Running = {
    options,
    description,
    setup: setupOf(options, hashOf(published)),
    record,
    writer,
    comparison: createComparison(),
    scripts: description.entrants.filter(({ agent }) => isScript(options.agents.get(agent))).length,
    nextRun: scan.nextRun,
  }
  try {
    await playAll(running)
  } finally {
    await writer.close()
  }
  return { ...(await resultOf(running)), resumed: scan.nextSegment > 1 }
}

/** Thrown if the histories of a contest hold decisions of the educator that its caller did not know. */
export class UnknownDecisions extends Error {
  constructor(contest: ContestId) {
    super(`the histories of ${contest} hold decisions that the class does not`)
  }
}

/** Plays all stages, and the matches before each decision that does not hold yet. */
async function playAll(running: Running): Promise<void> {
  const { options, record, writer } = running
  const { isBefore } = options
  for (;;) {
    const [next] = record.pending()
    const number = record.decisions.length
    const isWanted = (match: MatchNumber): boolean => next === undefined || isBefore?.(number, match) === true
    if (next === undefined || isBefore !== undefined) {
      for (let index = 0; !isStopped(options); index++) {
        const stage = record.stage(index)
        if (stage === null) break
        await play(running, stage, isWanted, options.wasOver !== true)
      }
    }
    if (next === undefined && !isStopped(options)) {
      const replays = record.replays()
      if (replays !== null) await play(running, replays, isWanted, false)
    }
    if (next === undefined || isStopped(options)) return
    if (isBefore !== undefined && !record.isAtPlace(next))
      throw new ExpectedError(
        'verdict',
        'repetition-differs',
        `The contest ${options.contest} went differently before decision ${number + 1} of the educator than the one that it repeats. Accept that, and it goes on without the decisions that are left, or cancel it.`,
      )
    await writeDecision(record, writer, next)
    options.onProgress(record)
  }
}

/** Writes a decision to the histories and lets it hold. Throws like `ContestRecord.decide`; nothing is written then. */
export async function writeDecision(
  record: ContestRecord,
  writer: SegmentWriter,
  placed: PlacedDecision,
): Promise<void> {
  record.checkPlace(placed)
  writer.decide(placed)
  await writer.commit()
  record.decide(placed)
}

/** The result when everything is on disk, with the comparison of the sample. */
async function resultOf({ options, record, comparison }: Running): Promise<Omit<ContestRun, 'resumed'>> {
  const finished = record.done === record.total && (!isStopped(options) || comparison.open === 0)
  const firstTime = async (match: MatchNumber) => {
    const row = record.finished.get(match)
    return row === undefined ? null : endingInHistory(options.folder, row)
  }
  const playedAgain = finished && comparison.size > 0 ? await comparison.result(firstTime) : null
  for (const sentence of differencesIn(playedAgain)) options.onNotice(sentence)
  return { state: finished ? 'finished' : 'stopped', record, playedAgain }
}

const isStopped = ({ signal, finishing }: Pick<ContestRunOptions, 'signal' | 'finishing'>): boolean =>
  signal.aborted || finishing?.aborted === true

/** True if only scripts play: a program has its own clock and randomness, so its matches are not repeatable. */
function isOfScripts({ options, description }: Running, { entrants }: ScheduledMatch): boolean {
  return entrants.every((entrant) => isScript(options.agents.get(description.entrants[entrant]!.agent)))
}

function ticketOf({ options, description, record }: Running, scheduled: ScheduledMatch): Ticket {
  const entrants = scheduled.entrants.map((entrant) => description.entrants[entrant]!)
  const isNoRetry = entrants.some(({ agent }) => isRemote(options.agents.get(agent)))
  const engaged = entrants.flatMap(({ name, agent }) => (agent === NETWORK ? name : []))
  return {
    ...matchTicket(description, options.seeds, scheduled, record.attempts(scheduled.match)),
    ...(isNoRetry ? { noRetry: true } : {}),
    ...(engaged.length === 0 ? {} : { engaged }),
  }
}

/** Indices of the matches of a stage that are played again, without those of earlier calls. */
function sampled(running: Running, stage: Schedule, isWanted: (match: MatchNumber) => boolean): Uint32Array {
  const { options, description, scripts, record, comparison } = running
  // The contents of a shared folder depend on which agent wrote first.
  if (!options.repeatable || options.isolation === 'shared' || scripts < tableSize(description, options.contests))
    return new Uint32Array()
  const all = scripts === description.entrants.length
  const sample = sampleOf(description, stage.length, (index) => {
    const match = stage.first + index
    if (record.isUnplayed(match) || !isWanted(match)) return false
    return all || isOfScripts(running, stage.at(index))
  })
  // A stage is played in parts if decisions were made during it.
  return sample.filter((index) => !comparison.expects(stage.first + index))
}

/** Plays the matches of a stage. `isSampled`: a sample of them is played again. */
async function play(
  running: Running,
  stage: Schedule,
  isWanted: (match: MatchNumber) => boolean,
  isSampled: boolean,
): Promise<void> {
  const { options, description, record, writer, comparison } = running
  const { seatTransport, byteTransport, runsInPlay } = options
  const sample = isSampled ? sampled(running, stage, isWanted) : new Uint32Array()
  comparison.expect(sample.map((index) => stage.first + index))
  await playMatches({
    setup: running.setup,
    tickets: ticketsOf(stage, sample, {
      first(index) {
        const match = stage.first + index
        return record.isDone(match) || !isWanted(match) ? undefined : ticketOf(running, stage.at(index))
      },
      replayed: (index) => ({ ...matchTicket(description, options.seeds, stage.at(index), 0), isReplay: true }),
    }),
    workers: options.workers,
    agents: options.agents,
    launch: () => options.launch(),
    openRun: () => ({ run: running.nextRun++, nonce: newNonce() }),
    append: (text, run) => writer.append(text, run),
    commit: () => writer.commit(),
    onFinished(finished) {
      const extent = writer.extent(finished.run)
      if (extent === null) throw new Error(`match ${finished.match} was reported finished and is not on disk`)
      record.finish({ ...finished, ...extent })
      options.onProgress(record)
    },
    onReplayed: (finished) => comparison.add(finished.match, finished),
    onVoid({ match, attempt }, reason) {
      options.onNotice(voidedAttemptSentence({ match, attempt, reason }))
      record.voidAttempt({ match, attempt, reason })
      options.onVoid?.()
      options.onProgress(record)
    },
    ...(seatTransport === undefined ? {} : { seatTransport }),
    ...(byteTransport === undefined ? {} : { byteTransport }),
    ...(runsInPlay === undefined ? {} : { runsInPlay }),
    signal: options.signal,
    finishing: options.finishing,
  })
}

/**
 * The tickets of a stage, with those of its sample in the middle: at the end, one of them could keep one core busy
 * while the others are idle.
 */
function ticketsOf(
  stage: Schedule,
  sample: Uint32Array,
  make: { first(index: number): Ticket | undefined; replayed(index: number): Ticket },
): Tickets {
  const half = stage.length >> 1
  return {
    length: stage.length + sample.length,
    at(index) {
      if (index < half) return make.first(index)
      return index < half + sample.length ? make.replayed(sample[index - half]!) : make.first(index - sample.length)
    },
  }
}

/** Messages for the educator, limited in number. */
function differencesIn(playedAgain: PlayedAgain | null): readonly string[] {
  const { different } = playedAgain ?? { different: [] }
  const sentences = different.slice(0, DIFFERENCES_TOLD).map(differenceSentence)
  const others = different.length - sentences.length
  return others === 0 ? sentences : [...sentences, `${others} more matches went differently.`]
}

/** Maximum number of messages about single matches of the sample. */
const DIFFERENCES_TOLD = 100

/** A message for the educator. */
export function voidedAttemptSentence({
  match,
  attempt,
  reason,
}: Pick<VoidedRun, 'match' | 'attempt' | 'reason'>): string {
  return `Match ${match}, attempt ${attempt}, does not count: ${reason}`
}

/**
 * The description as published in histories: the config by its hash, because it is a separate blob, the seed as the
 * commitment to it, because it determines all later matches, the phrase of the class, and the educator's decisions.
 */
export function publishedDescription({
  description,
  config,
  nonce,
  phrase,
  decisions = [],
}: Pick<ContestRunOptions, 'description' | 'config' | 'nonce' | 'phrase' | 'decisions'>): Json {
  const committed = { ...description, config: hashOf(config), seed: seedCommitment(nonce, description) }
  const published = decisions.length === 0 ? committed : { ...committed, decisions }
  return phrase === undefined ? published : { ...published, phrase }
}

function setupOf(options: ContestRunOptions, contestHash: Sha256): ContestSetup {
  const { contest, description, seeds, isolation, lanes } = options
  const { game, limits, clock } = description
  const [own, ...variants] = [options.config, ...(options.variants ?? [])].map(hashed)
  return { contest, contestHash, ...own!, variants, game, limits, isolation, clock, seeds, lanes }
}

const hashed = (config: Json): MatchConfig => ({ config, configHash: hashOf(config) })

function matchTicket(
  description: ContestDescription,
  seeds: SeedDerivation,
  scheduled: ScheduledMatch,
  voided: number,
): Ticket {
  const { match, entrants, variant } = scheduled
  return {
    match,
    variant,
    attempt: voided + 1,
    seed: matchSeed(description.seed, scheduled, seeds),
    entrants: entrants.map((entrant) => {
      const { name, agent } = description.entrants[entrant]!
      return { name, agent }
    }),
  }
}
