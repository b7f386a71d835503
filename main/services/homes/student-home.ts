import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import type { ContestId, EntrantId } from '../../contract/ids.ts'
import { concernsTeam } from '../../contract/people/closing-time.ts'
import type { PersonId } from '../../contract/people/people.ts'
import type { ComingMatches, DueContest, News, StudentHome } from '../../contract/people/student-home.ts'
import type { Team } from '../../contract/people/teams.ts'
import type { ContestEntry } from '../../contract/procedures/classroom.ts'
import type { ContestSummary } from '../../contract/procedures/contest-answers.ts'
import type { Agents } from '../agents/class-agents.ts'
import { settledClass } from '../agents/settled-class.ts'
import type { ClassCases } from '../cases/class-cases.ts'
import type { Contests } from '../contests/kept/class-contests.ts'
import type { ContestPages } from '../contests/running/contest-pages.ts'
import { afterRulingOf } from '../contests/results/ruled-results.ts'
import { attemptsToday } from '../hand-in/receive.ts'
import { attemptsView, placeOf, teamDeadline, type HandIns } from '../hand-in/class-hand-ins.ts'
import type { LiveMatches } from '../matches/live-matches.ts'
import { agentsOfTeam, ownAgent } from './own-agents.ts'

/** The news that are shown, and how far back those of a first visit go, in ms. */
const NEWS_SHOWN = 20
const FIRST_NEWS = 7 * 24 * 60 * 60 * 1_000
/** The matches to come that are listed of a contest, and the scheduled matches that are looked through for them. */
const COMING_SHOWN = 3
const LOOKED_THROUGH = 10_000

interface Sources {
  readonly home: ClassFolder
  readonly agents: Agents
  readonly contests: Contests
  readonly pages: ContestPages
  readonly live: Pick<LiveMatches, 'playing'>
  readonly handIns: HandIns
  readonly cases: Pick<ClassCases, 'kept'>
}

/** A student who looks at their home. */
export interface Visit {
  readonly person: PersonId | null
  /** undefined: they are in no team. */
  readonly team: Team | undefined
  /** True if the student may know of a contest. */
  sees(contest: ContestId): boolean
}

/** The home of a student. `since`: their last visit; null: they have not been here. */
export async function studentHome(sources: Sources, visit: Visit, since: string | null): Promise<StudentHome> {
  const { home, handIns } = sources
  const { team } = visit
  const own = team === undefined ? [] : agentsOfTeam(home.content, team.id)
  const open = await openContests(sources, visit)
  const [agents, coming, { now, news }] = await Promise.all([
    Promise.all(own.map((agent) => ownAgent(sources, agent, visit.sees))),
    comingMatches(sources, own, open),
    newsSince(sources, visit, since),
  ])
  return {
    now,
    team: team === undefined ? null : { name: team.name },
    attempts: team === undefined ? null : attemptsToday(handIns, team, visit.person),
    queue: team === undefined ? null : placeOf(handIns, team),
    due: dueContests(sources, visit, open),
    ...{ agents, news, coming },
  }
}

/** Contests that are not over, without practice and matches of people. */
async function openContests({ home, pages }: Sources, { sees }: Visit): Promise<readonly ContestSummary[]> {
  const open = home.content.contests.filter(
    ({ id, state, archived, description }) =>
      state === 'open' && archived !== true && description.practice !== true && sees(id),
  )
  return (await Promise.all(open.map((entry) => pages.summary(entry)))).filter(({ person }) => !person)
}

function dueContests({ handIns }: Sources, { team }: Visit, open: readonly ContestSummary[]): readonly DueContest[] {
  const closes = ({ deadline: { closing, deadline } }: DueContest): number => {
    const at = closing?.at ?? deadline?.closes
    return at === undefined ? Number.MAX_VALUE : Date.parse(at)
  }
  return open
    .map(({ contest, title, game }) => ({ contest, title, game, deadline: teamDeadline(handIns, team, contest) }))
    .sort((a, b) => closes(a) - closes(b))
}

/** The matches that the agents are to play in contests that are not over. */
async function comingMatches(
  sources: Sources,
  own: readonly EntrantId[],
  open: readonly ContestSummary[],
): Promise<readonly ComingMatches[]> {
  const found = open.map(async ({ contest, title, state }) => {
    const entry = sources.contests.entry(contest)
    const entrants = entrantsOf(sources.home, own, entry)
    if (entrants.size === 0) return []
    const begun = state !== 'open' || (await sources.contests.counts(contest).catch(() => null))?.finished !== 0
    return [{ contest, title, state, matches: begun ? await nextMatches(sources, entry, entrants) : [] }]
  })
  return (await Promise.all(found)).flat()
}

/** The entrants of a contest that are among these agents, with the names of these. */
function entrantsOf(
  { content }: Pick<ClassFolder, 'content'>,
  agents: readonly EntrantId[],
  { id }: ContestEntry,
): ReadonlyMap<EntrantId, EntrantId> {
  const entrants = new Map<EntrantId, EntrantId>()
  for (const agent of agents) {
    const entered = settledClass(content)
      .entered(agent)
      .find(({ entry }) => entry.id === id)
    for (const entrant of entered?.own ?? []) entrants.set(entrant, agent)
  }
  return entrants
}

