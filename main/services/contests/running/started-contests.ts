import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import { expectedError } from '../../../administrator/procedures/call-error.ts'
import type { ContestId, EntrantId } from '../../../contract/ids.ts'
import type { IsolationTier } from '../../../contract/limits.ts'
import type { SeatTransport } from '../../../contract/players/seat-transport.ts'
import { NOTICES_MAX, type ContestProgress } from '../../../contract/procedures/procedures.ts'
import type { LiveMatches } from '../../matches/live-matches.ts'
import { openContestArena, type Arena, type ArenaPlan } from '../arena/network-contest.ts'
import type { ContestRun } from '../engine/contest-run.ts'
import type { Contests } from '../kept/class-contests.ts'
import { teamCredentials } from '../kept/registrations.ts'
import type { RunOptions } from '../kept/run-kept.ts'

// The contests that a runner has started: they wait for their agents, then in the queue, then they run, and leave.

/** The contests of a class, as far as a runner needs them. */
export type RunnableContests = Pick<
  Contests,
  | 'entry'
  | 'complete'
  | 'record'
  | 'matches'
  | 'counts'
  | 'hasPerson'
  | 'hasPrograms'
  | 'connects'
  | 'closeEntries'
  | 'givePhrase'
  | 'place'
  | 'keepGoing'
  | 'run'
  | 'settle'
>

export interface RunnerOptions {
  readonly home: { readonly content: Pick<ClassFolder['content'], 'contests'> }
  readonly contests: RunnableContests
  /** The number of match workers; default: one per core. */
  readonly workers?: number
  /** These two: see RunOptions. */
  readonly lanes?: number
  readonly launch?: NonNullable<RunOptions['launch']>
  /** Shows running contests on screens; absent: there are none, and nothing is read for them. */
  readonly live?: Pick<LiveMatches, 'runsInPlay'>
  /** True: contests that run when the runner is closed are started again by `resume` of the next one. */
  readonly resumes: boolean
  onChange(id: ContestId): void
  /** Called on unexpected errors. */
  onFatal(error: unknown): void
}

/** Follows one contest until it has stopped, as a command does. */
export interface ContestFollower {
  onNotice(text: string): void
  onProgress(progress: ContestProgress): void
  /**
   * Called when its matches have stopped and its arena is closed. A finished contest is marked as ended after that, so that
   * one that is killed before is resumed. If it rejects, the contest stays open.
   */
  onPlayed(run: ContestRun): Promise<void>
}

/** Matches played, and of how many. */
export type Played = Pick<ContestProgress, 'done' | 'total'>

/** A contest that was started. */
export interface Active {
  readonly id: ContestId
  readonly isolation: IsolationTier
  readonly follower: ContestFollower | null
  readonly stop: AbortController
  readonly finish: AbortController
  state: 'gathering' | 'queued' | 'running'
  /** At first as its histories have it, so that nobody who asks what runs has to wait for them. */
  progress: ContestProgress
  /** The arena for agents on other machines; null: there are no such agents, or it is not open. */
  arena: Arena | null
  /** null: its matches have not stopped yet, or it was stopped before they began. */
  run: ContestRun | null
  /** The error that stopped it; null: none has. */
  failure: { readonly error: unknown } | null
  /** Resolves when the contest has stopped; never rejects. */
  readonly ended: PromiseWithResolvers<void>
}

/** Counts since a runner was made. */
export interface RunnerTally {
  matchesFinished: number
  /** Attempts at matches that do not count. */
  attemptsVoid: number
  /** Contests that could not begin, or that an error stopped. */
  contestsFailed: number
}

/** The state of a runner. */
export interface Runner extends RunnerOptions {
  readonly workers: number
  /** All contests that were started, until everything of them has stopped. */
  readonly started: Set<Active>
  /** The running contest and those that wait, without matches with a person. */
  readonly queue: Active[]
  /** The newest messages about each contest, at most `NOTICES_MAX`. */
  readonly notices: Map<ContestId, string[]>
  /** Why contests stopped before their ends. */
  readonly failures: Map<ContestId, string>
  readonly tally: RunnerTally
  closed: boolean
}

/** Enters a contest among those that were started. */
export function begun(
  runner: Runner,
  given: Pick<Active, 'id' | 'state' | 'isolation' | 'follower'>,
  played: Played,
): Active {
  const active: Active = {
    ...given,
    stop: new AbortController(),
    finish: new AbortController(),
    progress: { ...played, msLeft: null },
    arena: null,
    run: null,
    failure: null,
    ended: Promise.withResolvers(),
  }
  runner.started.add(active)
  return active
}

export function activeOf(runner: Runner, id: ContestId): Active | undefined {
  return [...runner.started].find((each) => each.id === id)
}

/** Closes the entries of a contest (`Contests.closeEntries`), and says on its page whose newest version stays out. */
export async function closeEntriesOf(runner: Runner, id: ContestId, early: boolean): Promise<void> {
  for (const name of await runner.contests.closeEntries(id, { early })) note(runner, id, staysBehind(name))
}

export const staysBehind = (name: EntrantId): string =>
  `${name} plays with a former version: the newest one needs a toolchain that the contest does not offer, or is a script of another game.`

