import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { versionsOf } from '../../administrator/classroom/active-versions.ts'
import type { ContestId, EntrantId, MatchNumber, SeatId } from '../../contract/ids.ts'
import type { OwnLoss } from '../../contract/people/student-home.ts'
import type { Team } from '../../contract/people/teams.ts'
import type { ContestEntry } from '../../contract/procedures/classroom.ts'
import { endingInHistory } from '../../histories/match-ending.ts'
import type { FinishedRow } from '../../histories/segments/finished-pages.ts'
import type { SeesContest } from '../agents/class-agents.ts'
import type { Contests } from '../contests/kept/class-contests.ts'
import type { Matches, PlacedSwing } from '../matches/class-matches.ts'
import { ignoreExpectedErrors } from '../ignore-expected-errors.ts'
import { agentsOfTeam, countingContests } from './own-agents.ts'

/** The losses of an agent that are shown. */
const SHOWN = 5
/** The newest matches of an agent's last version whose results are read, and those that are replayed: the ones it lost most clearly. */
const LOOKED_AT = 100
const REPLAYED = 8
/** The matches whose losses are kept in memory; a finished match never changes. */
const KEPT = 5_000

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
  /** By contest and match, the one that was needed last at the end. */
  readonly known: Map<string, readonly PlacedSwing[]>
  /** Settles when the matches asked for so far have been replayed: one at a time, so that contests keep the other cores. */
  turn: Promise<unknown>
}

export function openLosses(sources: Sources): Losses {
  const losses: OpenLosses = { ...sources, known: new Map(), turn: Promise.resolve() }
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

/** A match of an agent, by one of its seats. */
interface Seated {
  readonly entry: ContestEntry
  readonly row: FinishedRow
  readonly seat: SeatId
  readonly rank: number
  readonly score: number
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
async function matchesOfLastVersion(
  { home: { content }, contests }: OpenLosses,
  agent: EntrantId,
  sees: SeesContest,
): Promise<Seated[]> {
  const found: Seated[] = []
  let last: string | null = null
  for (const { entry, own } of countingContests(content, agent, sees)) {
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
    for (const row of rows) found.push(...(await seatsIn(contests.folder(entry.id), entry, row, players)))
    if (found.length >= LOOKED_AT) break
  }
  return found
}

async function seatsIn(
  folder: string,
  entry: ContestEntry,
  row: FinishedRow,
  players: ReadonlySet<EntrantId>,
): Promise<readonly Seated[]> {
  const { outcome } = await endingInHistory(folder, row)
  return outcome.places.flatMap(({ seat, rank, score }) =>
    players.has(row.entrants[seat] ?? '') ? [{ entry, row, seat, rank, score }] : [],
  )
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
async function swingsIn(losses: OpenLosses, contest: ContestId, match: MatchNumber): Promise<readonly PlacedSwing[]> {
  const key = `${contest} ${match}`
  const inTurn = losses.turn.then(async () => {
    const found = losses.known.get(key) ?? (await losses.matches.swings(contest, match).catch(ignoreExpectedErrors))
    if (found === undefined) return []
    losses.known.delete(key)
    losses.known.set(key, found)
    if (losses.known.size > KEPT) losses.known.delete(losses.known.keys().next().value!)
    return found
  })
  losses.turn = inTurn.catch(() => undefined)
  return inTurn
}
