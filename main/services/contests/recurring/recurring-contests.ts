import { randomBytes } from 'node:crypto'
import { readAgent } from '../../../administrator/classroom/agents.ts'
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
import { completeDescription, type Contests } from '../kept/class-contests.ts'
import type { ContestRunner } from '../running/contest-runner.ts'
import { slugOf } from '../descriptions/new-contest.ts'
import { entrantsNow, occurrenceTitle } from './occurrence.ts'
import type { WallClock } from './wall-clock.ts'

/** What a person decides of a recurring contest when it is made. */
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
  readonly runner: ContestRunner
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

export function createRecurringContests(options: RecurringOptions): RecurringContests {
  const { home, contests, runner, clock, onChange, onEvent } = options
  let started = false
  let closed = false
  let cancelWake = (): void => undefined
  let last: Promise<unknown> = Promise.resolve()

  /** One after the other, so that no time begins two contests. */
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const done = last.then(task)
    last = done.catch(() => undefined)
    return done
  }

  const zone = (): string => home.content.settings.timeZone || clock.zone()
  const iso = (at: number): string => new Date(at).toISOString()

  const recurringOf = (id: ContestId): RecurringContest => {
    const found = home.content.recurring.find((each) => each.id === id)
    if (found === undefined)
      throw new ExpectedError('usage', 'contest-unknown', `There is no recurring contest "${id}".`)
    return found
  }

  const edit = async (id: ContestId, how: (recurring: RecurringContest) => void): Promise<void> => {
    await home.change(({ recurring }) => {
      const found = recurring.find((each) => each.id === id)
      if (found === undefined)
        throw new ExpectedError('usage', 'contest-unknown', `There is no recurring contest "${id}".`)
      how(found)
    })
    onChange()
  }

  /** Newest first. */
  const occurrencesOf = (id: ContestId): readonly ContestEntry[] =>
    home.content.contests.filter(({ recurring }) => recurring?.of === id).toReversed()

  /** The title of a contest of it that runs or waits for its turn; null: there is none. */
  const runningOf = async (id: ContestId): Promise<string | null> => {
    const active = new Set((await runner.active()).map(({ contest }) => contest))
    const busy = occurrencesOf(id).find((entry) => active.has(entry.id))
    return busy?.description.title ?? null
  }

  /** Makes and starts the contest of a time. Throws ExpectedError if that is not possible. */
  const begin = async (recurring: RecurringContest, at: number): Promise<ContestId> => {
    const { id: of } = recurring
    const contest = await home.inTurn(async () => {
      const { entrants, leftOut } = entrantsNow(home.content, recurring)
      const taken = home.content.contests.map(({ description }) => description.title)
      const title = occurrenceTitle(recurring.description.title, dayIn(zone(), at), taken)
      if (entrants.length === 0)
        throw new ExpectedError('usage', 'entrants-invalid', [...leftOut, 'No agent is left to play.'].join(' '))
      const seed = randomBytes(32).toString('hex')
      const written = { ...recurring.description, title, seed, entrants }
      const description = await completeDescription(home.folder, written, title)
      for (const { agent } of entrants) await readAgent(home.folder, agent)
      return contests.add(description, { occurrence: { of, at: iso(at), leftOut: [...leftOut] } })
    })
    onEvent(`"${contest.description.title}" (${contest.id}) begins.`)
    onChange()
    // Its page shows why it cannot be started; it is tried again when the classroom is opened the next time.
    await runner.start(contest.id).catch(ignoreExpectedErrors)
    return contest.id
  }

  const skip = async ({ id, description }: RecurringContest, skipped: readonly SkippedTime[]): Promise<void> => {
    const newest = skipped.at(-1)
    if (newest === undefined) return
    await edit(id, (found) => {
      found.skipped = [...found.skipped, ...skipped].slice(-SKIPPED_MAX)
      found.until = newest.at
    })
    for (const { at, why } of skipped) onEvent(`"${description.title}" did not begin at ${at}: ${why}`)
  }

  /** Times after `until` and before `time`, oldest first; only as many as are kept. */
  const timesBetween = (recurring: RecurringContest, until: number, time: number): readonly number[] => {
    const times: number[] = []
    for (let at = lastTime(recurring, zone(), time - 1); at > until && times.length < SKIPPED_MAX;) {
      times.unshift(at)
      at = lastTime(recurring, zone(), at - 1)
    }
    return times
  }

  const beginIfDue = async (recurring: RecurringContest): Promise<void> => {
    const now = clock.now()
    const until = Date.parse(recurring.until)
    if (until > now + CLOCK_BACK_MAX) return edit(recurring.id, (found) => void (found.until = iso(now)))
    const due = lastTime(recurring, zone(), now)
    if (due <= until) return
    await skip(
      recurring,
      timesBetween(recurring, until, due).map((at) => ({ at: iso(at), why: NOT_OPEN })),
    )
    const running = await runningOf(recurring.id)
    const why = now - due > LATE_MAX ? NOT_OPEN : running === null ? null : `"${running}" was still running.`
    if (why !== null) return skip(recurring, [{ at: iso(due), why }])
    try {
      await begin(recurring, due)
    } catch (error) {
      const expected = expectedError(error)
      if (expected === null) throw error
      await skip(recurring, [{ at: iso(due), why: expected.message.slice(0, SENTENCE_MAX) }])
    }
  }

  const check = async (): Promise<void> => {
    cancelWake()
    for (const recurring of home.content.recurring) {
      if (closed) return
      if (recurring.paused !== true) await beginIfDue(recurring).catch(options.onFatal)
    }
    plan()
  }

  /** Waits for the next time of all. */
  const plan = (): void => {
    cancelWake()
    const waiting = home.content.recurring.filter(({ paused }) => paused !== true)
    if (closed || !started || waiting.length === 0) return
    const now = clock.now()
    const next = Math.min(...waiting.map((each) => nextTime(each, zone(), now)))
    cancelWake = clock.wake(next, () => void inTurn(check).catch(options.onFatal))
  }

  const changed = (): void => {
    onChange()
    plan()
  }

  const summaryOf = async (recurring: RecurringContest): Promise<RecurringSummary> => {
    const { id, description, entrants, days, time, paused = false, skipped } = recurring
    const all = occurrencesOf(id)
    return {
      ...{ id, title: description.title, game: description.game, entrants, days, time, paused },
      agents: entrantsNow(home.content, recurring).entrants.length,
      next: paused ? null : iso(nextTime(recurring, zone(), clock.now())),
      contests: await Promise.all(all.slice(0, LISTED_OCCURRENCES).map((entry) => runner.summary(entry))),
      occurrences: all.length,
      skipped: skipped.toReversed(),
    }
  }

  return {
    async list() {
      return { timeZone: zone(), recurring: await Promise.all(home.content.recurring.map(summaryOf)) }
    },

    async add(description, wish) {
      checkRecurring(description)
      await keepTexts(home.folder, description)
      let id = ''
      await home.change(({ recurring, contests: all }) => {
        const taken = new Set([...recurring.map((each) => each.id), ...all.map((each) => each.recurring?.of)])
        const slug = slugOf(description.title)
        let number = 1
        while (taken.has(`${slug}-${number}`)) number++
        id = `${slug}-${number}`
        recurring.push({ id, description: withReferences(description), ...wish, until: iso(clock.now()), skipped: [] })
      })
      changed()
      return id
    },

    async edit({ recurring, title, paused, ...wish }) {
      await edit(recurring, (found) => {
        Object.assign(found, wish)
        found.description = { ...found.description, title }
        found.until = iso(clock.now())
        if (paused) found.paused = true
        else delete found.paused
      })
      changed()
    },

    async remove(id) {
      recurringOf(id)
      await home.change((content) => {
        content.recurring = content.recurring.filter((each) => each.id !== id)
      })
      changed()
    },

    run: (id) =>
      inTurn(async () => {
        const recurring = recurringOf(id)
        const running = await runningOf(id)
        if (running !== null)
          throw new ExpectedError(
            'usage',
            'contest-running',
            `"${running}" is still running; another one begins after it.`,
          )
        return begin(recurring, clock.now())
      }),

    start() {
      started = true
      return inTurn(check)
    },

    async zoneChanged() {
      await home.change(({ recurring }) => {
        for (const each of recurring) each.until = iso(clock.now())
      })
      changed()
    },

    async close() {
      closed = true
      cancelWake()
      await last
    },
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
