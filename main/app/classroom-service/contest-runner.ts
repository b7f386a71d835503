import { availableParallelism } from 'node:os'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { spoiltSentence } from '../../administrator/contests/contest-run.ts'
import type { ContestRecord } from '../../administrator/contests/record.ts'
import { differenceSentence } from '../../administrator/contests/sample.ts'
import { matchCount } from '../../administrator/contests/schedule.ts'
import { expectedError } from '../../administrator/procedures/call-error.ts'
import type { ContestEntry } from '../../contract/classroom.ts'
import type { ContestId, MatchNumber } from '../../contract/ids.ts'
import type { IsolationTier } from '../../contract/limits.ts'
import type { RemoteCarrier } from '../../contract/remote.ts'
import {
  DETAIL_MAX,
  type ContestDetail,
  type ContestProgress,
  type ContestState,
  type ContestSummary,
} from '../../contract/procedures.ts'
import { Trouble } from '../../contract/trouble.ts'
import { chooseTier } from '../isolation.ts'
import { calledOtherwise } from './agent-of.ts'
import type { Contests, RunOptions } from './contests.ts'

/** Runs the contests of an open classroom: one at a time on all cores, the others wait in the order they were started. */
export interface ContestRunner {
  /**
   * Begins or goes on with an open contest, or puts it in the queue. Throws Trouble 'usage' where it is not to be started, and
   * 'host' where agents cannot be held as it wants.
   */
  start(id: ContestId): Promise<void>
  /**
   * Plays a contest of one match with a person in it, at once and beside the queue: people are not to wait, nor to be waited
   * for. Resolves when it is over: null, or why it came to nothing; it is then given up. `isolation`: the tier in
   * which its agents are held. Throws Trouble 'usage' where it is not to be started.
   */
  play(id: ContestId, isolation: IsolationTier, carry: RemoteCarrier): Promise<string | null>
  /** Stops a contest that runs or waits; resolves when nothing of it runs any more. What was played stays. */
  pause(id: ContestId): Promise<void>
  /** Gives an open contest up for ever. */
  cancel(id: ContestId): Promise<void>
  summary(entry: ContestEntry): Promise<ContestSummary>
  detail(id: ContestId): Promise<ContestDetail>
  /** The contests that run or wait. */
  active(): Promise<readonly ContestSummary[]>
  /** Why a contest stopped before its end since the classroom was opened; null: it did not. */
  failure(id: ContestId): string | null
  /** Resolves when nothing runs or waits. */
  idle(): Promise<void>
  /** Stops all, and resolves when nothing runs any more. */
  close(): Promise<void>
}

export interface RunnerOptions {
  readonly home: ClassFolder
  readonly contests: Contests
  /** Match workers; default: one a core. */
  readonly workers?: number
  /** Starts one; see RunOptions. */
  readonly launch?: NonNullable<RunOptions['launch']>
  onChange(id: ContestId): void
  /** What nobody expected. */
  onFatal(error: unknown): void
}

/** A contest that was started. */
interface Active {
  readonly id: ContestId
  readonly stop: AbortController
  running: boolean
  progress: ContestProgress | null
  readonly isolation: IsolationTier
  /** Settles, without rejecting, when it has stopped. */
  readonly ended: PromiseWithResolvers<void>
}

/** The newest sentences of a contest that are kept. */
const NOTICES_MAX = 200
/** Reasons for broken sessions that are told. */
const REASONS_MAX = 20

