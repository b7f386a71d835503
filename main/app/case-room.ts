import type { ClassFolder } from '../administrator/classroom/classroom.ts'
import { ExpectedError } from '../contract/expected-error.ts'
import type { ContestId } from '../contract/ids.ts'
import { openCases, type ClassCases } from '../services/cases/class-cases.ts'
import { countRulings, type CountedRulings } from '../services/cases/count-rulings.ts'
import { followDeadlines, type FollowedDeadlines } from '../services/cases/follow-deadlines.ts'
import { createPresence, type CasePresence } from '../services/cases/presence.ts'
import type { Contests } from '../services/contests/kept/class-contests.ts'
import type { WallClock } from '../services/contests/recurring/wall-clock.ts'
import type { ContestRunner } from '../services/contests/running/contest-runner.ts'
import { ignoreExpectedErrors } from '../services/ignore-expected-errors.ts'
import type { Signals } from './topic-signals.ts'

/** The cases of a class, with what follows from them. */
export interface CaseRoom {
  readonly cases: ClassCases
  readonly caseDeadlines: FollowedDeadlines
  readonly caseRulings: CountedRulings
  readonly casePresence: CasePresence
}

interface Around {
  readonly home: ClassFolder
  readonly clock: WallClock
  readonly signals: Signals
  readonly contests: Contests
  readonly runner: ContestRunner
  /** Reports that a contest has changed. */
  readonly changed: (contest: ContestId) => void
  readonly onFatal: (error: unknown) => void
}

/** Opens the cases of the class, whose deadlines are followed from the first look on. */
export function openCaseRoom({ home, clock, signals, contests, runner, changed, onFatal }: Around): CaseRoom {
  const cases = openCases(home, {
    now: () => clock.now(),
    steady: () => clock.steady(),
    onChange(id) {
      signals.touch('cases')
      signals.touch(`case:${id}`)
      signals.touch(`caseRoom:${id}`)
      // Not within the step that is being taken.
      queueMicrotask(() => caseDeadlines.look())
    },
  })
  /** Plays matches again that a ruling has annulled. Agents on other machines are not there by themselves. */
  const playAgain = async (contest: ContestId): Promise<void> => {
    if (contests.entry(contest).state !== 'ended' || contests.connects(contest) || contests.hasPerson(contest)) return
    if ((await contests.record(contest)).toPlayAgain.length > 0) await runner.start(contest).catch(ignoreExpectedErrors)
  }
  const rule: Parameters<typeof countRulings>[1] = async (contest, ruling) => {
    if (runner.now(contest) !== null)
      throw new ExpectedError(
        'usage',
        'contest-running',
        `The contest "${contests.entry(contest).description.title}" is being played: pause it first.`,
      )
    const counted = await contests.countRuling(contest, ruling)
    changed(contest)
    await playAgain(contest)
    return counted
  }
  const caseRulings = countRulings(cases, rule, onFatal)
  const caseDeadlines = followDeadlines(
    cases,
    (at, call) => clock.wake(at, call),
    () => void caseRulings.count().catch(onFatal),
  )
  const casePresence = createPresence(cases, (id) => signals.touch(`caseRoom:${id}`))
  return { cases, caseDeadlines, caseRulings, casePresence }
}
