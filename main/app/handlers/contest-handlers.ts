import type { Rooms } from '../rooms.ts'
import type { HandlersOf } from './handlers-of.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Caller } from '../../contract/people/caller.ts'
import type { TeamId } from '../../contract/people/teams.ts'
import { requireTeam, teamWith } from '../../services/people/teams.ts'
import { checkedDraft, unfitAgents } from '../../services/contests/descriptions/checked-draft.ts'
import { duplicateOf, nextPhaseOf } from '../../services/contests/kept/derived-contests.ts'
import { namedBreakdowns } from '../../services/contests/reports/contest-text-names.ts'
import { textNames } from '../../services/texts/text-names.ts'
import { teamsOf } from '../../services/contests/results/contest-shares.ts'
import { estimate } from '../../services/contests/kept/estimate.ts'
import { addRerun } from '../../services/contests/kept/rerun.ts'
import { contestPage, matchPage, pageOf } from '../overview-lists.ts'

/** The procedures of contests, and of those that recur. */
export function contestHandlers(rooms: Rooms): HandlersOf<'contests' | 'registrations' | 'recurring'> {
  const { home, contests, challenges, agents, runner, pages, results, parts, matches, cores, changed, signals, views } =
    rooms
  return {
    ...recurringHandlers(rooms),
    ...registrationHandlers(rooms),
    ...decisionHandlers(rooms),
    'contests.list': (input, caller) => contestPage({ home, pages, contests }, views.of(caller), input),
    'contests.result': ({ contest }) => results.of(contest),
    'contests.get': ({ contest }) => pages.detail(contest),
    async 'contests.standings'({ contest, asPlayed = false, ...page }) {
      contests.entry(contest)
      const record = await contests.record(contest)
      return pageOf((asPlayed ? record.asPlayed : record).standings(), page)
    },
    'contests.breakdowns': async ({ contest }) => {
      const { description } = contests.entry(contest)
      const { breakdowns } = await contests.record(contest)
      return namedBreakdowns(breakdowns(), await textNames(home.folder, description))
    },
    'contests.parts': ({ contest }) => parts.get(contest),
    'contests.entrants': async ({ contest, ...page }) => pageOf(contests.entry(contest).description.entrants, page),
    'contests.teams': async ({ contest }) => teamsOf(home.content, contests.entry(contest).description),
    async 'contests.matches'({ contest, entrant: search, ...page }) {
      const entry = contests.entry(contest)
      return matchPage(home, contests, entry, matches, { ...page, search })
    },
    'contests.estimate': ({ draft }) => estimate(home, contests, challenges, draft, cores),
    'contests.unfit': (settings) => unfitAgents(challenges, settings),
    'contests.try': ({ draft, agent }) => agents.tryIn(agent, draft),
    async 'contests.create'({ draft, arena }) {
      const { id } = await home.inTurn(async () => contests.add(await checkedDraft(home, challenges, draft, arena)))
      if (arena !== undefined) await contests.place(id, arena)
      signals.touch('status')
      return { contest: id }
    },
    async 'contests.duplicate'({ contest, ...changes }) {
      const { id } = await home.inTurn(async () => {
        const { description, renewed } = await duplicateOf(home, contests, contest, changes)
        return contests.add(description, { renewed })
      })
      const { arena } = contests.entry(contest)
      if (arena !== undefined) await contests.place(id, arena)
      signals.touch('status')
      return { contest: id }
    },
    async 'contests.rerun'({ contest }) {
      const { id } = await addRerun(home, contests, contest)
      signals.touch('status')
      await runner.start(id)
      return { contest: id }
    },
    async 'contests.nextPhase'({ deadline: entriesUntil, ...phase }) {
      const { id } = await home.inTurn(async () => {
        const { description, renewed } = await nextPhaseOf(contests, phase, challenges.texts)
        return contests.add(description, { entriesUntil, renewed })
      })
      changed(phase.contest)
      return { contest: id }
    },
    async 'contests.closeEntries'({ contest }) {
      await runner.closeEntries(contest)
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
    async 'contests.archive'({ contest, archived }) {
      await contests.archive(contest, archived)
      changed(contest)
      return null
    },
    'contests.deletion': ({ contest }) => contests.deletion(contest),
    async 'contests.delete'({ contest }) {
      if (runner.now(contest) !== null)
        throw new ExpectedError(
          'usage',
          'contest-running',
          `The contest "${contests.entry(contest).description.title}" is still being closed: try again.`,
        )
      await contests.delete(contest)
      signals.touch('status')
      return null
    },
  }
}

/** The procedures of the educator's decisions about a contest. */
function decisionHandlers({
  contests,
  runner,
  changed,
}: Rooms): Pick<HandlersOf<'contests'>, 'contests.consequences' | 'contests.decide' | 'contests.nextRound'> {
  return {
    'contests.consequences': ({ contest, wish }) => contests.consequences(contest, wish),
    async 'contests.decide'({ contest, wish }) {
      if (runner.now(contest) !== null)
        throw new ExpectedError(
          'usage',
          'contest-running',
          `The contest "${contests.entry(contest).description.title}" is being played: pause it first.`,
        )
      await contests.decide(contest, wish)
      changed(contest)
      return null
    },
    'contests.nextRound': ({ contest }) => contests.nextRound(contest),
  }
}

/** The procedures of registration, for the caller's team or, by staff, for any. */
function registrationHandlers({ home, contests, pages, runner, changed }: Rooms): HandlersOf<'registrations'> {
  const { registrations } = contests
  const isStaff = ({ role }: Caller): boolean => role !== 'student' && role !== 'guest'
  const wishOf = (team: TeamId | null, caller: Caller) => ({
    team: team ?? requireTeam(home.content, caller.person).id,
    isStaff: isStaff(caller),
  })
  return {
    async 'registrations.get'({ contest }, caller) {
      const team = teamWith(home.content, caller.person) ?? null
      const view = registrations.of(contest, team, isStaff(caller))
      const isConnecting = view.entries.some(({ kind }) => kind === 'network')
      const addresses = isConnecting ? (await pages.detail(contest)).arena?.now?.addresses : []
      return { ...view, addresses: addresses ?? [] }
    },
    async 'registrations.set'({ contest, rule }) {
      await registrations.allow(contest, rule)
      changed(contest)
      return null
    },
    async 'registrations.register'({ contest, team, agent }, caller) {
      await registrations.register(contest, { ...wishOf(team, caller), agent })
      changed(contest)
      return null
    },
    async 'registrations.withdraw'({ contest, team, entrant }, caller) {
      await registrations.withdraw(contest, { ...wishOf(team, caller), entrant })
      changed(contest)
      return null
    },
    async 'registrations.credentials'({ contest }, { person }) {
      if (runner.now(contest) !== null)
        throw new ExpectedError(
          'usage',
          'contest-running',
          `${contest} has begun: its credentials change when it is paused.`,
        )
      const made = await registrations.renewCredentials(contest, requireTeam(home.content, person).id)
      changed(contest)
      return made
    },
  }
}

/** The procedures of recurring contests. */
function recurringHandlers({ home, contests, challenges, recurring }: Rooms): HandlersOf<'recurring'> {
  return {
    'recurring.list': () => recurring.list(),
    'recurring.add': ({ draft, ...wish }) =>
      home.inTurn(async () => ({
        recurring: await recurring.add(await checkedDraft(home, challenges, draft, undefined), wish),
      })),
    async 'recurring.repeat'({ contest, title, ...wish }) {
      const description = await contests.complete(contest)
      return { recurring: await recurring.add({ ...description, title }, wish) }
    },
    async 'recurring.edit'(change) {
      await recurring.edit(change)
      return null
    },
    async 'recurring.remove'({ recurring: id }) {
      await recurring.remove(id)
      return null
    },
    'recurring.run': async ({ recurring: id }) => ({ contest: await recurring.run(id) }),
  }
}
