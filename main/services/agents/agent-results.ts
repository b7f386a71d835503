import type { ContestRecord } from '../contests/standings/contest-record.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import type { ContestEntry } from '../../contract/procedures/classroom.ts'
import type { EntrantId, Sha256 } from '../../contract/ids.ts'
import type { AgentResults, OpponentResult, VersionResult } from '../../contract/procedures/procedures.ts'
import type { Contests } from '../contests/kept/class-contests.ts'
import { agentOf, ownEntrants } from './entrant-agents.ts'

type Sums<T> = { -readonly [K in keyof T]: T[K] }

/**
 * The results of an agent in all contests, but practice and those that repeat another, whose histories can be read. `versions`: its packages, newest first. Contests
 * of more than `DETAIL_MAX` entrants count by version only.
 */
export async function agentResults(
  home: ClassFolder,
  contests: Pick<Contests, 'record'>,
  name: EntrantId,
  versions: readonly Sha256[],
): Promise<AgentResults> {
  const opponents = new Map<string, Sums<OpponentResult>>()
  const byVersion = new Map<Sha256, Sums<VersionResult>>()
  for (const contest of home.content.contests) {
    const own = new Set(ownEntrants(home.content, name, contest.description.entrants))
    if (own.size === 0 || contest.description.practice === true || contest.rerun !== undefined) continue
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
