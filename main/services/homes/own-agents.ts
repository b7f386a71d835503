import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import type { EntrantId, Sha256 } from '../../contract/ids.ts'
import { withPlainProblems } from '../../contract/people/narrowed.ts'
import type { OwnAgent, Placing, WeakPosition } from '../../contract/people/student-home.ts'
import type { TeamId } from '../../contract/people/teams.ts'
import { groupedFaults } from '../../contract/players/fault-groups.ts'
import type { Classroom, StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import type { AgentFault } from '../../contract/procedures/agent-answers.ts'
import { settledClass, type EnteredContest } from '../agents/settled-class.ts'
import type { Agents, SeesContest } from '../agents/class-agents.ts'
import type { Contests } from '../contests/kept/class-contests.ts'
import type { ContestRecord } from '../contests/standings/contest-record.ts'
import { afterRulingOf } from '../contests/results/ruled-results.ts'

/** The newest faults that are read, the versions whose faults are shown, and the groups of each. */
const FAULTS_READ = 500
const FAULTY_VERSIONS = 3
const GROUPS_SHOWN = 3
/** The newest contests of an agent whose places are shown. */
const PLACINGS = 6
/** The weak positions that are shown, and the least matches of either version from which one is concluded. */
const WEAK_SHOWN = 5
const LEAST_MATCHES = 2

interface Sources {
  readonly home: Pick<ClassFolder, 'content'>
  readonly agents: Pick<Agents, 'summary' | 'faults'>
  readonly contests: Pick<Contests, 'record'>
}

/** The names of the agents of a team, in the order in which they were first handed in. */
export function agentsOfTeam({ agents }: Pick<Classroom, 'agents'>, team: TeamId): readonly EntrantId[] {
  const newest = new Map(agents.map((version) => [version.manifest.name, version.owner]))
  return [...newest].flatMap(([name, owner]) => (owner === team ? name : []))
}

/**
 * The contests that count for an agent and that its team sees, newest first, with its entrants: neither practice, also that of a member
 * who plays by hand, nor repetitions.
 */
export function countingContests(content: Classroom, agent: EntrantId, sees: SeesContest): readonly EnteredContest[] {
  const counts = ({ entry: { id, description, practiceOf, rerun } }: EnteredContest): boolean =>
    description.practice !== true && practiceOf === undefined && rerun === undefined && sees(id)
  return settledClass(content).entered(agent).filter(counts).toReversed()
}

/** An agent of a team with its state, places, faults and weak positions. */
export async function ownAgent(sources: Sources, agent: EntrantId, sees: SeesContest): Promise<OwnAgent> {
  const { content } = sources.home
  const versions = content.agents.filter(({ manifest }) => manifest.name === agent).toReversed()
  const [summary, faults] = await Promise.all([
    sources.agents.summary(agent, sees),
    sources.agents.faults(agent, { offset: 0, limit: FAULTS_READ }, sees),
  ])
  const newest = withPlainProblems(summary).versions[0]!
  const { active } = settledClass(content)
  const plays = versions.find((version) => (active.get(version) ?? []).length > 0)
  const played = await playedContests(sources, agent, sees)
  return {
    ...{ agent, game: summary.game, newest },
    plays: plays?.number ?? null,
    placings: played.flatMap((each) => placingsIn(each, versions)).slice(0, PLACINGS),
    faults: faultsByVersion(faults.items, versions),
    ...comparison(played, versions),
  }
}

/** A contest in which an agent has played, with its record. */
interface PlayedContest extends EnteredContest {
  readonly record: Pick<ContestRecord, 'standings' | 'headToHead' | 'breakdowns'>
}

async function playedContests(
  { home, contests }: Sources,
  agent: EntrantId,
  sees: SeesContest,
): Promise<readonly PlayedContest[]> {
  const played: PlayedContest[] = []
  for (const { entry, own } of countingContests(home.content, agent, sees)) {
    // Damaged histories are reported when their contest is opened.
    const record = await contests.record(entry.id).catch(() => null)
    if (record !== null && record.standings().some((row) => own.has(row.agent) && row.matches > 0))
      played.push({ entry, own, record })
  }
  return played
}

const packageOf = ({ entry }: PlayedContest, entrant: EntrantId): Sha256 | undefined =>
  entry.description.entrants.find(({ name }) => name === entrant)?.agent

const numberOf = (versions: readonly StoredAgentVersion[], agent: Sha256 | undefined): number | null =>
  versions.find(({ hash }) => hash === agent)?.number ?? null

function placingsIn(played: PlayedContest, versions: readonly StoredAgentVersion[]): readonly Placing[] {
  const { entry, own, record } = played
  const rows = record.standings()
  return rows
    .filter((row) => own.has(row.agent) && row.matches > 0)
    .map(({ agent, rank }) => ({
      ...{ contest: entry.id, title: entry.description.title, rank, of: rows.length },
      version: numberOf(versions, packageOf(played, agent)),
      isOver: entry.state !== 'open',
      ...afterRulingOf(entry),
    }))
}

function faultsByVersion(faults: readonly AgentFault[], versions: readonly StoredAgentVersion[]): OwnAgent['faults'] {
  return [...Map.groupBy(faults, ({ agent }) => numberOf(versions, agent) ?? 0)]
    .filter(([version]) => version > 0)
    .sort(([a], [b]) => b - a)
    .slice(0, FAULTY_VERSIONS)
    .map(([version, all]) => ({ version, groups: groupedFaults(all).slice(0, GROUPS_SHOWN) }))
}

/** Sums of one version in one part of its matches. */
interface Sum {
  matches: number
  points: number
}
interface Part extends Pick<WeakPosition, 'part' | 'kind' | 'contest' | 'entrant'> {
  readonly now: Sum
  readonly before: Sum
}

/** The last version that has played compared with the last other one before it. `played`: newest first. */
function comparison(
  played: readonly PlayedContest[],
  versions: readonly StoredAgentVersion[],
): Pick<OwnAgent, 'compared' | 'weak'> {
  const inOrder = played.flatMap((each) => [...each.own].map((entrant) => packageOf(each, entrant)))
  const numbers = [...new Set(inOrder.flatMap((agent) => numberOf(versions, agent) ?? []))].sort((a, b) => b - a)
  const [now, before] = numbers
  if (now === undefined || before === undefined) return { compared: null, weak: [] }
  const parts = new Map<string, Part>()
  for (const each of played) {
    for (const entrant of each.own) {
      const number = numberOf(versions, packageOf(each, entrant))
      if (number === now || number === before) addParts(parts, each, entrant, number === now ? 'now' : 'before')
    }
  }
  const weak = [...parts.values()]
    .filter((part) => part.now.matches >= LEAST_MATCHES && part.before.matches >= LEAST_MATCHES)
    .map(({ now: last, before: former, ...more }) => ({ ...more, now: meanOf(last), before: meanOf(former) }))
    .filter((part) => part.now.mean < part.before.mean)
    .sort((a, b) => a.now.mean - a.before.mean - (b.now.mean - b.before.mean))
    .slice(0, WEAK_SHOWN)
  return { compared: { now, before }, weak }
}

const meanOf = ({ matches, points }: Sum): WeakPosition['now'] => ({ mean: points / matches, matches })

/** Adds the results of one entrant by opponent, by seat, and by map or setting. */
function addParts(
  parts: Map<string, Part>,
  { entry, own, record }: PlayedContest,
  entrant: EntrantId,
  which: 'now' | 'before',
): void {
  const add = (kind: WeakPosition['kind'], part: string, sum: Sum): void => {
    if (sum.matches === 0) return
    const key = `${kind} ${part}`
    // The first one that is found is the newest contest of the version.
    const known = parts.get(key) ?? {
      ...{ kind, part, contest: entry.id, entrant },
      ...{ now: { matches: 0, points: 0 }, before: { matches: 0, points: 0 } },
    }
    const isFirst = which === 'now' && known.now.matches === 0
    parts.set(key, isFirst ? { ...known, contest: entry.id, entrant } : known)
    known[which].matches += sum.matches
    known[which].points += sum.points
  }
  const { names, better, met } = record.headToHead()
  const me = names.indexOf(entrant)
  for (const [at, opponent] of names.entries())
    if (me !== -1 && !own.has(opponent)) add('opponent', opponent, { matches: met[me]![at]!, points: better[me]![at]! })
  const { 'By seat': seats = [], 'By map or setting': settings = [] } = record.breakdowns()
  for (const row of seats) if (row.agent === entrant) add('seat', row.part, row)
  for (const row of settings) if (row.agent === entrant) add('setting', row.part, row)
}