/** Keeps a message about a contest for its page. */
function note(runner: Runner, id: ContestId, text: string): void {
  const all = runner.notices.get(id) ?? []
  all.push(text)
  runner.notices.set(id, all.slice(-NOTICES_MAX))
}

/** Like `note`, for a message that also interests a follower: it is not about what the follower did itself. */
function tell(runner: Runner, { id, follower }: Active, text: string): void {
  note(runner, id, text)
  follower?.onNotice(text)
}

/** Keeps why a contest has stopped, or cannot be started. */
export function failed(runner: Runner, id: ContestId, error: unknown): void {
  const text = expectedError(error)?.message ?? 'It was stopped by an internal error.'
  runner.failures.set(id, text)
  runner.tally.contestsFailed += 1
  note(runner, id, text)
  runner.onChange(id)
}

/** Like `failed`, when no caller waits for the result. */
function broken(runner: Runner, active: Active, error: unknown): void {
  active.failure = { error }
  failed(runner, active.id, error)
  if (expectedError(error) === null) runner.onFatal(error)
}

/**
 * Plays the remaining matches of a contest, and marks one that is finished as ended. Never rejects: `failure` has the
 * error.
 */
export async function run(runner: Runner, active: Active, seatTransport?: SeatTransport): Promise<void> {
  try {
    const { state } = await played(runner, active, seatTransport)
    // One that was over has played matches again, as a ruling says.
    if (state === 'finished' && runner.contests.entry(active.id).state === 'open')
      await runner.contests.settle(active.id, 'ended')
  } catch (error) {
    broken(runner, active, error)
  }
}

async function played(runner: Runner, active: Active, seatTransport: SeatTransport | undefined): Promise<ContestRun> {
  const { id, stop, isolation, follower, arena } = active
  const { workers, lanes, launch, live } = runner
  active.run = await runner.contests.run(id, {
    workers,
    ...(lanes === undefined ? {} : { lanes }),
    ...(launch === undefined ? {} : { launch }),
    isolation,
    seatTransport,
    byteTransport: arena?.byteTransport,
    ...(live === undefined ? {} : { runsInPlay: live.runsInPlay(id) }),
    signal: stop.signal,
    finishing: active.finish.signal,
    onNotice: (text) => tell(runner, active, text),
    onVoid: () => void (runner.tally.attemptsVoid += 1),
    onProgress(progress) {
      runner.tally.matchesFinished += Math.max(0, progress.done - active.progress.done)
      active.progress = progress
      follower?.onProgress(progress)
      runner.onChange(id)
    },
  })
  if (follower !== null) {
    active.arena = null
    await arena?.close()
    await follower.onPlayed(active.run)
  }
  return active.run
}

/** Adds a contest to the queue. */
export function enter(runner: Runner, active: Active): void {
  active.state = 'queued'
  runner.queue.push(active)
  runner.onChange(active.id)
  next(runner)
}

/** Runs the first contest of the queue, unless it is running already. */
function next(runner: Runner): void {
  const [active] = runner.queue
  if (active === undefined || active.state === 'running' || runner.closed) return
  active.state = 'running'
  runner.onChange(active.id)
  void run(runner, active).then(() => leave(runner, active))
}

/** Ends everything of a contest that does not run any more, and lets the next one begin. */
export async function leave(runner: Runner, active: Active): Promise<void> {
  const at = runner.queue.indexOf(active)
  // While its arena closes the next contest may begin, but this one must not start again.
  if (at >= 0) runner.queue.splice(at, 1)
  next(runner)
  await active.arena?.close().catch(runner.onFatal)
  // Contests that are stopped with the classroom resume with it.
  if (runner.resumes && !runner.closed) await runner.contests.keepGoing(active.id, false).catch(runner.onFatal)
  runner.started.delete(active)
  active.ended.resolve()
  runner.onChange(active.id)
}

/** Stops a contest at once; resolves when nothing of it runs any more. */
export async function stopped(runner: Runner, active: Active): Promise<void> {
  active.stop.abort()
  if (active.state === 'queued') await leave(runner, active)
  await active.ended.promise
}

/** Stops a running contest when the matches that are being played are finished, and one that waits at once. */
export async function finish(runner: Runner, active: Active): Promise<void> {
  const { id } = active
  if (active.state !== 'running') return stopped(runner, active)
  active.finish.abort()
  note(runner, id, 'It stops when the matches that are being played are finished.')
  runner.onChange(id)
}

/**
 * Opens the arena of a contest that was just started. Resolves when it is open; the wait for its agents goes on in
 * the background.
 */
export async function gather(runner: Runner, active: Active, plan: ArenaPlan): Promise<void> {
  const { id, stop } = active
  runner.onChange(id)
  const hear = (text: string): void => {
    tell(runner, active, text)
    runner.onChange(id)
  }
  const opened = runner.contests
    .complete(id)
    .then((description) => openContestArena(description, plan, hear, teamCredentials(runner.contests.entry(id))))
  const arena = await opened.catch(async (error: unknown) => {
    failed(runner, id, error)
    await leave(runner, active)
    throw error
  })
  active.arena = arena
  runner.onChange(id)
  void arena
    .everybody(stop.signal)
    .then(() => (stop.signal.aborted ? leave(runner, active) : enter(runner, active)))
    .catch((error: unknown) => {
      broken(runner, active, error)
      return leave(runner, active)
    })
}
