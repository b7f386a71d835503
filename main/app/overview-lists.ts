import type { ClassFolder } from '../administrator/classroom/classroom.ts'
import type { ContestEntry } from '../contract/procedures/classroom.ts'
import type { EntrantId, GameId } from '../contract/ids.ts'
import { searchKey } from '../contract/names.ts'
import { namesState } from '../contract/people/locked-names.ts'
import type { CallerView } from '../contract/people/objects.ts'
import type {
  ContestSummary,
  HistoryFacets,
  HistoryFilter,
  MatchSummary,
  Overview,
  Page,
} from '../contract/procedures/procedures.ts'
import { endingInHistory } from '../histories/match-ending.ts'
import type { RowFilter } from '../histories/segments/finished-table.ts'
import type { FinishedRow } from '../histories/segments/finished-pages.ts'
import { agentOf } from '../services/agents/entrant-agents.ts'
import type { Agents } from '../services/agents/class-agents.ts'
import type { ContestPages } from '../services/contests/running/contest-pages.ts'
import type { ContestRunner } from '../services/contests/running/contest-runner.ts'
import type { ContestResults } from '../services/contests/reports/contest-results.ts'
import type { Contests } from '../services/contests/kept/class-contests.ts'
import { subjectOf, wantedIn, wantsWhole } from '../services/histories/verify-many.ts'
import type { Matches } from '../services/matches/class-matches.ts'
import { gameContests } from '../services/contests/descriptions/new-contest.ts'
import { shownScore } from '../services/contests/formats/counting.ts'
import type { ScheduledBackups } from '../services/archive/scheduled-backups.ts'
import type { ReceiptChain } from '../services/hand-in/receipt-chain.ts'
import type { WallClock } from '../services/contests/recurring/wall-clock.ts'
import { dueData, dueSentences } from '../services/people/due-data.ts'

/** The part of a caller's view that decides about lists, before they are paged. */
type Sees = Pick<CallerView, 'seesContest'>

interface Search {
  readonly offset: number
  readonly limit: number
  readonly search: string
}

/** The maximum number of contests on the overview: running ones first, then the newest. */
const OVERVIEW_CONTESTS = 12
/** The maximum number of notices on the overview. */
const OVERVIEW_ATTENTION = 20

/** One page of a complete list. */
export function pageOf<T>(all: readonly T[], { offset, limit }: Omit<Search, 'search'>): Page<T> {
  return { items: all.slice(offset, offset + limit), offset, total: all.length }
}

/** Those that the caller sees, newest first. `search`: a part of the title or the id. `archived`: only archived ones; absent: only others. `person`: whether a person plays in them; absent: either. */
export async function contestPage(
  { home, pages, contests }: { home: ClassFolder; pages: ContestPages; contests: Pick<Contests, 'hasPerson'> },
  { seesContest }: Sees,
  { offset, limit, search, person, archived }: Search & { readonly person?: boolean; readonly archived?: true },
): Promise<Page<ContestSummary>> {
  const wanted = search.toLowerCase()
  const found = home.content.contests
    .filter(({ id, description }) => id.includes(wanted) || description.title.toLowerCase().includes(wanted))
    .filter((each) => each.archived === archived)
    .filter(({ id }) => seesContest(id))
    .filter(({ id }) => person === undefined || contests.hasPerson(id) === person)
    .toReversed()
  const items = await Promise.all(found.slice(offset, offset + limit).map((entry) => pages.summary(entry)))
  return { items, offset, total: found.length }
}

/** Finished matches of a contest, by number. `search`: a part of an entrant's name. */
export async function matchPage(
  home: ClassFolder,
  contests: Contests,
  contest: ContestEntry,
  matches: Matches,
  { offset, limit, search }: Search,
): Promise<Page<MatchSummary>> {
  const { finished } = await contests.record(contest.id)
  const { rows, total } = finished.page({ offset, limit }, named(contest, search))
  return { items: await matchSummaries(home, contests, contest, matches, rows), offset, total }
}

/** Finished matches of all contests that the caller sees and the filter wants, newest contest first. */
export async function historyPage(
  { home, contests, matches }: { home: ClassFolder; contests: Contests; matches: Matches },
  { seesContest }: Sees,
  { offset, limit, ...filter }: HistoryFilter & Omit<Search, 'search'>,
): Promise<Page<MatchSummary>> {
  const items: MatchSummary[] = []
  let total = 0
  for (const contest of home.content.contests.toReversed()) {
    const wanted = seesContest(contest.id) ? wantedIn(contest, filter) : null
    if (wanted === null) continue
    const from = Math.max(0, offset - total)
    const room = limit - items.length
    // Damaged histories are reported when their contest is opened.
    const { finished } = (await contests.counts(contest.id).catch(() => null)) ?? { finished: 0 }
    if (finished === 0) continue
    // Contests that are not on the page need not be read.
    if (wantsWhole(wanted) && (room === 0 || from >= finished)) {
      total += finished
      continue
    }
    const record = await contests.record(contest.id)
    const found = record.finished.page({ offset: from, limit: room }, wanted)
    items.push(...(await matchSummaries(home, contests, contest, matches, found.rows)))
    total += found.total
  }
  return { items, offset, total }
}

/** The maximum number of names that the filters of histories suggest. */
const FACET_PLAYERS = 1_000

