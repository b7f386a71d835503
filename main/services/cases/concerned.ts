import type { ActOf, BarReason } from '../../contract/cases/case-record.ts'
import type { CaseId } from '../../contract/cases/cases.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { PersonId } from '../../contract/people/people.ts'
import type { Team, TeamId } from '../../contract/people/teams.ts'
import type { Classroom } from '../../contract/procedures/classroom.ts'
import type { KeptCase } from './kept-case.ts'

/** The cases of a class. */
interface Cases {
  readonly home: { readonly content: Pick<Classroom, 'teams'> }
  readonly kept: ReadonlyMap<CaseId, KeptCase>
}

/** The next person of neither side who is not to judge a case because of their team, as the entry of the program; null: nobody. */
export function barredIn(cases: Cases, { state, secrets }: KeptCase): ActOf<'barred'> | null {
  const own = teamsOf(state)
  const concerned = teamsConcerned(cases.kept, state)
  const teams = cases.home.content.teams.filter(({ id }) => concerned.has(id))
  for (const [id, person] of Object.entries(secrets.people)) {
    if (person === null || state.people.get(id)?.side !== null || state.out.has(id)) continue
    const because = reasonFor(person, teams, own)
    if (because !== null) return { do: 'barred', person: id, because }
  }
  return null
}

function reasonFor(person: PersonId, teams: readonly Team[], own: ReadonlySet<TeamId>): BarReason | null {
  const isIn = ({ members }: Team): boolean => members.includes(person)
  const wasIn = ({ former }: Team): boolean => former?.includes(person) === true
  const ofSides = teams.filter(({ id }) => own.has(id))
  if (ofSides.some(isIn)) return 'joined'
  if (ofSides.some(wasIn)) return 'former'
  return teams.some((team) => isIn(team) || wasIn(team)) ? 'ruling' : null
}

/**
 * Judges stay judges whatever staff does with the teams: throws ExpectedError `person-judges` if members would come into a team of an open
 * case, or of one whose ruling it is against, in which they may judge. By an invitation students join such a team of themselves.
 */
export function checkNewMembers(cases: Cases, team: TeamId | null, members: readonly PersonId[]): void {
  const before = cases.home.content.teams.find(({ id }) => id === team)?.members ?? []
  for (const [id, kept] of cases.kept) {
    if (
      kept.damage !== null ||
      team === null ||
      kept.state.stage === 'closed' ||
      !teamsConcerned(cases.kept, kept.state).has(team)
    )
      continue
    const judge = members.find((person) => !before.includes(person) && mayJudge(kept, person))
    if (judge !== undefined)
      throw personJudges(
        `Somebody who would come into the team may judge ${id}, which is about it: they can join by the team's invitation, or you move them when the case is closed.`,
      )
  }
}

/**
 * Throws ExpectedError `person-judges` if somebody who would leave the class is on a panel whose votes are not counted. Under hidden names
 * the reserve stays, too: a refusal would tell who is on the panel.
 */
export function checkLeaving(cases: Pick<Cases, 'kept'>, person: PersonId): void {
  const id = judgedCase(cases, person)
  if (id !== null)
    throw personJudges(
      `They judge ${id}, or may be called to: this is possible when its votes are counted, or once they have declared a conflict there.`,
    )
}

/** The case because of which somebody cannot leave the class (`checkLeaving`); null: they can. */
export function judgedCase({ kept }: Pick<Cases, 'kept'>, person: PersonId): CaseId | null {
  for (const [id, { state, secrets, damage }] of kept) {
    // A damaged case takes no step: it would keep its panel for ever.
    if (damage !== null || !['election', 'hearing', 'voting', 'opening'].includes(state.stage)) continue
    const judges = state.filed.settings.hideNames ? [...state.panel, ...state.reserve] : state.panel
    if (judges.some((judge) => !state.out.has(judge) && secrets.people[judge] === person)) return id
  }
  return null
}

const personJudges = (message: string): ExpectedError => new ExpectedError('usage', 'person-judges', message)

/** True for somebody of neither side who was not left out. */
function mayJudge({ state, secrets }: KeptCase, person: PersonId): boolean {
  return [...state.people.values()].some(
    ({ id, side }) => side === null && !state.out.has(id) && secrets.people[id] === person,
  )
}

/** The teams of both sides of a case and, if it is against a ruling, those of the case of that ruling. */
function teamsConcerned(kept: Cases['kept'], state: KeptCase['state']): ReadonlySet<TeamId> {
  const { against } = state.filed
  return new Set([...teamsOf(state), ...(against.what === 'ruling' ? teamsBehind(kept, against.case) : [])])
}

/** The teams of both sides of a case. */
function teamsOf({ filed: { filer, other } }: KeptCase['state']): ReadonlySet<TeamId> {
  return new Set([filer, other].flatMap((party) => (party.who === 'team' ? party.team : [])))
}

/** The teams of a case whose ruling another one is against, and of those before it. */
function teamsBehind(kept: Cases['kept'], id: CaseId): ReadonlySet<TeamId> {
  const teams = new Set<TeamId>()
  for (let next: CaseId | null = id; next !== null;) {
    const found: KeptCase['state'] | undefined = kept.get(next)?.state
    if (found === undefined) break
    for (const team of teamsOf(found)) teams.add(team)
    const { against }: KeptCase['state']['filed'] = found.filed
    next = against.what === 'ruling' ? against.case : null
  }
  return teams
}
