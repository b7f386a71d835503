import type { ClassFolder } from '../administrator/classroom/classroom.ts'
import type { contestProcedures } from '../contract/contests/contest-procedures.ts'
import type { ContestId } from '../contract/ids.ts'
import type { Handlers } from '../contract/procedures/procedures.ts'
import type { Challenges } from '../services/challenges/class-challenges.ts'
import { checkedDraft } from '../services/contests/descriptions/checked-draft.ts'
import type { Contests } from '../services/contests/kept/class-contests.ts'
import type { ContestParts } from '../services/contests/reports/contest-parts.ts'
import type { ContestResults } from '../services/contests/reports/contest-results.ts'
import type { ContestRunner } from '../services/contests/running/contest-runner.ts'
import { duplicateOf } from '../services/contests/kept/duplicate.ts'
import { estimate } from '../services/contests/kept/estimate.ts'
import { addRerun } from '../services/contests/kept/rerun.ts'
import { nextPhaseOf } from '../services/contests/kept/next-phase.ts'
import type { Matches } from '../services/matches/class-matches.ts'
import { contestPage, matchPage, pageOf } from './overview-lists.ts'

interface ContestRoom {
  readonly home: ClassFolder
  readonly contests: Contests
  readonly challenges: Challenges
  readonly runner: ContestRunner
  readonly results: ContestResults
  readonly parts: ContestParts
  readonly matches: Matches
  /** Match workers. */
  readonly cores: number
  /** Reports that a contest has changed. */
  readonly changed: (contest: ContestId) => void
  /** Reports that the value of a topic has changed. */
  readonly touch: (topic: string) => void
}

/** The procedures of contests. */
export function contestHandlers(room: ContestRoom): Pick<Handlers, keyof typeof contestProcedures> {
  const { home, contests, challenges, runner, results, parts, matches, cores, changed, touch } = room
  return {
    'contests.list': (input) => contestPage({ home, runner, contests }, input),
    'contests.result': ({ contest }) => results.of(contest),
    'contests.get': ({ contest }) => runner.detail(contest),
    async 'contests.standings'({ contest, ...page }) {
      contests.entry(contest)
      return pageOf((await contests.record(contest)).standings(), page)
    },
    'contests.breakdowns': async ({ contest }) => {
      contests.entry(contest)
      return (await contests.record(contest)).breakdowns()
    },
    'contests.parts': ({ contest }) => parts.get(contest),
    'contests.entrants': async ({ contest, ...page }) => pageOf(contests.entry(contest).description.entrants, page),
    async 'contests.matches'({ contest, entrant: search, ...page }) {
      const entry = contests.entry(contest)
      return matchPage(home, contests, entry, matches, { ...page, search })
    },
    'contests.estimate': ({ draft }) => estimate(home, contests, challenges, draft, cores),
    async 'contests.create'({ draft, arena }) {
      const { id } = await home.inTurn(async () => contests.add(await checkedDraft(home, challenges, draft, arena)))
      if (arena !== undefined) await contests.place(id, arena)
      touch('status')
      return { contest: id }
    },
    async 'contests.duplicate'({ contest, ...changes }) {
      const { id } = await home.inTurn(async () => contests.add(await duplicateOf(home, contests, contest, changes)))
      const { arena } = contests.entry(contest)
      if (arena !== undefined) await contests.place(id, arena)
      touch('status')
      return { contest: id }
    },
    async 'contests.rerun'({ contest }) {
      const { id } = await addRerun(home, contests, contest)
      touch('status')
      await runner.start(id)
      return { contest: id }
    },
    async 'contests.nextPhase'({ deadline: entriesUntil, ...phase }) {
      const { id } = await home.inTurn(async () =>
        contests.add(await nextPhaseOf(contests, phase, challenges.texts), { entriesUntil }),
      )
      changed(phase.contest)
      return { contest: id }
    },
    async 'contests.closeEntries'({ contest }) {
      await contests.closeEntries(contest, { early: true })
      changed(contest)
      return null
    },
    async 'contests.start'({ contest, arena: place, phrase }) {
      await runner.start(contest, { ...(place && { place }), ...(phrase !== undefined && { phrase }) })
      return null
    },
    'contests.credentials': async ({ contest }) => runner.credentials(contest),
    async 'contests.finish'({ contest }) {
      await runner.finish(contest)
      return null
    },
    async 'contests.pause'({ contest }) {
      await runner.pause(contest)
      return null
    },
    async 'contests.cancel'({ contest }) {
      await runner.cancel(contest)
      return null
    },
  }
}
