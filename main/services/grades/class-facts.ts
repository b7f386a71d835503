import { versionsOf } from '../../administrator/classroom/active-versions.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import type { CountedRuling, Remedy } from '../../contract/contests/rulings.ts'
import type { GradedContest, GradedStudent, RulingEffect, TeamInContest } from '../../contract/grades/grade-terms.ts'
import type { Unreadable } from '../../contract/grades/gradebook.ts'
import type { TermTable } from '../../contract/grades/term-table.ts'
import type { CaseId } from '../../contract/cases/cases.ts'
import type { ContestId, EntrantId } from '../../contract/ids.ts'
import type { Person, PersonId } from '../../contract/people/people.ts'
import type { TeamId } from '../../contract/people/teams.ts'
import type { Classroom, ContestEntry } from '../../contract/procedures/classroom.ts'
import type { Contests } from '../contests/kept/class-contests.ts'
import type { KeptCase } from '../cases/kept-case.ts'
import { PAIRED_MAX } from '../contests/standings/contest-ratings.ts'
import type { ContestRecord } from '../contests/standings/contest-record.ts'
import { isOut } from '../contests/standings/decided.ts'
import { entrantsOf } from '../contests/statistics/paired-results.ts'
import { willCountInTerm, type ClassTerm } from './class-term.ts'
import { tiedPlaces } from './schemes/tied.ts'

/** Everything from which grades follow; it is recomputed from the record of the class. */
export interface GradeFacts {
  /** In the order in which they ended, and then those to come. */
  readonly contests: readonly GradedContest[]
  readonly students: readonly GradedStudent[]
  readonly unreadable: Unreadable
}

/** The cases of a class, as far as grades need them. */
export interface GradedCases {
  readonly kept: ReadonlyMap<CaseId, Pick<KeptCase, 'state' | 'secrets'>>
  readonly unreadable: ReadonlyMap<CaseId, string>
}

/** Everything that facts are read from. */
export interface FactSources {
  readonly home: Pick<ClassFolder, 'content'>
  readonly contests: Pick<Contests, 'record' | 'entry'>
  readonly term: ClassTerm
  readonly cases: GradedCases
}

/** The students who are in the class, those who ask to join it left out. */
export const studentsOf = ({ people }: Pick<Classroom, 'people'>): readonly Person[] =>
  people.filter(({ role, removed, asking }) => role === 'student' && removed === undefined && asking !== true)

/** Reads the facts of all contests that count, and of all students. */
export async function gradeFacts({ home, contests, term, cases }: FactSources): Promise<GradeFacts> {
  const { content } = home
  const table = await term.table(null)
  const graded: GradedContest[] = []
  const unreadable = [...table.unreadable]
  for (const { contest, title, game } of table.contests) {
    // Histories may break after the table was computed.
    const record = await contests.record(contest).catch(() => null)
    if (record === null) {
      unreadable.push(contest)
      continue
    }
    const entry = contests.entry(contest)
    const teams = teamsIn(content, entry, record, table)
    const { names } = record.placings()
    graded.push({
      ...{ contest, title, game, teams: Object.fromEntries(teams), handed: handedIn(content, entry.id) },
      firstPhase: firstPhaseOf(content, entry),
      opponents: names.length === 0 ? null : names,
    })
  }
  return {
    contests: [...graded, ...toCome(content)],
    students: studentsOf(content).map(({ id }) => studentFacts(content, cases, id)),
    unreadable: { contests: unreadable, cases: [...cases.unreadable.keys()] },
  }
}

/** The contests that will count when they have ended. */
function toCome(content: Classroom): readonly GradedContest[] {
  return content.contests.filter(willCountInTerm).map((entry) => ({
    ...{ contest: entry.id, title: entry.description.title, game: entry.description.game, isToCome: true },
    ...{ teams: {}, handed: handedIn(content, entry.id), firstPhase: firstPhaseOf(content, entry), opponents: [] },
  }))
}

function firstPhaseOf(
  { contests }: Pick<Classroom, 'contests'>,
  { id, description: { phase } }: Pick<ContestEntry, 'id' | 'description'>,
): ContestId {
  if (phase === undefined) return id
  const before = contests.find((each) => each.id === phase.after)
  return before === undefined ? phase.after : firstPhaseOf({ contests }, before)
}

type Entrants = ContestEntry['description']['entrants']