/** The values by which the histories that the caller sees can be filtered. */
export function historyFacets({ content }: ClassFolder, { seesContest }: Sees): HistoryFacets {
  const contests = content.contests.filter(({ id }) => seesContest(id))
  const games = new Map<GameId, Set<string>>()
  for (const { description } of contests) {
    const subjects = games.get(description.game) ?? new Set()
    games.set(description.game, subjects)
    const subject = subjectOf(description)
    if (subject !== null) subjects.add(subject)
  }
  const players = new Set(contests.flatMap(({ description }) => description.entrants.map(({ name }) => name)))
  return {
    games: [...games].map(([game, subjects]) => ({ game, subjects: [...subjects].sort() })),
    players: [...players].sort((a, b) => a.localeCompare(b, 'en')).slice(0, FACET_PLAYERS),
  }
}

/** The sources of the overview. */
interface OverviewRooms {
  readonly home: ClassFolder
  readonly runner: Pick<ContestRunner, 'failure'>
  readonly pages: ContestPages
  readonly contests: Pick<Contests, 'hasPerson'>
  readonly agents: Agents
  readonly results: ContestResults
  /** The chain of receipts, with what is wrong with it. */
  readonly receipts: Pick<ReceiptChain, 'notices'>
  readonly backups: Pick<ScheduledBackups, 'state'>
  readonly clock: Pick<WallClock, 'now'>
}

/** The contests that the caller sees, without practice and matches of people, and what needs the educator's attention. */
export async function overview(
  { home, runner, pages, contests: { hasPerson }, agents, results, receipts, backups, clock }: OverviewRooms,
  { seesContest }: Sees,
): Promise<Overview> {
  const contests = home.content.contests.filter(({ id }) => seesContest(id))
  const active = (await pages.active()).filter(
    ({ contest, person, practice }) => seesContest(contest) && !person && practice !== true,
  )
  const others = contests
    .filter(
      ({ id, description, archived }) =>
        archived !== true &&
        !hasPerson(id) &&
        description.practice !== true &&
        !active.some(({ contest }) => contest === id),
    )
    .toReversed()
  const shown = [
    ...active,
    ...(await Promise.all(others.slice(0, OVERVIEW_CONTESTS).map((each) => pages.summary(each)))),
  ]
  const attention: { text: string; link: string }[] = [...home.notices, ...receipts.notices].map((text) => ({
    text,
    link: '#/contests',
  }))
  if (namesState(home.content) === 'locked')
    attention.push({ text: 'The names of this class are locked: unlock them with the passphrase.', link: '#/settings' })
  attention.push(...dueSentences(dueData(home.content, clock.now())))
  const { problem = null, tested = null } = backups.state() ?? {}
  for (const text of [problem, tested?.problem ?? null]) if (text !== null) attention.push({ text, link: '#/settings' })
  for (const { contest, title, state, progress } of shown) {
    const failure = runner.failure(contest)
    const link = `#/contests/${contest}`
    if (failure !== null) attention.push({ text: `${title} has stopped: ${failure}`, link })
    else if (state === 'gathering') {
      attention.push({ text: `${title} waits for agents on other machines; each needs its credential.`, link })
    } else if (state === 'open' && progress.done > 0) {
      attention.push({ text: `${title} is paused after ${progress.done} of ${progress.total} matches.`, link })
    }
    if (progress.done === 0 || state === 'running') continue
    // Damaged histories are reported when their contest is opened.
    const { alwaysRemoved } = await results.of(contest).catch(() => ({ alwaysRemoved: [] }))
    for (const text of alwaysRemoved) attention.push({ text: `${title}: ${text}`, link: `${link}?tab=facts` })
  }
  for (const { description, skipped, until } of home.content.recurring) {
    const newest = skipped.at(-1)
    if (newest === undefined || newest.at !== until) continue
    attention.push({ text: `${description.title} did not begin: ${newest.why}`, link: '#/contests/recurring' })
  }
  for (const name of agents.names()) {
    const newest = home.content.agents.findLast(({ manifest }) => manifest.name === name)
    if (newest?.smoke?.ok === false)
      attention.push({ text: `${name} is not fit to play: ${newest.smoke.text}`, link: `#/agents/${name}` })
  }
  return {
    agents: agents.names().length,
    contests: shown,
    attention: attention.slice(0, OVERVIEW_ATTENTION).map(({ text, link }) => ({ text, link: encodeURI(link) })),
  }
}

/** The matches of entrants whose names contain the search text; all without one. */
function named({ description }: ContestEntry, search: string): RowFilter {
  if (search === '') return {}
  const wanted = searchKey(search)
  const players = new Set(description.entrants.flatMap(({ name }) => (searchKey(name).includes(wanted) ? name : [])))
  return { players: [players] }
}

/** Maps each entrant to the name of its agent in the class. */
function agentsIn(home: ClassFolder, { description }: ContestEntry): ReadonlyMap<EntrantId, EntrantId | null> {
  const agent = agentOf(home.content)
  return new Map(description.entrants.map((entrant) => [entrant.name, agent(entrant)]))
}

/** Only the histories contain the results. */
async function matchSummaries(
  home: ClassFolder,
  contests: Contests,
  contest: ContestEntry,
  matches: Matches,
  rows: readonly FinishedRow[],
): Promise<readonly MatchSummary[]> {
  const agents = agentsIn(home, contest)
  const rules = gameContests(contest.description)
  const folder = contests.folder(contest.id)
  const summaries: MatchSummary[] = []
  for (const row of rows) {
    const { outcome } = await endingInHistory(folder, row)
    summaries.push({
      contest: contest.id,
      title: contest.description.title,
      ...(contest.description.practice === true ? { practice: true } : {}),
      match: row.match,
      seats: outcome.places.map(({ seat, rank, score, removed }) => {
        const name = row.entrants[seat] ?? ''
        return { name, agent: agents.get(name) ?? null, rank, score: shownScore(score, rules), removed }
      }),
      faults: row.faults.reduce((sum, each) => sum + each, 0),
      genuine: await matches.genuine(contest.id, row),
    })
  }
  return summaries
}
