import { randomBytes } from 'node:crypto'
import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import { dayIn, lastTime, nextTime } from './recurrence-times.ts'
import { expectedError } from '../../../administrator/procedures/call-error.ts'
import { HUMAN, NETWORK } from '../../../contract/players/agents.ts'
import type { ContestEntry } from '../../../contract/procedures/classroom.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { ContestId } from '../../../contract/ids.ts'
import {
  LATE_MAX,
  SENTENCE_MAX,
  SKIPPED_MAX,
  type Recurrence,
  type RecurringContest,
  type RecurringEntrants,
  type SkippedTime,
} from '../../../contract/contests/recurring.ts'
import {
  LISTED_OCCURRENCES,
  type RecurringChange,
  type RecurringList,
  type RecurringSummary,
} from '../../../contract/contests/recurring-procedures.ts'
import { ignoreExpectedErrors } from '../../ignore-expected-errors.ts'
import { keepTexts, withReferences } from '../../texts/kept-texts.ts'
import type { Contests } from '../kept/class-contests.ts'
import { completeDescription } from '../kept/kept-entries.ts'
import type { ContestPages } from '../running/contest-pages.ts'
import type { ContestRunner } from '../running/contest-runner.ts'
import { renewedContest, renewedSentence } from '../descriptions/renewed-contest.ts'
import { slugOf } from '../descriptions/new-contest.ts'
import { entrantsNow, occurrenceTitle, withoutForeign } from './occurrence.ts'
import type { WallClock } from './wall-clock.ts'

/** The choices of a person who makes a recurring contest. */
export type RecurrenceWish = Recurrence & { readonly entrants: RecurringEntrants }

/**
 * The contests of a class that begin by themselves. Each time makes a contest of its own, with the agents as they are then.
 * A time that was missed, because the classroom was closed or the computer slept, is made up for when the classroom is
 * open again, if it was within the last day and is the newest one; all others are only noted. While a contest of a
 * recurring one runs or waits for its turn, no other one of it begins.
 */
export interface RecurringContests {
  list(): Promise<RecurringList>
  /** `description`: complete and checked. Throws ExpectedError 'usage' if it cannot recur. */
  add(description: ContestDescription, wish: RecurrenceWish): Promise<ContestId>
  /** Times up to now are over then. Throws ExpectedError 'usage', like the others, if there is no such recurring contest. */
  edit(change: RecurringChange): Promise<void>
  remove(id: ContestId): Promise<void>
  /** Begins a contest of it now. Throws ExpectedError if one runs already, or none is possible. */
  run(id: ContestId): Promise<ContestId>
  /** Begins what is due, now and at each time from now on. */
  start(): Promise<void>
  /** Times up to now are over, by the clocks of another time zone. */
  zoneChanged(): Promise<void>
  /** Resolves when nothing of it runs any more; contests go on. */
  close(): Promise<void>
}

export interface RecurringOptions {
  readonly home: ClassFolder
  readonly contests: Contests
  readonly runner: Pick<ContestRunner, 'start' | 'started'>
  readonly pages: Pick<ContestPages, 'summary'>
  readonly clock: WallClock
  /** Called when the list has changed. */
  onChange(): void
  /** Called with a sentence about each contest that begins, and each time without one. */
  onEvent(sentence: string): void
  /** Called on unexpected errors. */
  onFatal(error: unknown): void
}

/** A clock that goes back by more than this was wrong before. ms. */
const CLOCK_BACK_MAX = 3_600_000

const NOT_OPEN = 'The classroom was not open, or the computer slept.'

/** The recurring contests of an open classroom. */
interface Recurring extends RecurringOptions {
  /** `start` has been called: contests begin by themselves. */
  started: boolean
  closed: boolean
  /** Cancels the waiting for the next time. */
  cancelWake: () => void
  /** Resolves when the last task of `inTurn` has ended. */
  last: Promise<unknown>
}

