import { availableParallelism } from 'node:os'
import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import { expectedError } from '../../../administrator/procedures/call-error.ts'
import type { ArenaPlace, OpenArena } from '../../../contract/players/arena.ts'
import type { ContestEntry } from '../../../contract/procedures/classroom.ts'
import type { ContestId } from '../../../contract/ids.ts'
import type { IsolationTier } from '../../../contract/limits.ts'
import type { SeatTransport } from '../../../contract/players/seat-transport.ts'
import type {
  ContestDetail,
  ContestProgress,
  ContestState,
  ContestSummary,
} from '../../../contract/procedures/procedures.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { ignoreExpectedErrors } from '../../ignore-expected-errors.ts'
import { chooseTier } from '../../machine/isolation.ts'
import { openWindowArena, type Arena } from '../arena/window-arena.ts'
import type { Contests } from '../kept/class-contests.ts'
import { checkPhrase } from '../kept/kept-entries.ts'
import type { RunOptions } from '../kept/run-kept.ts'
import { createDetails, NOTICES_MAX, placeOf } from '../reports/contest-detail.ts'
import type { LiveMatches } from '../../matches/live-matches.ts'

/**
 * Runs the contests of an open classroom: one at a time on all cores; the others wait in the order in which they were
 * started. A contest that waits for agents on other machines does not block others; it joins the queue when all agents
 * have signed in.
 */
export interface ContestRunner {
  /**
   * Starts or resumes an open contest, or adds it to the queue; if agents on other machines play, its arena is open
   * when this resolves. `place`: the arena's new place. `phrase`: of the class, if the contest asks for one.
   * Throws ExpectedError 'usage' if the contest cannot be started, 'host' if the required isolation or a port is not available.
   */
  start(id: ContestId, given?: { readonly place?: ArenaPlace; readonly phrase?: string }): Promise<void>
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
  /** Cancels an open contest permanently. */
  cancel(id: ContestId): Promise<void>
  summary(entry: ContestEntry): Promise<ContestSummary>
  detail(id: ContestId): Promise<ContestDetail>
  /** The contests that are running or waiting. */
  active(): Promise<readonly ContestSummary[]>
  /** Why a contest stopped before its end since the classroom was opened; null: it did not. */
  failure(id: ContestId): string | null
  /** Resolves when no contest is running or waiting. */
  idle(): Promise<void>
  /** Restarts the contests that ran or were queued when the classroom was closed; one that cannot be started reports why. */
  resume(): Promise<void>
  /** Stops all contests and resolves when nothing runs any more; they resume when `resume` is called. */
  close(): Promise<void>
}

export interface RunnerOptions {
  readonly home: ClassFolder
  readonly contests: Contests
  /** The number of match workers; default: one per core. */
  readonly workers?: number
  /** Starts a worker; see RunOptions. */
  readonly launch?: NonNullable<RunOptions['launch']>
  readonly live: LiveMatches
  onChange(id: ContestId): void
  /** Called on unexpected errors. */
  onFatal(error: unknown): void
}

/** Matches played, and of how many. */
type Played = Pick<ContestProgress, 'done' | 'total'>

/** A contest that was started. */
interface Active {
  readonly id: ContestId
  readonly stop: AbortController
  readonly finish: AbortController
  state: 'gathering' | 'queued' | 'running'
  /** At first as its histories have it, so that nobody who asks what runs has to wait for them. */
  progress: ContestProgress
  readonly isolation: IsolationTier
  /** The arena for agents on other machines; null: there are no such agents, or it is not open yet. */
  arena: Arena | null
  /** Resolves when the contest has stopped; never rejects. */
  readonly ended: PromiseWithResolvers<void>
}

