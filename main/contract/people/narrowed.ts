import type { RegistrationView } from '../contests/registration.ts'
import type { RecurringList } from '../contests/recurring-procedures.ts'
import type {
  AgentSummary,
  ChallengeSummary,
  ContestDetail,
  ContestResult,
  ContestSummary,
  MatchEvent,
  Overview,
  Page,
  Settings,
} from '../procedures/answers.ts'
import type { ComponentSummary } from '../procedures/components.ts'
import { plainSentence } from '../plain-sentence.ts'
import type { CallerView } from './objects.ts'

// The answers that students and guests get in place of the whole ones. A member that they may not see has the value that it has
// where there is nothing to say.

/** A time that is not known, as in data folders that were written by older versions. */
const unknownTime = '1970-01-01T00:00:00.000Z'

/** Own agents as their team may know them; of the others the facts that contests show anyway: name, game, and the version that plays. */
export function narrowedAgents(answer: Page<AgentSummary>, view: CallerView): Page<AgentSummary> {
  return {
    ...answer,
    items: answer.items.map((each) => (view.ownsAgent(each.name) ? withPlainProblems(each) : publicAgent(each))),
  }
}

/** Problems of the machine that prevented a trial, without the paths of its files. */
export function withPlainProblems<T extends Pick<AgentSummary, 'versions'>>(agent: T): T {
  const versions = agent.versions.map((each) =>
    each.trial === null || each.trial === 'playing'
      ? each
      : { ...each, trial: { problem: plainSentence(each.trial.problem) } },
  )
  return { ...agent, versions }
}

/** An own agent, as its team may know it. The contests in which it takes part are those that the caller sees. */
export function narrowedAgent<T extends Pick<AgentSummary, 'versions'>>(answer: T): T {
  return withPlainProblems(answer)
}

/** Without candidates and versions that failed: nobody else is told when a team hands in, or how its trials end. */
function publicAgent({ name, game, kind, school, versions }: AgentSummary): AgentSummary {
  const playing = versions.filter(({ active }) => active.length > 0).slice(0, 1)
  const shown = playing.map(({ agent, number, team, policies, active }) => ({
    ...{ agent, number, team, policies, active },
    ...{ submitted: unknownTime, smoke: null, trial: null },
  }))
  return { name, game, kind, school, versions: shown, faults: 0 }
}

/** Without the parts that are for educators: their messages, the test of who treats whom differently, the arena, their decisions. */
export function narrowedContest(answer: ContestDetail, { seesContest, ownsAgent }: CallerView): ContestDetail {
  const { followedBy, phases, rerun, renamed } = answer
  const sees = ({ contest }: { readonly contest: string }): boolean => seesContest(contest)
  return {
    ...answer,
    ...{
      arena: null,
      notices: [],
      targeting: null,
      deciding: { withdraw: false, enter: false, pair: null, accept: false },
    },
    // The former name of an agent beside its pseudonym would tell whose it is.
    renamed: renamed.map((each) => ({
      ...each,
      agent: each.agent !== null && ownsAgent(each.agent) ? each.agent : null,
    })),
    followedBy: followedBy !== null && seesContest(followedBy) ? followedBy : null,
    phases: phases?.contests.every(sees) === true ? phases : null,
    rerun: rerun !== null && seesContest(rerun.of) ? rerun : null,
  }
}

/** The reasons of removals are for the educator and the agent's team. */
export function narrowedResult(answer: ContestResult): ContestResult {
  return { ...answer, alwaysRemoved: [] }
}

/** The matters that need attention are the educator's. */
export function narrowedOverview(answer: Overview, view: CallerView): Overview {
  return { ...answer, contests: narrowedSummaries(answer.contests, view), attention: [] }
}

export function narrowedSummaries(
  answer: readonly ContestSummary[],
  { seesContest }: CallerView,
): readonly ContestSummary[] {
  return answer.filter(({ contest }) => seesContest(contest))
}

/** The second agents of other teams are for the educator; where agents connect, for the teams that have one. */
export function narrowedRegistration(answer: RegistrationView, { reaches }: CallerView): RegistrationView {
  const isOwn = ({ team }: RegistrationView['entries'][number]): boolean => reaches('own', { team })
  const hasNetwork = answer.entries.some((each) => each.kind === 'network' && isOwn(each))
  return {
    ...answer,
    entries: answer.entries.flatMap((each) =>
      isOwn(each) ? each : each.plays ? { ...each, hasCredentials: false, absent: null } : [],
    ),
    addresses: hasNetwork ? answer.addresses : [],
  }
}

/** The reasons why a contest did not begin name agents and faults. */
export function narrowedRecurring(answer: RecurringList, view: CallerView): RecurringList {
  return {
    ...answer,
    recurring: answer.recurring.map((each) => ({
      ...each,
      contests: narrowedSummaries(each.contests, view),
      skipped: [],
    })),
  }
}

/** The output of a class's agents is for their teams alone, on the agents' own pages; an opened file is the caller's own. */
export function narrowedEvents(
  answer: Page<MatchEvent>,
  _view: CallerView,
  { source }: { readonly source: { readonly from: 'contest' | 'file' } },
): Page<MatchEvent> {
  if (source.from === 'file') return answer
  return { ...answer, items: answer.items.map((each) => (each.kind === 'console' ? { ...each, text: '' } : each)) }
}

/** The own challenges of the class are public when a contest that uses them is. */
export function narrowedChallenges(answer: readonly ChallengeSummary[], view: CallerView): readonly ChallengeSummary[] {
  return answer.filter((each) => showsChallenge(each, view))
}

/** True if a challenge ships with Tartaglia, or is in a contest that the caller sees. */
export function showsChallenge({ own, version }: ChallengeSummary, { seesChallenge }: CallerView): boolean {
  return !own || seesChallenge(version)
}

/** The components that an agent contains are known to its team. */
export function narrowedComponent<T extends ComponentSummary>(answer: T, { ownsAgent }: CallerView): T {
  return { ...answer, usedBy: answer.usedBy.filter(ownsAgent) }
}

export function narrowedComponents(answer: Page<ComponentSummary>, view: CallerView): Page<ComponentSummary> {
  return { ...answer, items: answer.items.map((each) => narrowedComponent(each, view)) }
}

/** How numbers and times are written, the name, the game and the terms of the class, and the reveal rule. */
export function narrowedSettings({
  locale,
  timeZone,
  school,
  revealAfter,
  letterKeys,
  game,
  terms,
  pseudonyms,
  retention,
}: Settings): Settings {
  return {
    ...{ locale, timeZone, school, revealAfter, letterKeys, game, terms, pseudonyms, retention },
    ...{ kitGiven: true, trialsAtOnce: 1 },
    ...{ appearance: 'system', tourSeen: true, isolation: 'bubblewrap', webAddresses: [], trustedKeys: [] },
    ...{ dataFolder: '', backupFolder: '', publicKey: '', fingerprint: '' },
    ...{ backups: { folder: '', everyHours: 0 }, backupState: null, updates: '' },
  }
}