export function createRecurringContests(options: RecurringOptions): RecurringContests {
  const state: Recurring = {
    ...options,
    started: false,
    closed: false,
    cancelWake: () => undefined,
    last: Promise.resolve(),
  }
  return {
    async list() {
      return {
        timeZone: zone(state),
        recurring: await Promise.all(state.home.content.recurring.map((each) => summaryOf(state, each))),
      }
    },

    add: (description, wish) => add(state, description, wish),

    async edit({ recurring, title, paused, ...wish }) {
      await edit(state, recurring, (found) => {
        Object.assign(found, wish)
        found.description = { ...found.description, title }
        found.until = iso(state.clock.now())
        if (paused) found.paused = true
        else delete found.paused
      })
      changed(state)
    },

    async remove(id) {
      recurringOf(state, id)
      await state.home.change((content) => {
        content.recurring = content.recurring.filter((each) => each.id !== id)
      })
      changed(state)
    },

    run: (id) =>
      inTurn(state, async () => {
        const recurring = recurringOf(state, id)
        const running = runningOf(state, id)
        if (running !== null)
          throw new ExpectedError(
            'usage',
            'contest-running',
            `"${running}" is still running; another one begins after it.`,
          )
        return begin(state, recurring, state.clock.now())
      }),

    start() {
      state.started = true
      return inTurn(state, () => check(state))
    },

    async zoneChanged() {
      await state.home.change(({ recurring }) => {
        for (const each of recurring) each.until = iso(state.clock.now())
      })
      changed(state)
    },

    async close() {
      state.closed = true
      state.cancelWake()
      await state.last
    },
  }
}

/** One after the other, so that no time begins two contests. */
function inTurn<T>(state: Recurring, task: () => Promise<T>): Promise<T> {
  const done = state.last.then(task)
  state.last = done.catch(() => undefined)
  return done
}

function zone(state: Recurring): string {
  return state.home.content.settings.timeZone || state.clock.zone()
}

/** ISO 8601, UTC. */
function iso(at: number): string {
  return new Date(at).toISOString()
}

async function add(state: Recurring, description: ContestDescription, wish: RecurrenceWish): Promise<ContestId> {
  const { home, clock } = state
  checkRecurring(description)
  await keepTexts(home.folder, description)
  let id = ''
  await home.change(({ recurring, contests }) => {
    const taken = new Set([...recurring.map((each) => each.id), ...contests.map((each) => each.recurring?.of)])
    const slug = slugOf(description.title)
    let number = 1
    while (taken.has(`${slug}-${number}`)) number++
    id = `${slug}-${number}`
    recurring.push({ id, description: withReferences(description), ...wish, until: iso(clock.now()), skipped: [] })
  })
  changed(state)
  return id
}

function recurringOf(state: Recurring, id: ContestId): RecurringContest {
  const found = state.home.content.recurring.find((each) => each.id === id)
  if (found === undefined)
    throw new ExpectedError('usage', 'recurring-unknown', `There is no recurring contest "${id}".`)
  return found
}

async function edit(state: Recurring, id: ContestId, how: (recurring: RecurringContest) => void): Promise<void> {
  await state.home.change(({ recurring }) => {
    const found = recurring.find((each) => each.id === id)
    if (found === undefined)
      throw new ExpectedError('usage', 'recurring-unknown', `There is no recurring contest "${id}".`)
    how(found)
  })
  state.onChange()
}

/** Newest first. */
function occurrencesOf(state: Recurring, id: ContestId): readonly ContestEntry[] {
  return state.home.content.contests.filter(({ recurring }) => recurring?.of === id).toReversed()
}

/** The title of a contest of it that runs or waits for its turn; null: there is none. */
function runningOf(state: Recurring, id: ContestId): string | null {
  const started = new Set(state.runner.started())
  const busy = occurrencesOf(state, id).find((entry) => started.has(entry.id))
  return busy?.description.title ?? null
}

/** Makes and starts the contest of a time. Throws ExpectedError if that is not possible. */
async function begin(state: Recurring, recurring: RecurringContest, at: number): Promise<ContestId> {
  const { id: of } = recurring
  const { contest, renewed } = await state.home.inTurn(async () => {
    const { entrants, leftOut } = await withoutForeign(
      state.home.folder,
      recurring,
      entrantsNow(state.home.content, recurring),
    )
    const taken = state.home.content.contests.map(({ description }) => description.title)
    const title = occurrenceTitle(recurring.description.title, dayIn(zone(state), at), taken)
    if (entrants.length === 0)
      throw new ExpectedError('usage', 'entrants-invalid', [...leftOut, 'No agent is left to play.'].join(' '))
    const seed = randomBytes(32).toString('hex')
    const written = { ...recurring.description, title, seed, entrants }
    const { description, renewed } = renewedContest(await completeDescription(state.home.folder, written, title))
    const made = { occurrence: { of, at: iso(at), leftOut: [...leftOut] }, renewed }
    return { contest: await state.contests.add(description, made), renewed }
  })
  const begins = `"${contest.description.title}" (${contest.id}) begins.`
  state.onEvent(renewed.length === 0 ? begins : `${begins} ${renewedSentence(renewed)}`)
  state.onChange()
  // Its page shows why it cannot be started; it is tried again when the classroom is opened the next time.
  await state.runner.start(contest.id).catch(ignoreExpectedErrors)
  return contest.id
}