/** The contests that an open classroom runs. */
interface Runner extends RunnerOptions {
  readonly workers: number
  /** All contests that were started, until everything of them has stopped. */
  readonly started: Set<Active>
  /** The running contest and those that wait, without matches with a person. */
  readonly queue: Active[]
  /** The newest messages about each contest, at most `NOTICES_MAX`. */
  readonly notices: Map<ContestId, string[]>
  /** Why contests stopped before their ends. */
  readonly failures: Map<ContestId, string>
  readonly details: ReturnType<typeof createDetails>
  closed: boolean
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
    details: createDetails(options),
    closed: false,
  }
  const { queue, started } = runner
  return {
    summary: (entry) => summary(runner, entry),
    failure: (id) => runner.failures.get(id) ?? null,
    start: (id, given) => start(runner, id, given),
    credentials: (id) => takeCredentials(runner, id),
    play: (id, isolation, seatTransport) => playWithPerson(runner, id, isolation, seatTransport),
    pause: async (id) => stopped(runner, startedOne(runner, id)),
    finish: async (id) => finish(runner, startedOne(runner, id)),
    cancel: (id) => cancel(runner, id),
    detail: (id) => detail(runner, id),
    active: () =>
      Promise.all(
        [...new Set([...queue, ...started])]
          .flatMap(({ id }) => home.content.contests.filter((entry) => entry.id === id))
          .map((entry) => summary(runner, entry)),
      ),
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

/** Throws ExpectedError 'usage' unless the contest has been started. */
function startedOne(runner: Runner, id: ContestId): Active {
  runner.contests.entry(id)
  const active = activeOf(runner, id)
  if (active === undefined) throw new ExpectedError('usage', 'contest-not-running', `The contest ${id} is not running.`)
  return active
}

function takeCredentials(runner: Runner, id: ContestId): OpenArena {
  runner.contests.entry(id)
  const arena = activeOf(runner, id)?.arena ?? null
  if (arena === null)
    throw new ExpectedError(
      'usage',
      'credentials-unavailable',
      `The arena of ${id} is not open: there are no credentials for it.`,
    )
  const credentials = arena.credentials()
  runner.onChange(id)
  return credentials
}

async function playWithPerson(
  runner: Runner,
  id: ContestId,
  isolation: IsolationTier,
  seatTransport: SeatTransport,
): Promise<string | null> {
  const { contests, notices, onChange } = runner
  startable(runner, id)
  const active = begun(runner, id, 'running', isolation, { done: 0, total: contests.matches(id) })
  onChange(id)
  await run(runner, active, seatTransport).catch((error: unknown) => broken(runner, id, error))
  const open = contests.entry(id).state === 'open'
  if (open) await contests.settle(id, 'cancelled')
  await leave(runner, active)
  return open ? (notices.get(id)?.at(-1) ?? 'The match was stopped.') : null
}

async function finish(runner: Runner, active: Active): Promise<void> {
  const { id } = active
  if (active.state !== 'running') return stopped(runner, active)
  active.finish.abort()
  note(runner, id, 'It stops when the matches that are being played are finished.')
  runner.onChange(id)
}

async function cancel(runner: Runner, id: ContestId): Promise<void> {
  const { contests } = runner
  const { state } = contests.entry(id)
  if (state !== 'open') throw new ExpectedError('usage', 'contest-over', `The contest ${id} is already ${state}.`)
  const active = activeOf(runner, id)
  if (active !== undefined) await stopped(runner, active)
  // Stopping a match with a person already cancels it.
  if (contests.entry(id).state === 'open') await contests.settle(id, 'cancelled')
  runner.onChange(id)
}

async function detail(runner: Runner, id: ContestId): Promise<ContestDetail> {
  const active = activeOf(runner, id)
  const { isolation = null, arena = null } = active ?? {}
  const now = { active: active !== undefined, isolation, arena, said: runner.notices.get(id) ?? [] }
  const record = await runner.contests.record(id)
  return runner.details.of(summaryOf(runner, runner.contests.entry(id), record), record, now)
}

function activeOf(runner: Runner, id: ContestId): Active | undefined {
  return [...runner.started].find((each) => each.id === id)
}

/** Enters a contest among those that were started. */
function begun(
  runner: Runner,
  id: ContestId,
  state: Active['state'],
  isolation: IsolationTier,
  played: Played,
): Active {
  const ended: Active['ended'] = Promise.withResolvers()
  const progress = { ...played, msLeft: null }
  const active = {
    id,
    stop: new AbortController(),
    finish: new AbortController(),
    state,
    progress,
    isolation,
    arena: null,
    ended,
  }
  runner.started.add(active)
  return active
}

function note(runner: Runner, id: ContestId, text: string): void {
  const all = runner.notices.get(id) ?? []
  all.push(text)
  runner.notices.set(id, all.slice(-NOTICES_MAX))
}

function failed(runner: Runner, id: ContestId, error: unknown): void {
  const text = expectedError(error)?.message ?? 'It was stopped by an internal error.'
  runner.failures.set(id, text)
  note(runner, id, text)
  runner.onChange(id)
}

/** Like `failed`, when no caller waits for the result. */
function broken(runner: Runner, id: ContestId, error: unknown): void {
  failed(runner, id, error)
  if (expectedError(error) === null) runner.onFatal(error)
}

/** Throws ExpectedError 'usage' unless the contest can be started. */
function startable(runner: Runner, id: ContestId): void {
  const { state } = runner.contests.entry(id)
  if (runner.closed) throw new ExpectedError('usage', 'classroom-closed', 'The classroom is being closed.')
  if (activeOf(runner, id) !== undefined)
    throw new ExpectedError('usage', 'contest-running', `The contest ${id} has already been started.`)
  if (state !== 'open')
    throw new ExpectedError('usage', 'contest-over', `The contest ${id} is ${state} and cannot be started.`)
}

async function run(runner: Runner, active: Active, seatTransport?: SeatTransport): Promise<void> {
  const { id, stop, isolation } = active
  const { state } = await runner.contests.run(id, {
    workers: runner.workers,
    ...(runner.launch === undefined ? {} : { launch: runner.launch }),
    isolation,
    seatTransport,
    byteTransport: active.arena?.byteTransport,
    runsInPlay: runner.live.runsInPlay(id),
    signal: stop.signal,
    finishing: active.finish.signal,
    onNotice: (text) => note(runner, id, text),
    onProgress(progress) {
      active.progress = progress
      runner.onChange(id)
    },
  })
  if (state === 'finished') await runner.contests.settle(id, 'ended')
}

/** Runs the first contest of the queue, unless it is running already. */
function next(runner: Runner): void {
  const [active] = runner.queue
  if (active === undefined || active.state === 'running' || runner.closed) return
  const { id } = active
  active.state = 'running'
  runner.onChange(id)
  void run(runner, active)
    .catch((error: unknown) => broken(runner, id, error))
    .then(() => leave(runner, active))
}

function enter(runner: Runner, active: Active): void {
  active.state = 'queued'
  runner.queue.push(active)
  runner.onChange(active.id)
  next(runner)
}

async function leave(runner: Runner, active: Active): Promise<void> {
  const at = runner.queue.indexOf(active)
  // While its arena closes the next contest may begin, but this one must not start again.
  if (at >= 0) runner.queue.splice(at, 1)
  next(runner)
  await active.arena?.close().catch(runner.onFatal)
  // Contests that are stopped with the classroom resume with it.
  if (!runner.closed) await runner.contests.keepGoing(active.id, false).catch(runner.onFatal)
  runner.started.delete(active)
  active.ended.resolve()
  runner.onChange(active.id)
}

async function stopped(runner: Runner, active: Active): Promise<void> {
  active.stop.abort()
  if (active.state === 'queued') await leave(runner, active)
  await active.ended.promise
}

/**
 * Opens the arena of a contest that was just started. Resolves when it is open; the wait for its agents goes on in
 * the background.
 */
async function gather(runner: Runner, active: Active, place: ArenaPlace): Promise<void> {
  const { id, stop } = active
  runner.onChange(id)
  const hear = (text: string): void => {
    note(runner, id, text)
    runner.onChange(id)
  }
  const opened = runner.contests.complete(id).then((description) => openWindowArena(description, place, hear))
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
      broken(runner, id, error)
      return leave(runner, active)
    })
}