/** The facts of each team that has played in a contest. */
function teamsIn(
  { agents }: Pick<Classroom, 'agents'>,
  { id, description: { entrants } }: ContestEntry,
  record: ContestRecord,
  { rows }: TermTable,
): ReadonlyMap<TeamId, TeamInContest> {
  const standings = record.ratedStandings()
  const most = Math.max(0, ...standings.map(({ points }) => points))
  const rated = ratedIn(entrants, record)
  const tied = tiedPlaces(
    standings
      .filter(({ matches }) => matches > 0)
      .map((row) => ({ ...row, isLast: isOut(row) || (rated !== null && !rated.has(row.agent)) })),
  )
  const { names, better, met } = record.placings()
  return new Map(
    rows.flatMap(({ team, results }) => {
      const result = results.find(({ contest }) => contest === id)
      if (team === null || result === undefined) return []
      const { entrant, rank, of, points, score, asPlayed } = result
      const me = names.indexOf(entrant)
      const others = names.flatMap((name, at) =>
        me === -1 || at === me ? [] : [[name, { better: better[me]![at]!, met: met[me]![at]! }] as const],
      )
      const facts: TeamInContest = {
        ...{ rank, of, points, place: score },
        ...(tied.get(entrant) ?? { tied: 0, tiedWith: 1 }),
        share: most <= 0 ? 0 : Math.max(0, (100 * points) / most),
        ...(asPlayed === undefined ? {} : { asPlayed }),
        rulings: effectsOn(entrant, record.rulings),
        late: lateDaysOf(
          agents,
          id,
          entrants.find(({ name }) => name === entrant),
        ),
        against: Object.fromEntries(others),
      }
      return [[team, facts] as const]
    }),
  )
}

/** The entrants with a meeting that counts for ratings; null: the contest has too many for meetings of pairs. */
function ratedIn(entrants: Entrants, record: Pick<ContestRecord, 'meetings'>): ReadonlySet<EntrantId> | null {
  if (entrants.length > PAIRED_MAX) return null
  const met = new Set(record.meetings().flatMap(({ pairs }) => [...pairs].flatMap(entrantsOf)))
  return new Set(entrants.flatMap(({ name }, at) => (met.has(at) ? [name] : [])))
}

/** The late days that the version that played has used; another team may have handed in the same package. */
function lateDaysOf(agents: Classroom['agents'], contest: string, entrant: Entrants[number] | undefined): number {
  const played = entrant === undefined ? [] : versionsOf(agents, entrant)
  const uses = played.flatMap(({ handIn }) => handIn?.uses ?? [])
  return Math.max(0, ...uses.filter((each) => each.contest === contest).map(({ days }) => days))
}

/** The effects of the rulings that count on an entrant. */
function effectsOn(entrant: EntrantId, rulings: readonly CountedRuling[]): readonly RulingEffect[] {
  return rulings.flatMap(({ number, remedies, reversedBy }) =>
    reversedBy === undefined ? remedies.flatMap((remedy) => effectOf(number, remedy, entrant)) : [],
  )
}

function effectOf(ruling: number, remedy: Remedy, entrant: EntrantId): readonly RulingEffect[] {
  if (!('entrant' in remedy) || remedy.entrant !== entrant) return []
  switch (remedy.type) {
    case 'points':
      return [{ ruling, remedy: 'points', points: remedy.points }]
    case 'energy':
      return [{ ruling, remedy: 'energy', points: remedy.energy }]
    case 'forfeit':
    case 'removal':
      return [{ ruling, remedy: remedy.type, points: null }]
    default:
      return []
  }
}

/** The versions that teams have handed in for a contest. */
function handedIn({ agents }: Pick<Classroom, 'agents'>, contest: string): Readonly<Record<TeamId, number>> {
  const handed: Record<TeamId, number> = {}
  for (const { owner, handIn } of agents)
    if (owner !== undefined && handIn?.contest === contest) handed[owner] = (handed[owner] ?? 0) + 1
  return handed
}

function studentFacts(
  { teams, components }: Classroom,
  { kept }: Pick<GradedCases, 'kept'>,
  id: PersonId,
): GradedStudent {
  const team = teams.find(({ members }) => members.includes(id))?.id ?? null
  const filed = [...kept.values()].filter(
    ({
      state: {
        filed: { filer },
      },
    }) => team !== null && filer.who === 'team' && filer.team === team,
  )
  return {
    ...{ person: id, team },
    counts: {
      filed: filed.length,
      upheld: filed.filter(({ state }) => state.outcome === 'upheld').length,
      // Nobody may learn who judges a case that is open.
      panels: [...kept.values()].filter(
        ({ secrets, state }) =>
          state.outcome !== 'open' &&
          state.ballots.some(({ votes }) => votes.some(({ voter }) => secrets.people[voter] === id)),
      ).length,
      published: components.filter(({ owner, withdrawn }) => team !== null && owner === team && withdrawn === undefined)
        .length,
    },
  }
}
