import { availableParallelism } from 'node:os'
import type { ArenaPlace, OpenArena } from '../../../contract/players/arena.ts'
import type { ContestId } from '../../../contract/ids.ts'
import type { IsolationTier } from '../../../contract/limits.ts'
import type { SeatTransport } from '../../../contract/players/seat-transport.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { ignoreExpectedErrors } from '../../ignore-expected-errors.ts'
import { tierForContest } from '../../machine/toolchains.ts'
import { placeOf, planAt, type ArenaPlan } from '../arena/network-contest.ts'
import type { ContestRun } from '../engine/contest-run.ts'
import type { Contests } from '../kept/class-contests.ts'
import { checkPhrase } from '../kept/kept-entries.ts'
import {
  activeOf,
  begun,
  closeEntriesOf,
  enter,
  failed,
  finish,
  gather,
  leave,
  run,
  stopped,
  type Active,
  type ContestFollower,
  type Played,
  type Runner,
  type RunnerOptions,
  type RunnerTally,
} from './started-contests.ts'

/**
 * Runs the contests of an open data folder, for screens and for the command line: one at a time on all cores; the others
 * wait in the order in which they were started. A contest that waits for agents on other machines does not block others;
 * it joins the queue when all agents have signed in.
 */
export interface ContestRunner {
  /**
   * Starts or resumes an open contest, or adds it to the queue; if agents on other machines play, its arena is open
   * when this resolves. Throws ExpectedError 'usage' if the contest cannot be started, 'host' if the required isolation
   * or a port is not available.
   */
  start(id: ContestId, given?: StartOptions): Promise<StartedContest>
  /**
   * Plays a contest of one match with a person at once, beside the queue, so that nobody waits. Resolves when it is
   * over: null, or the reason why there is no result; the contest is then cancelled. `isolation`: the tier of its
   * agents. Throws ExpectedError 'usage' if the contest cannot be started.
   */
  play(id: ContestId, isolation: IsolationTier, seatTransport: SeatTransport): Promise<string | null>
  /**
   * Returns the credentials of a contest whose arena is open, once. Throws ExpectedError 'usage' if there are none or
   * they have been returned before.
   */
  credentials(id: ContestId): OpenArena
  /**
   * Stops a contest that is running or waiting; resolves when nothing of it runs any more. Matches that were played
   * remain.
   */
  pause(id: ContestId): Promise<void>
  /**
   * Begins no more matches of a running contest, which stops when those that are being played are finished; returns at
   * once. One that waits stops at once. Throws ExpectedError 'usage' if the contest is not running.
   */
  finish(id: ContestId): Promise<void>
  /** Closes the entries of a contest, also before their deadline. Throws like `Contests.closeEntries`. */
  closeEntries(id: ContestId): Promise<void>
  /** Cancels an open contest permanently. */
  cancel(id: ContestId): Promise<void>
  /** The contests that are running or waiting. */
  started(): readonly ContestId[]
  /** A contest that is running or waiting; null: it is neither. */
  now(id: ContestId): Pick<Active, 'state' | 'progress' | 'isolation' | 'arena'> | null
  /** The newest messages about a contest since the runner was opened. */
  notices(id: ContestId): readonly string[]
  /** Why a contest stopped before its end since the runner was opened; null: it did not. */
  failure(id: ContestId): string | null
  /** Counts since the runner was made. */
  tally(): Readonly<RunnerTally>
  /** Resolves when no contest is running or waiting. */
  idle(): Promise<void>
  /** Restarts the contests that ran or were queued when the classroom was closed; one that cannot be started reports why. */
  resume(): Promise<void>
  /** Stops all contests and resolves when nothing runs any more. */
  close(): Promise<void>
}