/** The first matches of these entrants that are not over, as far as their stages are known. */
async function nextMatches(
  { contests, live }: Sources,
  { id, description }: ContestEntry,
  entrants: ReadonlyMap<EntrantId, EntrantId>,
): Promise<ComingMatches['matches']> {
  // Damaged histories are reported when their contest is opened.
  const record = await contests.record(id).catch(() => null)
  const playing = new Set(live.playing(id).map(({ match }) => match))
  const found: ComingMatches['matches'][number][] = []
  let looked = 0
  for (let index = 0; record !== null; index++) {
    const stage = record.stage(index)
    if (stage === null) break
    for (const { match, entrants: seats } of stage) {
      if (found.length >= COMING_SHOWN || ++looked > LOOKED_THROUGH) return found
      if (record.isDone(match)) continue
      const names = seats.map((at) => description.entrants[at]?.name ?? '')
      const mine = names.find((name) => entrants.has(name))
      if (mine === undefined) continue
      const against = names.filter((name) => name !== mine)
      found.push({ match, agent: entrants.get(mine)!, against, isPlaying: playing.has(match) })
    }
  }
  return found
}

/** The news for a student since their last visit, newest first. */
export async function newsSince(
  sources: Sources,
  visit: Visit,
  since: string | null,
): Promise<{ readonly now: string; readonly news: readonly News[] }> {
  const now = sources.handIns.now()
  const from = since === null ? now - FIRST_NEWS : Date.parse(since)
  const isNew = (at: string | undefined): at is string => at !== undefined && Date.parse(at) > from
  const news = [
    ...handInNews(sources, visit, isNew),
    ...extensionNews(sources, visit, isNew),
    ...caseNews(sources, visit, isNew),
    ...(await contestNews(sources, visit, isNew)),
  ]
  news.sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
  return { now: new Date(now).toISOString(), news: news.slice(0, NEWS_SHOWN) }
}

type IsNew = (at: string | undefined) => at is string

function handInNews({ handIns }: Sources, { team, person }: Visit, isNew: IsNew): readonly News[] {
  if (team === undefined) return []
  return attemptsView(handIns, team, person, { before: null, limit: NEWS_SHOWN })
    .attempts.filter(({ at }) => isNew(at))
    .map(({ at, file, by, state, reason }) => ({ what: 'hand-in', at, file, by, state, reason }))
}

function extensionNews({ home: { content } }: Sources, { person, team, sees }: Visit, isNew: IsNew): readonly News[] {
  return content.extensions.flatMap((extension) => {
    const { of, contest, until, at } = extension
    const isOwn = of.who === 'person' && of.person === person
    const closes = content.deadlines.find((each) => each.contest === contest)?.closes ?? until
    const concerns = team === undefined ? isOwn : concernsTeam(extension, closes, team)
    const entry = content.contests.find(({ id }) => id === contest)
    if (!concerns || !isNew(at) || entry === undefined || !sees(contest)) return []
    return [{ at, what: 'extension', until, contest, title: entry.description.title } as const]
  })
}

/** The contest of a case is named, whoever may see it: everybody of the class may read the case. */
function caseNews({ home: { content }, cases }: Sources, { team }: Visit, isNew: IsNew): readonly News[] {
  return [...cases.kept.values()].flatMap(({ id, entries, state: { filed } }) => {
    const { contest, other, against } = filed
    const at = entries.at(0)?.b.at
    if (against.what !== 'agent' || other.who !== 'team' || other.team !== team?.id || !isNew(at)) return []
    const title = content.contests.find((entry) => entry.id === contest)?.description.title ?? contest
    return [{ at, what: 'case', case: id, agent: against.name, contest, title } as const]
  })
}

async function contestNews({ home, contests }: Sources, { team, sees }: Visit, isNew: IsNew): Promise<readonly News[]> {
  const own = team === undefined ? [] : agentsOfTeam(home.content, team.id)
  const found = home.content.contests.map(async (entry): Promise<readonly News[]> => {
    const { id, added, ended, description } = entry
    if (description.practice === true || !sees(id) || contests.hasPerson(id)) return []
    const named = { contest: id, title: description.title }
    const news: News[] = isNew(added) ? [{ at: added, what: 'announced', ...named }] : []
    if (!isNew(ended)) return news
    const entrants = entrantsOf(home, own, entry)
    const rows = (await contests.record(id).catch(() => null))?.standings() ?? []
    const places = rows.flatMap(({ agent, rank }) => {
      const mine = entrants.get(agent)
      return mine === undefined ? [] : [{ agent: mine, rank, of: rows.length, ...afterRulingOf(entry) }]
    })
    return [...news, { at: ended, what: 'over', places, ...named }]
  })
  return (await Promise.all(found)).flat()
}