function summaryOf(runner: Runner, entry: ContestEntry, { done, total }: Played): ContestSummary {
  const { id, description } = entry
  const active = activeOf(runner, id)
  const state: ContestState = active?.state ?? entry.state
  const progress = active?.progress ?? { done, total, msLeft: null }
  const { title, game, entrants } = description
  const { added = null, archived } = entry
  const person = runner.contests.hasPerson(id)
  const waitsFor = state === 'open' ? waitingFor(entry) : null
  return {
    ...{ contest: id, title, game, state, entrants: entrants.length, progress, added, person },
    ...(description.practice === true ? { practice: true } : {}),
    ...(archived === true ? { archived: true } : {}),
    ...(waitsFor === null ? {} : { waitsFor }),
  }
}

/** The matches in the histories of a contest. Damage is reported when the contest itself is opened. */
function playedOf(runner: Runner, id: ContestId): Promise<Played> {
  return runner.contests.counts(id).catch(() => ({ done: 0, total: runner.contests.matches(id) }))
}

async function summary(runner: Runner, entry: ContestEntry): Promise<ContestSummary> {
  const { id, state } = entry
  const total = runner.contests.matches(id)
  // Every match of an ended contest is finished, so its record need not be read.
  if (state === 'ended' && !runner.contests.varies(id)) return summaryOf(runner, entry, { done: total, total })
  if (activeOf(runner, id) !== undefined) return summaryOf(runner, entry, { done: 0, total })
  return summaryOf(runner, entry, await playedOf(runner, id))
}

async function start(
  runner: Runner,
  id: ContestId,
  { place, phrase }: Parameters<ContestRunner['start']>[1] = {},
): Promise<void> {
  const { contests } = runner
  startable(runner, id)
  await contests.closeEntries(id)
  if (phrase !== undefined) await contests.givePhrase(id, phrase)
  checkPhrase(contests.entry(id))
  if (contests.hasPerson(id)) {
    throw new ExpectedError(
      'usage',
      'plays-in-window',
      `The person who played in ${id} has left: begin a new match instead.`,
    )
  }
  const weakest = contests.entry(id).description.isolation
  const isolation = await chooseTier(weakest, contests.hasPrograms(id)).catch((error: unknown) => {
    failed(runner, id, error)
    throw error
  })
  if (place !== undefined) await contests.place(id, place)
  await contests.keepGoing(id, true)
  const played = await playedOf(runner, id)
  // Choosing the isolation takes time, and another call may have started the contest meanwhile.
  startable(runner, id)
  runner.failures.delete(id)
  if (contests.connects(id))
    await gather(runner, begun(runner, id, 'gathering', isolation, played), placeOf(contests.entry(id)))
  else enter(runner, begun(runner, id, 'queued', isolation, played))
}

/** The reason why an open contest cannot begin yet; null: it can. */
function waitingFor(entry: ContestEntry): 'entries' | 'phrase' | null {
  const { entriesUntil, description, phrase } = entry
  if (entriesUntil !== undefined && Date.now() < Date.parse(entriesUntil)) return 'entries'
  return description.classPhrase === true && phrase === undefined ? 'phrase' : null
}