/** How one contest is started. */
export interface StartOptions {
  /** The arena's new place, which the class keeps. */
  readonly place?: ArenaPlace
  /** The arena of this run alone; absent: at the place that the class keeps. */
  readonly arena?: ArenaPlan
  /** The phrase of the class, if the contest asks for one. */
  readonly phrase?: string
  /** The tier of its agents, available on this machine; absent: the strongest one, if the contest accepts it. */
  readonly isolation?: IsolationTier
  /** Stops it like `pause`. */
  readonly signal?: AbortSignal
  /** Stops it like `finish`. */
  readonly finishing?: AbortSignal
  readonly follower?: ContestFollower
}

/** A contest that was started. */
export interface StartedContest {
  /**
   * Resolves when the contest has stopped, with its run; null: it was stopped while it waited. Rejects with the error
   * that stopped it.
   */
  ended(): Promise<ContestRun | null>
}

export function createContestRunner(options: RunnerOptions): ContestRunner {
  const { home } = options
  const runner: Runner = {
    ...options,
    workers: options.workers ?? availableParallelism(),
    started: new Set(),
    queue: [],
    notices: new Map(),
    failures: new Map(),
    tally: { matchesFinished: 0, attemptsVoid: 0, contestsFailed: 0 },
    closed: false,
  }
  const { queue, started } = runner
  return {
    start: (id, given) => start(runner, id, given),
    play: (id, isolation, seatTransport) => playWithPerson(runner, id, isolation, seatTransport),
    credentials: (id) => takeCredentials(runner, id),
    pause: async (id) => stopped(runner, startedOne(runner, id)),
    finish: async (id) => finish(runner, startedOne(runner, id)),
    closeEntries: (id) => closeEntriesOf(runner, id, true),
    cancel: (id) => cancel(runner, id),
    started: () => [...new Set([...queue, ...started])].map(({ id }) => id),
    now: (id) => activeOf(runner, id) ?? null,
    notices: (id) => runner.notices.get(id) ?? [],
    failure: (id) => runner.failures.get(id) ?? null,
    tally: () => runner.tally,
    async resume() {
      const left = home.content.contests.filter(({ state, goesOn }) => state === 'open' && goesOn === true)
      for (const { id } of left) await start(runner, id).catch(ignoreExpectedErrors)
    },
    async idle() {
      for (let [active] = queue; active !== undefined; [active] = queue) await active.ended.promise
    },
    async close() {
      runner.closed = true
      await Promise.all([...started].map((each) => stopped(runner, each)))
    },
  }
}

/** The matches in the histories of a contest. Damage is reported when the contest itself is opened. */
export function playedOf(contests: Pick<Contests, 'counts' | 'matches'>, id: ContestId): Promise<Played> {
  return contests.counts(id).catch(() => ({ done: 0, total: contests.matches(id) }))
}

async function start(runner: Runner, id: ContestId, given: StartOptions = {}): Promise<StartedContest> {
  const { contests, live } = runner
  const { place, phrase, follower = null } = given
  const isAgain = await hasToPlayAgain(runner, id)
  startable(runner, id, isAgain)
  if (!isAgain) await closeEntriesOf(runner, id, false)
  if (phrase !== undefined) await contests.givePhrase(id, phrase)
  checkPhrase(contests.entry(id))
  if (contests.hasPerson(id)) {
    throw new ExpectedError(
      'usage',
      'plays-in-window',
      `The person who played in ${id} has left: begin a new match instead.`,
    )
  }
  const isolation = given.isolation ?? (await strongestTier(runner, id))
  if (place !== undefined) await contests.place(id, place)
  if (runner.resumes && !isAgain) await contests.keepGoing(id, true)
  const played = live === undefined ? { done: 0, total: contests.matches(id) } : await playedOf(contests, id)
  // Choosing the isolation takes time, and another call may have started the contest meanwhile.
  startable(runner, id, isAgain)
  runner.failures.delete(id)
  if (contests.connects(id)) {
    const active = begun(runner, { id, state: 'gathering', isolation, follower }, played)
    obey(runner, active, given)
    await gather(runner, active, given.arena ?? planAt(placeOf(contests.entry(id))))
    return startedContest(active)
  }
  const active = begun(runner, { id, state: 'queued', isolation, follower }, played)
  enter(runner, active)
  obey(runner, active, given)
  return startedContest(active)
}