export function createContestRunner(options: RunnerOptions): ContestRunner {
  const { home, contests, launch, onChange } = options
  const workers = options.workers ?? availableParallelism()
  const queue: Active[] = []
  /** Matches with a person in them. */
  const aside: Active[] = []
  const notices = new Map<ContestId, string[]>()
  const failures = new Map<ContestId, string>()
  let closed = false

  const activeOf = (id: ContestId): Active | undefined => [...queue, ...aside].find((each) => each.id === id)

  const note = (id: ContestId, text: string): void => {
    const all = notices.get(id) ?? []
    all.push(text)
    notices.set(id, all.slice(-NOTICES_MAX))
  }

  const failed = (id: ContestId, error: unknown): void => {
    const text = expectedError(error)?.message ?? 'It was stopped by an error inside the program.'
    failures.set(id, text)
    note(id, text)
    onChange(id)
  }

  /** Throws Trouble 'usage' unless the contest can be started. */
  const startable = (id: ContestId): void => {
    const { state } = contests.entry(id)
    if (closed) throw new Trouble('usage', 'The classroom is being closed.')
    if (activeOf(id) !== undefined) throw new Trouble('usage', `The contest ${id} has been started already.`)
    if (state !== 'open') throw new Trouble('usage', `The contest ${id} is ${state} and cannot be started.`)
  }

  const run = async (active: Active, carry?: RemoteCarrier): Promise<void> => {
    const { id, stop, isolation } = active
    const { state } = await contests.run(id, {
      workers,
      ...(launch === undefined ? {} : { launch }),
      isolation,
      carry,
      signal: stop.signal,
      onNotice: (text) => note(id, text),
      onProgress(progress) {
        active.progress = progress
        onChange(id)
      },
    })
    if (state === 'finished') await contests.settle(id, 'ended')
  }

  /** Runs the queue's first contest, unless it does already. */
  const next = (): void => {
    const [active] = queue
    if (active === undefined || active.running) return
    const { id } = active
    active.running = true
    onChange(id)
    run(active)
      .catch((error: unknown) => {
        failed(id, error)
        if (expectedError(error) === null) options.onFatal(error)
      })
      .finally(() => leave(active))
  }

  const leave = (active: Active): void => {
    queue.splice(queue.indexOf(active), 1)
    active.ended.resolve()
    onChange(active.id)
    next()
  }

  const stopped = async (active: Active): Promise<void> => {
    active.stop.abort()
    if (!active.running) leave(active)
    await active.ended.promise
  }

  const summaryOf = (entry: ContestEntry, done: number): ContestSummary => {
    const { id, description } = entry
    const active = activeOf(id)
    const state: ContestState = active === undefined ? entry.state : active.running ? 'running' : 'queued'
    const progress = active?.progress ?? { done, total: matchCount(description), msLeft: null }
    const { title, game, entrants } = description
    return { contest: id, title, game, state, entrants: entrants.length, progress }
  }

  const summary = async (entry: ContestEntry): Promise<ContestSummary> => {
    // An ended contest is over to its last match; nobody needs to read it for that.
    if (entry.state === 'ended') return summaryOf(entry, matchCount(entry.description))
    if ((activeOf(entry.id)?.progress ?? null) !== null) return summaryOf(entry, 0)
    // What is damaged is said where the contest itself is opened.
    const done = await contests.gist(entry.id).then(
      (gist) => gist.done,
      () => 0,
    )
    return summaryOf(entry, done)
  }

  return {
    summary,
    failure: (id) => failures.get(id) ?? null,

    async start(id) {
      startable(id)
      if (contests.hasPerson(id)) {
        throw new Trouble('usage', `A person plays in ${id}, who has gone: begin a new match instead.`)
      }
      const isolation = await chooseTier(contests.entry(id).description.isolation, contests.hasPrograms(id)).catch(
        (error: unknown) => {
          failed(id, error)
          throw error
        },
      )
      // The machine took its time, and somebody else may have been quicker.
      startable(id)
      failures.delete(id)
      const ended: Active['ended'] = Promise.withResolvers()
      queue.push({ id, stop: new AbortController(), running: false, progress: null, isolation, ended })
      onChange(id)
      next()
    },

    async play(id, isolation, carry) {
      startable(id)
      const ended: Active['ended'] = Promise.withResolvers()
      const active: Active = { id, stop: new AbortController(), running: true, progress: null, isolation, ended }
      aside.push(active)
      onChange(id)
      try {
        await run(active, carry)
      } catch (error) {
        failed(id, error)
        if (expectedError(error) === null) options.onFatal(error)
      }
      const open = contests.entry(id).state === 'open'
      if (open) await contests.settle(id, 'cancelled')
      aside.splice(aside.indexOf(active), 1)
      ended.resolve()
      onChange(id)
      return open ? (notices.get(id)?.at(-1) ?? 'The match was stopped.') : null
    },

    async pause(id) {
      contests.entry(id)
      const active = activeOf(id)
      if (active === undefined) throw new Trouble('usage', `The contest ${id} does not run.`)
      await stopped(active)
    },

    async cancel(id) {
      const { state } = contests.entry(id)
      if (state !== 'open') throw new Trouble('usage', `The contest ${id} is ${state} already.`)
      const active = activeOf(id)
      if (active !== undefined) await stopped(active)
      // A match with a person has been given up by its being stopped.
      if (contests.entry(id).state === 'open') await contests.settle(id, 'cancelled')
      onChange(id)
    },

    async detail(id) {
      const entry = contests.entry(id)
      const record = await contests.record(id)
      const { description } = entry
      const last = lastRun(record)
      return {
        summary: summaryOf(entry, record.done),
        draft: { ...description, entrants: description.entrants.slice(0, DETAIL_MAX) },
        otherwise: calledOtherwise(home, description),
        isolation: activeOf(id)?.isolation ?? last?.isolation ?? null,
        standings: record.standings().slice(0, DETAIL_MAX),
        headToHead: record.headToHead(),
        voided: record.voided,
        notices: noticesOf(record, entry.playedAgain?.different ?? [], notices.get(id) ?? []),
        targeting: entry.targeting ?? null,
      }
    },

    active: () =>
      Promise.all(
        [...queue, ...aside].flatMap(({ id }) => home.content.contests.filter((entry) => entry.id === id)).map(summary),
      ),

    async idle() {
      for (let [active] = queue; active !== undefined; [active] = queue) await active.ended.promise
    },

    async close() {
      closed = true
      // From the end, so that none of them begins.
      for (const active of [...aside, ...queue.toReversed()]) await stopped(active)
    },
  }
}

function lastRun({ finished }: ContestRecord): { readonly isolation: IsolationTier } | null {
  let last = null
  for (const run of finished.values()) last = run
  return last
}

/** What was said since the classroom was opened, after what the histories themselves tell of earlier days. */
function noticesOf(
  record: ContestRecord,
  different: readonly MatchNumber[],
  said: readonly string[],
): readonly string[] {
  const told = new Set(said)
  const earlier = [
    ...walkedAwaySentences(record),
    ...record.spoilt.map(spoiltSentence),
    ...different.map(differenceSentence),
  ].slice(-NOTICES_MAX)
  return [...earlier.filter((text) => !told.has(text)), ...said].slice(-NOTICES_MAX)
}

/** Why entrants broke sessions off, the commonest reasons. */
function walkedAwaySentences({ walkedAway }: ContestRecord): readonly string[] {
  const commonest = walkedAway().toSorted((a, b) => b.sessions - a.sessions)
  return commonest
    .slice(0, REASONS_MAX)
    .map(
      ({ agent, reason, sessions }) =>
        `${agent} broke off ${sessions === 1 ? 'a session' : `${sessions} sessions`}: ${reason}`,
    )
}
