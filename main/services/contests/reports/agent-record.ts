import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import type { ContestEntry } from '../../../contract/procedures/classroom.ts'
import type { ContestId, EntrantId, Sha256 } from '../../../contract/ids.ts'
import type {
  AgentConsole,
  AgentFault,
  AgentResults,
  MatchEvent,
  OpponentResult,
  Page,
  VersionResult,
} from '../../../contract/procedures/procedures.ts'
import type { FinishedRow, SeatCount } from '../../../histories/segments/finished-pages.ts'
import { endingInHistory } from '../../../histories/match-ending.ts'
import type { AgentRecord, Paging, SeesContest } from '../../agents/class-agents.ts'
import { agentOf } from '../../agents/entrant-agents.ts'
import { settledClass } from '../../agents/settled-class.ts'
import type { Matches } from '../../matches/class-matches.ts'
import type { Contests } from '../kept/class-contests.ts'
import type { ContestRecord } from '../standings/contest-record.ts'

/** The maximum number of characters of console output on a page; the first match may exceed it. */
const CONSOLE_CHARACTERS = 1024 * 1024

/** The places where an agent's record is read. */
interface Sources {
  readonly home: ClassFolder
  readonly contests: Pick<Contests, 'counts' | 'record' | 'folder'>
  readonly matches: Pick<Matches, 'only'>
}

/** The record of the class's agents, read from the histories of its contests at each call. */
export function openAgentRecord(sources: Sources): AgentRecord {
  return {
    faultCount: (name, sees) => faultCount(sources, name, sees),
    faults: (name, page, sees) => faultPage(sources, name, page, sees),
    console: (name, page, sees) => consolePage(sources, name, page, sees),
    results: (name, versions, sees) => agentResults(sources, name, versions, sees),
  }
}

/** A match of an agent, with a number for each of its seats. */
interface Counted {
  readonly contest: ContestId
  readonly title: string
  readonly match: number
  readonly row: FinishedRow
  readonly seats: ReadonlyMap<number, number>
  /** The package of each seat. */
  readonly versions: readonly Sha256[]
}

/** The matches of an agent with nonzero counts, newest first. `seats` maps its seats to their counts. */
async function* counted(
  { home, contests }: Sources,
  name: EntrantId,
  sees: SeesContest,
  ...what: readonly SeatCount[]
): AsyncGenerator<Counted> {
  for (const { entry, own } of settledClass(home.content).entered(name).toReversed()) {
    const { id, description } = entry
    if (!sees(id)) continue
    // Damaged histories are reported when their contest is opened.
    const counts = await contests.counts(id).catch(() => null)
    if (counts === null || ![...own].some((entrant) => what.some((each) => counts[each].has(entrant)))) continue
    const { finished } = await contests.record(id)
    for (const row of finished.noticed(what, own)) {
      const seats = new Map<number, number>()
      for (const [seat, entrant] of row.entrants.entries()) {
        const count = what.reduce((sum, each) => sum + (row[each][seat] ?? 0), 0)
        if (own.has(entrant) && count > 0) seats.set(seat, count)
      }
      const entrants = new Map(description.entrants.map((entrant) => [entrant.name, entrant.agent]))
      const versions = row.entrants.map((entrant) => entrants.get(entrant) ?? '')
      yield { contest: id, title: description.title, row, match: row.match, seats, versions }
    }
  }
}

async function faultCount({ home, contests }: Sources, name: EntrantId, sees: SeesContest): Promise<number> {
  let faults = 0
  for (const { entry, own } of settledClass(home.content).entered(name)) {
    if (!sees(entry.id)) continue
    // Damaged histories are reported when their contest is opened.
    const counts = await contests.counts(entry.id).catch(() => null)
    for (const entrant of own) faults += (counts?.faults.get(entrant) ?? 0) + (counts?.removals.get(entrant) ?? 0)
  }
  return faults
}

async function faultPage(
  sources: Sources,
  name: EntrantId,
  { offset, limit }: Paging,
  sees: SeesContest,
): Promise<Page<AgentFault>> {
  const items: AgentFault[] = []
  let before = 0
  for await (const one of counted(sources, name, sees, 'faults', 'removals')) {
    const here = [...one.seats.values()].reduce((sum, each) => sum + each, 0)
    if (before + here > offset && items.length < limit) {
      const found = [...(await faultsIn(sources, one)), ...(await removalsIn(sources, one))]
      items.push(...found.slice(Math.max(0, offset - before), offset + limit - before))
    }
    before += here
  }
  return { items, offset, total: before }
}

async function faultsIn(
  { matches }: Sources,
  { contest, title, match, row, seats, versions }: Counted,
): Promise<readonly AgentFault[]> {
  if (row.faults.every((count) => count === 0)) return []
  return (await matches.only(contest, match, 'fault')).flatMap((event) => {
    if (event.kind !== 'fault' || !seats.has(event.seat)) return []
    const { at, seat, fault } = event
    return [{ contest, title, match, seat, agent: versions[seat]!, what: { at, fault } }]
  })
}

