import { runContest, UnknownDecisions, type ContestRun } from '../engine/contest-run.ts'
import type { ContestRecord } from '../standings/contest-record.ts'
import type { RunsInPlay } from '../../../contract/game/live-match.ts'
import type { WorkerProcess } from '../../machine/worker-process.ts'
import type { ContestId, MatchNumber } from '../../../contract/ids.ts'
import type { IsolationTier } from '../../../contract/limits.ts'
import type { ByteTransport, SeatTransport } from '../../../contract/players/seat-transport.ts'
import type { ContestProgress } from '../../../contract/procedures/procedures.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { loadAgents } from '../../packages/codes.ts'
import { games } from '../../../referees/games.ts'
import { workersAtATime } from '../../machine/workers.ts'
import { compareMatches } from '../results/compared-matches.ts'
import { targetingReport, reportsTargeting } from '../results/targeting.ts'
import { checkPhrase, configsOf, editEntry, entryOf, folderOf, type KeptContests } from './kept-entries.ts'

export interface RunOptions {
  /** Match workers. */
  readonly workers: number
  /** Matches that each worker plays at a time; absent: as many as is best for the game. */
  readonly lanes?: number
  /** If absent, each worker is started when it is needed. */
  readonly launch?: () => WorkerProcess
  /** The isolation tier of the agents; it must be available on this machine. */
  readonly isolation: IsolationTier
  /** For contests with a person. */
  readonly seatTransport?: SeatTransport | undefined
  /** For contests with agents on other machines. */
  readonly byteTransport?: ByteTransport | undefined
  /** For those who watch its matches; absent: nobody does. */
  readonly runsInPlay?: RunsInPlay
  readonly signal: AbortSignal
  /** Stops the contest when the matches that are being played are finished. */
  readonly finishing?: AbortSignal
  onNotice(text: string): void
  onProgress(progress: ContestProgress): void
  /** Called for each attempt at a match that does not count. */
  onVoid?(): void
}

/** Plays the remaining matches of a kept contest, and keeps what is found out about them; see `Contests.run`. */
export async function runKept(kept: KeptContests, id: ContestId, options: RunOptions): Promise<ContestRun> {
  await kept.deciding.get(id)
  try {
    return await runOnce(kept, id, options)
  } catch (error) {
    if (!(error instanceof UnknownDecisions)) throw error
    // Reading the histories makes the class know them.
    kept.records.forget(id)
    await kept.records.get(id)
    return runOnce(kept, id, options)
  }
}

async function runOnce(kept: KeptContests, id: ContestId, options: RunOptions): Promise<ContestRun> {
  checkPhrase(entryOf(kept, id))
  const { description, nonce, phrase, seeds = 'sha256', decisions, rerun: repeated, state } = entryOf(kept, id)
  const { isolation, workers, signal } = options
  const pace = createPace()
  const { config, variants } = await configsOf(kept, id)
  const game = games.get(description.game)
  const agents = await loadAgents(kept.home.folder, description, kept.home.content.settings.webAddresses)
  const run = runContest({
    folder: folderOf(kept, id),
    contest: id,
    description,
    nonce,
    phrase,
    seeds,
    decisions,
    wasOver: state === 'ended',
    ...(repeated === undefined || decisions === undefined
      ? {}
      : { isBefore: await beforeDecisions(kept, repeated.of) }),
    contests: game?.contests,
    config,
    variants,
    isolation,
    key: kept.home.key,
    workers,
    lanes: options.lanes ?? game?.matches.lanes ?? 1,
    repeatable: description.clock === 'frozen' && game?.matches.timed(config) === false,
    agents: agents.codes,
    launch: options.launch ?? workersAtATime(workers),
    seatTransport: options.seatTransport,
    byteTransport: options.byteTransport,
    runsInPlay: options.runsInPlay,
    signal,
    finishing: options.finishing,
    onNotice: (text) => options.onNotice(text),
    onVoid: () => options.onVoid?.(),
    onProgress(record) {
      kept.records.live(id, record)
      options.onProgress(pace(record))
    },
  })
  let isFinished = false
  const ended = await run
    .then((result) => {
      isFinished = result.state === 'finished'
      return result
    })
    .finally(async () => {
      kept.records.rest(id)
      // The histories may have a match more than the record: one that was written when the run was stopped.
      if (!isFinished) kept.records.forget(id)
      await agents.remove()
    })
  const { playedAgain } = ended
  if (playedAgain !== null) {
    await editEntry(kept, id, (found) => {
      found.playedAgain = { ...playedAgain, different: [...playedAgain.different] }
    })
  }
  const { rerun } = entryOf(kept, id)
  if (rerun !== undefined && ended.state === 'finished') {
    const first = { folder: folderOf(kept, rerun.of), record: await kept.records.get(rerun.of) }
    const { matches, different } = await compareMatches(first, { folder: folderOf(kept, id), record: ended.record })
    await editEntry(
      kept,
      id,
      (found) => void (found.rerun = { ...rerun, compared: { matches, different: [...different] } }),
    )
  }
  if (ended.state === 'finished' && reportsTargeting(description)) {
    const read = { game: description.game, folder: folderOf(kept, id), record: ended.record, config }
    const targeting = await targetingReport(read, signal).catch((error: unknown) => {
      if (!(error instanceof ExpectedError)) throw error
      options.onNotice(error.message)
      return null
    })
    if (targeting !== null) {
      await editEntry(kept, id, (found) => void (found.targeting = targeting))
    }
  }
  return ended
}

/** The matches that were over before each decision about a contest was made, by its histories. */
export async function beforeDecisions(kept: KeptContests, id: ContestId): Promise<ReturnType<typeof isBeforeIn>> {
  // The record of a run has no places of the decisions that it wrote.
  kept.records.forget(id)
  return isBeforeIn(await kept.records.get(id))
}

/**
 * Tells whether a match was over before a decision, by its index, in a contest with this record, which a scan has made. A
 * void match counts as over if a later stage had begun.
 */
export function isBeforeIn({
  finished,
  decidedAt,
  decisions,
  voided,
  placeOf,
}: Pick<ContestRecord, 'finished' | 'decidedAt' | 'decisions' | 'voided' | 'placeOf'>): (
  decision: number,
  match: MatchNumber,
) => boolean {
  const voids = new Set(voided)
  return (decision, match) => {
    const run = finished.get(match)
    // Histories are not searched for the place where it became void.
    if (run === undefined) return voids.has(match) && placeOf(match).stage + 1 < (decisions[decision]?.stage ?? 0)
    const at = decidedAt[decision]
    // A decision that did not reach the histories was the last thing that happened.
    if (at === undefined) return true
    return run.to.segment < at.segment || (run.to.segment === at.segment && run.to.byte <= at.byte)
  }
}

/** Adds the remaining time to progress, estimated from the pace of this run alone. */
function createPace(): (record: ContestRecord) => ContestProgress {
  let first: { readonly done: number; readonly at: number } | null = null
  return ({ done, total }) => {
    const at = performance.now()
    first ??= { done, at }
    const pace = (at - first.at) / (done - first.done)
    return { done, total, msLeft: Number.isFinite(pace) ? Math.round(pace * (total - done)) : null }
  }
}