async function skip(
  state: Recurring,
  { id, description }: RecurringContest,
  skipped: readonly SkippedTime[],
): Promise<void> {
  const newest = skipped.at(-1)
  if (newest === undefined) return
  await edit(state, id, (found) => {
    found.skipped = [...found.skipped, ...skipped].slice(-SKIPPED_MAX)
    found.until = newest.at
  })
  for (const { at, why } of skipped) state.onEvent(`"${description.title}" did not begin at ${at}: ${why}`)
}

/** Times after `until` and before `time`, oldest first; only as many as are kept. */
function timesBetween(state: Recurring, recurring: RecurringContest, until: number, time: number): readonly number[] {
  const times: number[] = []
  for (let at = lastTime(recurring, zone(state), time - 1); at > until && times.length < SKIPPED_MAX;) {
    times.unshift(at)
    at = lastTime(recurring, zone(state), at - 1)
  }
  return times
}

async function beginIfDue(state: Recurring, recurring: RecurringContest): Promise<void> {
  const now = state.clock.now()
  const until = Date.parse(recurring.until)
  if (until > now + CLOCK_BACK_MAX) return edit(state, recurring.id, (found) => void (found.until = iso(now)))
  const due = lastTime(recurring, zone(state), now)
  if (due <= until) return
  await skip(
    state,
    recurring,
    timesBetween(state, recurring, until, due).map((at) => ({ at: iso(at), why: NOT_OPEN })),
  )
  const running = runningOf(state, recurring.id)
  const why = now - due > LATE_MAX ? NOT_OPEN : running === null ? null : `"${running}" was still running.`
  if (why !== null) return skip(state, recurring, [{ at: iso(due), why }])
  try {
    await begin(state, recurring, due)
  } catch (error) {
    const expected = expectedError(error)
    if (expected === null) throw error
    await skip(state, recurring, [{ at: iso(due), why: expected.message.slice(0, SENTENCE_MAX) }])
  }
}

async function check(state: Recurring): Promise<void> {
  state.cancelWake()
  for (const recurring of state.home.content.recurring) {
    if (state.closed) return
    if (recurring.paused !== true) await beginIfDue(state, recurring).catch(state.onFatal)
  }
  plan(state)
}

/** Waits for the next time of all. */
function plan(state: Recurring): void {
  state.cancelWake()
  const waiting = state.home.content.recurring.filter(({ paused }) => paused !== true)
  if (state.closed || !state.started || waiting.length === 0) return
  const now = state.clock.now()
  const next = Math.min(...waiting.map((each) => nextTime(each, zone(state), now)))
  state.cancelWake = state.clock.wake(next, () => void inTurn(state, () => check(state)).catch(state.onFatal))
}

function changed(state: Recurring): void {
  state.onChange()
  plan(state)
}

async function summaryOf(state: Recurring, recurring: RecurringContest): Promise<RecurringSummary> {
  const { id, description, entrants, days, time, paused = false, skipped } = recurring
  const all = occurrencesOf(state, id)
  return {
    ...{ id, title: description.title, game: description.game, entrants, days, time, paused },
    agents: entrantsNow(state.home.content, recurring).entrants.length,
    next: paused ? null : iso(nextTime(recurring, zone(state), state.clock.now())),
    contests: await Promise.all(all.slice(0, LISTED_OCCURRENCES).map((entry) => state.pages.summary(entry))),
    occurrences: all.length,
    skipped: skipped.toReversed(),
  }
}

/** Throws ExpectedError 'usage' if nobody would be there for what a contest needs. */
function checkRecurring({ entrants, classPhrase, phase }: ContestDescription): void {
  const away = entrants.find(({ agent }) => agent === HUMAN || agent === NETWORK)
  const refuse = (why: string): never => {
    throw new ExpectedError(
      'usage',
      'recurring-unsupported',
      `A contest that begins by itself is not possible here: ${why}.`,
    )
  }
  if (away?.agent === HUMAN) refuse('a person plays in it')
  if (away !== undefined) refuse(`"${away.name}" connects from another machine with a credential that is new each time`)
  if (classPhrase === true) refuse('it asks for a phrase, which the class gives before each start')
  if (phase !== undefined) refuse('it is a phase of another contest')
}