async function removalsIn(
  { contests }: Sources,
  { contest, title, match, row, seats, versions }: Counted,
): Promise<readonly AgentFault[]> {
  const removed = [...seats.keys()].filter((seat) => row.removals[seat] === 1)
  if (removed.length === 0) return []
  const { outcome } = await endingInHistory(contests.folder(contest), row)
  return removed.map((seat) => {
    const removal = outcome.places[seat]?.reason ?? 'It was removed from the match.'
    return { contest, title, match, seat, agent: versions[seat]!, what: { removal } }
  })
}

async function consolePage(
  sources: Sources,
  name: EntrantId,
  { offset, limit }: Paging,
  sees: SeesContest,
): Promise<Page<AgentConsole>> {
  const items: AgentConsole[] = []
  let characters = 0
  let total = 0
  for await (const { contest, title, match, seats } of counted(sources, name, sees, 'printed')) {
    if (++total <= offset || items.length >= limit || characters > CONSOLE_CHARACTERS) continue
    const text = textOf(await sources.matches.only(contest, match, 'console'), seats)
    characters += text.length
    if (items.length > 0 && characters > CONSOLE_CHARACTERS) continue
    items.push({ contest, title, match, text })
  }
  return { items, offset, total }
}

function textOf(events: readonly MatchEvent[], seats: ReadonlyMap<number, number>): string {
  const lines = events.flatMap((event) => (event.kind === 'console' && seats.has(event.seat) ? [event.text] : []))
  return lines.map((text) => (text.endsWith('\n') ? text : `${text}\n`)).join('')
}

type Sums<T> = { -readonly [K in keyof T]: T[K] }

/**
 * The results of an agent in all contests whose histories can be read, except practice and contests that repeat another.
 * `versions`: its packages, newest first. Contests of more than `DETAIL_MAX` entrants count by version only.
 */
async function agentResults(
  { home, contests }: Sources,
  name: EntrantId,
  versions: readonly Sha256[],
  sees: SeesContest,
): Promise<AgentResults> {
  const opponents = new Map<string, Sums<OpponentResult>>()
  const byVersion = new Map<Sha256, Sums<VersionResult>>()
  for (const { entry: contest, own } of settledClass(home.content).entered(name)) {
    if (!sees(contest.id) || contest.description.practice === true || contest.rerun !== undefined) continue
    // Damaged histories are reported when their contest is opened.
    const record = await contests.record(contest.id).catch(() => null)
    if (record === null) continue
    addVersions(byVersion, contest, record, own)
    addOpponents(opponents, home, contest, record, own)
  }
  const place = ({ agent }: VersionResult): number => versions.indexOf(agent)
  return {
    opponents: [...opponents.values()].sort((a, b) => b.matches - a.matches),
    versions: [...byVersion.values()].sort((a, b) => place(a) - place(b)),
  }
}

function addVersions(
  to: Map<Sha256, Sums<VersionResult>>,
  { description }: ContestEntry,
  record: Pick<ContestRecord, 'totals'>,
  own: ReadonlySet<EntrantId>,
): void {
  const packages = new Map(description.entrants.map((entrant) => [entrant.name, entrant.agent]))
  for (const row of record.totals()) {
    if (!own.has(row.agent) || row.matches === 0) continue
    const agent = packages.get(row.agent)!
    const sum = to.get(agent) ?? { agent, matches: 0, wins: 0, faults: 0, removals: 0 }
    to.set(agent, sum)
    sum.matches += row.matches
    sum.wins += row.wins
    sum.faults += row.faults
    sum.removals += row.removals
  }
}

function addOpponents(
  to: Map<string, Sums<OpponentResult>>,
  home: ClassFolder,
  { description }: ContestEntry,
  record: Pick<ContestRecord, 'headToHead'>,
  own: ReadonlySet<EntrantId>,
): void {
  const { names, better, met, scores = false } = record.headToHead()
  const agent = agentOf(home.content)
  const agents = new Map(description.entrants.map((entrant) => [entrant.name, agent(entrant)]))
  for (const [i, me] of names.entries()) {
    if (!own.has(me)) continue
    for (const [j, other] of names.entries()) {
      const matches = met[i]![j]!
      if (own.has(other) || matches === 0) continue
      const known = agents.get(other) ?? null
      const opponent = known ?? other
      // An agent of the class and a person may have the same name.
      const key = `${known === null ? 'other' : 'agent'} ${opponent}`
      const sum = to.get(key) ?? { opponent, agent: known, matches: 0, ranked: 0, ahead: 0, scored: 0, score: 0 }
      to.set(key, sum)
      sum.matches += matches
      if (scores) {
        sum.scored += matches
        sum.score += better[i]![j]!
      } else {
        sum.ranked += matches
        sum.ahead += better[i]![j]!
      }
    }
  }
}
