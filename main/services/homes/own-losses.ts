import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { versionsOf } from '../../administrator/classroom/active-versions.ts'
import type { Outcome } from '../../contract/game/outcome.ts'
import type { ContestId, EntrantId, MatchNumber } from '../../contract/ids.ts'
import type { OwnLoss } from '../../contract/people/student-home.ts'
import type { Team } from '../../contract/people/teams.ts'
import type { ContestEntry } from '../../contract/procedures/classroom.ts'
import { endingInHistory } from '../../histories/match-ending.ts'
import type { FinishedRow } from '../../histories/segments/finished-pages.ts'
import type { SeesContest } from '../agents/class-agents.ts'
import type { Contests } from '../contests/kept/class-contests.ts'
import type { Matches } from '../matches/class-matches.ts'
import type { SwingOfMatch } from '../../worker/protocol.ts'
import { ignoreExpectedErrors } from '../ignore-expected-errors.ts'
import { agentsOfTeam, countingContests } from './own-agents.ts'

/** The losses of an agent that are shown. */
const SHOWN = 5
/** The newest matches of an agent's last version whose results are read, and those that are replayed: the ones it lost most clearly. */
const LOOKED_AT = 100
const REPLAYED = 8
/** The matches whose losses, and those whose places are kept in memory; a finished match never changes. */
const LOSSES_KEPT = 5_000
const PLACES_KEPT = 20_000

/** The largest losses of the agents of teams. */
export interface Losses {
  /** See the procedure `student.losses`. None for somebody without a team. */
  of(visit: { readonly team: Team | undefined; readonly sees: SeesContest }): Promise<readonly OwnLoss[]>
}

interface Sources {
  readonly home: Pick<ClassFolder, 'content'>
  readonly contests: Pick<Contests, 'record' | 'folder'>
  readonly matches: Pick<Matches, 'swings'>
}

interface OpenLosses extends Sources {
  /** By contest and match: finished matches never change. */
  readonly swings: MatchFacts<readonly SwingOfMatch[]>
  readonly places: MatchFacts<readonly SeatPlace[]>
}

export function openLosses(sources: Sources): Losses {
  const losses: OpenLosses = { ...sources, swings: matchFacts(LOSSES_KEPT), places: matchFacts(PLACES_KEPT) }
  return {
    async of({ team, sees }) {
      if (team === undefined) return []
      const found: OwnLoss[] = []
      for (const agent of agentsOfTeam(sources.home.content, team.id))
        found.push(...(await ofAgent(losses, agent, sees)))
      return found
    },
  }
}

/** A place in a finished match. */
type SeatPlace = Pick<Outcome['places'][number], 'seat' | 'rank' | 'score'>

/** A match of an agent, by one of its seats. */
interface Seated extends SeatPlace {
  readonly entry: ContestEntry
  readonly row: FinishedRow
}

/** Gives a fact of a match, which is found at most once at a time. */
type MatchFacts<T> = (contest: ContestId, match: MatchNumber, find: () => Promise<T>) => Promise<T>

/** Keeps the facts of this number of matches; those that were needed longest ago are dropped, and so are those that could not be found. */
function matchFacts<T>(most: number): MatchFacts<T> {
  const kept = new Map<string, Promise<T>>()
  return (contest, match, find) => {
    const key = `${contest} ${match}`
    const found = kept.get(key) ?? find()
    kept.delete(key)
    kept.set(key, found)
    found.catch(() => kept.get(key) === found && kept.delete(key))
    if (kept.size > most) kept.delete(kept.keys().next().value!)
    return found
  }
}

async function ofAgent(losses: OpenLosses, agent: EntrantId, sees: SeesContest): Promise<readonly OwnLoss[]> {
  const lost = (await matchesOfLastVersion(losses, agent, sees))
    .sort((a, b) => b.rank - a.rank || a.score - b.score || b.row.match - a.row.match)
    .slice(0, REPLAYED)
  const found: OwnLoss[] = []
  for (const each of lost) found.push(...(await lossesIn(losses, agent, each)))
  return found.sort((a, b) => a.amount - b.amount || a.match - b.match || a.event - b.event).slice(0, SHOWN)
}

/** The newest matches of the version that played in the agent's newest contest. */
async function matchesOfLastVersion(losses: OpenLosses, agent: EntrantId, sees: SeesContest): Promise<Seated[]> {
  const { home, contests } = losses
  const found: Seated[] = []
  let last: string | null = null
  for (const { entry, own } of countingContests(home.content, agent, sees)) {
    // Damaged histories are reported when their contest is opened.
    const record = await contests.record(entry.id).catch(() => null)
    if (record === null) continue
    const players = new Set(
      entry.description.entrants.flatMap((each) =>
        own.has(each.name) && (last === null || each.agent === last) ? each.name : [],
      ),
    )
    const { total } = record.finished.page({ offset: 0, limit: 0 }, { players: [players] })
    if (total === 0) continue
    last ??= entry.description.entrants.find(({ name }) => players.has(name))?.agent ?? null
    const room = LOOKED_AT - found.length
    const { rows } = record.finished.page({ offset: Math.max(0, total - room), limit: room }, { players: [players] })
    for (const row of rows) found.push(...(await seatsIn(losses, entry, row, players)))
    if (found.length >= LOOKED_AT) break
  }
  return found
}

async function seatsIn(
  { contests, places }: OpenLosses,
  entry: ContestEntry,
  row: FinishedRow,
  players: ReadonlySet<EntrantId>,
): Promise<readonly Seated[]> {
  const all = await places(entry.id, row.match, async () => {
    const { outcome } = await endingInHistory(contests.folder(entry.id), row)
    return outcome.places.map(({ seat, rank, score }) => ({ seat, rank, score }))
  })
  return all.flatMap((place) => (players.has(row.entrants[place.seat] ?? '') ? [{ entry, row, ...place }] : []))
}

async function lossesIn(
  losses: OpenLosses,
  agent: EntrantId,
  { entry, row, seat }: Seated,
): Promise<readonly OwnLoss[]> {
  const { id, description } = entry
  const swings = await swingsIn(losses, id, row.match)
  const own = swings.filter((each) => each.seat === seat && each.amount < 0)
  const sum = own.reduce((all, { amount }) => all + amount, 0)
  const entrant = description.entrants.find(({ name }) => name === row.entrants[seat])
  const [played] = entrant === undefined ? [] : versionsOf(losses.home.content.agents, entrant)
  return own.map(({ event, round, amount, line = 0 }) => ({
    ...{ contest: id, title: description.title, agent, match: row.match, seat, round, amount },
    version: played?.hash ?? '',
    against: row.entrants.filter((_, at) => at !== seat),
    event: event + 1,
    line: line + 1,
    share: amount / sum,
  }))
}

/** The swings of a match; none if it cannot be replayed. */
async function swingsIn(
  { swings, matches }: OpenLosses,
  contest: ContestId,
  match: MatchNumber,
): Promise<readonly SwingOfMatch[]> {
  return (await swings(contest, match, () => matches.swings(contest, match)).catch(ignoreExpectedErrors)) ?? []
}
