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
import { checkPhrase, type Contests, type RunOptions } from '../kept/class-contests.ts'
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
  /** Where agents on other machines connect; null: there are none, or it is not open yet. */
  arena: Arena | null
  /** Resolves when the contest has stopped; never rejects. */
  readonly ended: PromiseWithResolvers<void>
}

export function createContestRunner(options: RunnerOptions): ContestRunner {
  const { home, contests, launch, onChange } = options
  const workers = options.workers ?? availableParallelism()
  /** All contests that were started, until everything of them has stopped. */
  const started = new Set<Active>()
  /** The running contest and those that wait, without matches with a person. */
  const queue: Active[] = []
  const notices = new Map<ContestId, string[]>()
  const failures = new Map<ContestId, string>()
  const details = createDetails(options)
  let closed = false

  const activeOf = (id: ContestId): Active | undefined => [...started].find((each) => each.id === id)

  const begun = (id: ContestId, state: Active['state'], isolation: IsolationTier, played: Played): Active => {
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
    started.add(active)
    return active
  }

  const note = (id: ContestId, text: string): void => {
    const all = notices.get(id) ?? []
    all.push(text)
    notices.set(id, all.slice(-NOTICES_MAX))
  }

  const failed = (id: ContestId, error: unknown): void => {
    const text = expectedError(error)?.message ?? 'It was stopped by an internal error.'
    failures.set(id, text)
    note(id, text)
    onChange(id)
  }

  /** Like `failed`, when no caller waits for the result. */
  const broken = (id: ContestId, error: unknown): void => {
    failed(id, error)
    if (expectedError(error) === null) options.onFatal(error)
  }

  /** Throws ExpectedError 'usage' unless the contest can be started. */
  const startable = (id: ContestId): void => {
    const { state } = contests.entry(id)
    if (closed) throw new ExpectedError('usage', 'classroom-closed', 'The classroom is being closed.')
    if (activeOf(id) !== undefined)
      throw new ExpectedError('usage', 'contest-running', `The contest ${id} has already been started.`)
    if (state !== 'open')
      throw new ExpectedError('usage', 'contest-over', `The contest ${id} is ${state} and cannot be started.`)
  }

  const run = async (active: Active, seatTransport?: SeatTransport): Promise<void> => {
    const { id, stop, isolation } = active
    const { state } = await contests.run(id, {
      workers,
      ...(launch === undefined ? {} : { launch }),
      isolation,
      seatTransport,
      byteTransport: active.arena?.byteTransport,
      runsInPlay: options.live.runsInPlay(id),
      signal: stop.signal,
      finishing: active.finish.signal,
      onNotice: (text) => note(id, text),
      onProgress(progress) {
        active.progress = progress
        onChange(id)
      },
    })
    if (state === 'finished') await contests.settle(id, 'ended')
  }

  /** Runs the first contest of the queue, unless it is running already. */
  const next = (): void => {
    const [active] = queue
    if (active === undefined || active.state === 'running' || closed) return
    const { id } = active
    active.state = 'running'
    onChange(id)
    void run(active)
      .catch((error: unknown) => broken(id, error))
      .then(() => leave(active))
  }

  const enter = (active: Active): void => {
    active.state = 'queued'
    queue.push(active)
    onChange(active.id)
    next()
  }

  const leave = async (active: Active): Promise<void> => {
    const at = queue.indexOf(active)
    // While its arena closes the next contest may begin, but this one must not start again.
    if (at >= 0) queue.splice(at, 1)
    next()
    await active.arena?.close().catch(options.onFatal)
    // Contests that are stopped with the classroom resume with it.
    if (!closed) await contests.keepGoing(active.id, false).catch(options.onFatal)
    started.delete(active)
    active.ended.resolve()
    onChange(active.id)
  }

  const stopped = async (active: Active): Promise<void> => {
    active.stop.abort()
    if (active.state === 'queued') await leave(active)
    await active.ended.promise
  }

  /**
   * Opens the arena of a contest that was just started. Resolves when it is open; the wait for its agents goes on in
   * the background.
   */
  const gather = async (active: Active, place: ArenaPlace): Promise<void> => {
    const { id, stop } = active
    onChange(id)
    const hear = (text: string): void => {
      note(id, text)
      onChange(id)
    }
    const opened = contests.complete(id).then((description) => openWindowArena(description, place, hear))
    const arena = await opened.catch(async (error: unknown) => {
      failed(id, error)
      await leave(active)
      throw error
    })
    active.arena = arena
    onChange(id)
    void arena
      .everybody(stop.signal)
      .then(() => (stop.signal.aborted ? leave(active) : enter(active)))
      .catch((error: unknown) => {
        broken(id, error)
        return leave(active)
      })
  }

  const summaryOf = (entry: ContestEntry, { done, total }: Played): ContestSummary => {
    const { id, description } = entry
    const active = activeOf(id)
    const state: ContestState = active?.state ?? entry.state
    const progress = active?.progress ?? { done, total, msLeft: null }
    const { title, game, entrants } = description
    const { added = null } = entry
    const person = contests.hasPerson(id)
    const waitsFor = state === 'open' ? waitingFor(entry) : null
    return {
      ...{ contest: id, title, game, state, entrants: entrants.length, progress, added, person },
      ...(description.practice === true ? { practice: true } : {}),
      ...(waitsFor === null ? {} : { waitsFor }),
    }
  }

  /** What the histories of a contest contain. Damage is reported when the contest itself is opened. */
  const playedOf = (id: ContestId): Promise<Played> =>
    contests.counts(id).catch(() => ({ done: 0, total: contests.matches(id) }))

  const summary = async (entry: ContestEntry): Promise<ContestSummary> => {
    const { id, state } = entry
    const total = contests.matches(id)
    // Every match of an ended contest is finished, so its record need not be read.
    if (state === 'ended' && !contests.varies(id)) return summaryOf(entry, { done: total, total })
    if (activeOf(id) !== undefined) return summaryOf(entry, { done: 0, total })
    return summaryOf(entry, await playedOf(id))
  }

  const start: ContestRunner['start'] = async (id, { place, phrase } = {}) => {
    startable(id)
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
    const isolation = await chooseTier(contests.entry(id).description.isolation, contests.hasPrograms(id)).catch(
      (error: unknown) => {
        failed(id, error)
        throw error
      },
    )
    if (place !== undefined) await contests.place(id, place)
    await contests.keepGoing(id, true)
    const played = await playedOf(id)
    // Choosing the isolation takes time, and another call may have started the contest meanwhile.
    startable(id)
    failures.delete(id)
    if (contests.connects(id)) await gather(begun(id, 'gathering', isolation, played), placeOf(contests.entry(id)))
    else enter(begun(id, 'queued', isolation, played))
  }

  return {
    summary,
    failure: (id) => failures.get(id) ?? null,

    start,

    credentials(id) {
      contests.entry(id)
      const arena = activeOf(id)?.arena ?? null
      if (arena === null)
        throw new ExpectedError(
          'usage',
          'credentials-unavailable',
          `The arena of ${id} is not open: there are no credentials for it.`,
        )
      const told = arena.credentials()
      onChange(id)
      return told
    },

    async play(id, isolation, seatTransport) {
      startable(id)
      const active = begun(id, 'running', isolation, { done: 0, total: contests.matches(id) })
      onChange(id)
      await run(active, seatTransport).catch((error: unknown) => broken(id, error))
      const open = contests.entry(id).state === 'open'
      if (open) await contests.settle(id, 'cancelled')
      await leave(active)
      return open ? (notices.get(id)?.at(-1) ?? 'The match was stopped.') : null
    },

    async pause(id) {
      contests.entry(id)
      const active = activeOf(id)
      if (active === undefined)
        throw new ExpectedError('usage', 'contest-not-running', `The contest ${id} is not running.`)
      await stopped(active)
    },

    async finish(id) {
      contests.entry(id)
      const active = activeOf(id)
      if (active === undefined)
        throw new ExpectedError('usage', 'contest-not-running', `The contest ${id} is not running.`)
      if (active.state !== 'running') return stopped(active)
      active.finish.abort()
      note(id, 'It stops when the matches that are being played are finished.')
      onChange(id)
    },

    async cancel(id) {
      const { state } = contests.entry(id)
      if (state !== 'open') throw new ExpectedError('usage', 'contest-over', `The contest ${id} is already ${state}.`)
      const active = activeOf(id)
      if (active !== undefined) await stopped(active)
      // Stopping a match with a person already cancels it.
      if (contests.entry(id).state === 'open') await contests.settle(id, 'cancelled')
      onChange(id)
    },

    async detail(id) {
      const active = activeOf(id)
      const { isolation = null } = active ?? {}
      const now = { active: active !== undefined, isolation, arena: active?.arena ?? null, said: notices.get(id) ?? [] }
      const record = await contests.record(id)
      return details.of(summaryOf(contests.entry(id), record), record, now)
    },

    active: () =>
      Promise.all(
        [...new Set([...queue, ...started])]
          .flatMap(({ id }) => home.content.contests.filter((entry) => entry.id === id))
          .map(summary),
      ),

    async resume() {
      const left = home.content.contests.filter(({ state, goesOn }) => state === 'open' && goesOn === true)
      for (const { id } of left) await start(id).catch(ignoreExpectedErrors)
    },

    async idle() {
      for (let [active] = queue; active !== undefined; [active] = queue) await active.ended.promise
    },

    async close() {
      closed = true
      await Promise.all([...started].map(stopped))
    },
  }
}

/** What an open contest waits for; null: nothing. */
function waitingFor(entry: ContestEntry): 'entries' | 'phrase' | null {
  const { entriesUntil, description, phrase } = entry
  if (entriesUntil !== undefined && Date.now() < Date.parse(entriesUntil)) return 'entries'
  return description.classPhrase === true && phrase === undefined ? 'phrase' : null
}