/** True for a contest that is over, and of which rulings want a match played again. */
async function hasToPlayAgain({ contests }: Runner, id: ContestId): Promise<boolean> {
  return contests.entry(id).state === 'ended' && (await contests.record(id)).toPlayAgain.length > 0
}

/** Throws ExpectedError 'usage' unless the contest can be started. `isAgain`: it is over, and matches are to be played again. */
function startable(runner: Runner, id: ContestId, isAgain = false): void {
  const { state, description } = runner.contests.entry(id)
  if (runner.closed) throw new ExpectedError('usage', 'classroom-closed', 'The classroom is being closed.')
  if (activeOf(runner, id) !== undefined)
    throw new ExpectedError('usage', 'contest-running', `The contest "${description.title}" has already been started.`)
  if (state !== 'open' && !isAgain)
    throw new ExpectedError(
      'usage',
      'contest-over',
      `The contest "${description.title}" is ${state} and cannot be started.`,
    )
}

async function strongestTier(runner: Runner, id: ContestId): Promise<IsolationTier> {
  const { contests } = runner
  try {
    return await tierForContest(contests.entry(id).description, contests.hasPrograms(id))
  } catch (error) {
    failed(runner, id, error)
    throw error
  }
}

/** Stops a contest that was just started when a signal of its caller aborts. */
function obey(runner: Runner, active: Active, { signal, finishing }: Pick<StartOptions, 'signal' | 'finishing'>): void {
  const on = (each: AbortSignal | undefined, act: () => Promise<void>): void => {
    if (each?.aborted === true) void act()
    else each?.addEventListener('abort', () => void act(), { once: true })
  }
  on(signal, () => stopped(runner, active))
  on(finishing, () => finish(runner, active))
}

function startedContest(active: Active): StartedContest {
  return {
    async ended() {
      await active.ended.promise
      if (active.failure !== null) throw active.failure.error
      return active.run
    },
  }
}

async function playWithPerson(
  runner: Runner,
  id: ContestId,
  isolation: IsolationTier,
  seatTransport: SeatTransport,
): Promise<string | null> {
  const { contests, notices, onChange } = runner
  startable(runner, id)
  const given = { id, state: 'running', isolation, follower: null } as const
  const active = begun(runner, given, { done: 0, total: contests.matches(id) })
  onChange(id)
  await run(runner, active, seatTransport)
  const open = contests.entry(id).state === 'open'
  if (open) await contests.settle(id, 'cancelled')
  await leave(runner, active)
  return open ? (notices.get(id)?.at(-1) ?? 'The match was stopped.') : null
}

/** Throws ExpectedError 'usage' unless the contest has been started. */
function startedOne(runner: Runner, id: ContestId): Active {
  const { title } = runner.contests.entry(id).description
  const active = activeOf(runner, id)
  if (active === undefined)
    throw new ExpectedError('usage', 'contest-not-running', `The contest "${title}" is not running.`)
  return active
}

function takeCredentials(runner: Runner, id: ContestId): OpenArena {
  const { title } = runner.contests.entry(id).description
  const arena = activeOf(runner, id)?.arena ?? null
  if (arena === null)
    throw new ExpectedError('usage', 'arena-not-open', `The arena of "${title}" is not open, so it has no credentials.`)
  const credentials = arena.credentials()
  runner.onChange(id)
  return credentials
}

async function cancel(runner: Runner, id: ContestId): Promise<void> {
  const { contests } = runner
  const { state, description } = contests.entry(id)
  if (state !== 'open')
    throw new ExpectedError('usage', 'contest-over', `The contest "${description.title}" is already ${state}.`)
  const active = activeOf(runner, id)
  if (active !== undefined) await stopped(runner, active)
  // Stopping a match with a person already cancels it.
  if (contests.entry(id).state === 'open') await contests.settle(id, 'cancelled')
  runner.onChange(id)
}
