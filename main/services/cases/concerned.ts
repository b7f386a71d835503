import type { ActOf, BarReason } from '../../contract/cases/case-record.ts'
import type { CaseId } from '../../contract/cases/cases.ts'
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
  const { against } = state.filed
  const own = teamsOf(state)
  const earlier = against.what === 'ruling' ? teamsBehind(cases.kept, against.case) : new Set<TeamId>()
  const teams = cases.home.content.teams.filter(({ id }) => own.has(id) || earlier.has(id))
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
