import type { AgentSummary } from '../../../../main/contract/procedures/procedures.ts'
import type { TeamView } from '../../../../main/contract/people/team-procedures.ts'
import { may } from '../../../caller.svelte.ts'
import { call } from '../../../connection/client.ts'

/** The agents that can be registered for contests of a game, and the teams: for students their own. */
interface Registrable {
  readonly teams: readonly TeamView[]
  readonly agents: readonly AgentSummary[]
}

export async function loadRegistrable(game: string): Promise<Registrable> {
  const [teams, { items }] = await Promise.all([
    loadTeams(),
    call('agents.list', { offset: 0, limit: 1_000, search: '' }),
  ])
  return {
    teams: teams.filter(({ members }) => members.length > 0),
    agents: items.filter((each) => each.game === game && each.school === null),
  }
}

async function loadTeams(): Promise<readonly TeamView[]> {
  if (may('teams.list')) return call('teams.list', {})
  const own = may('teams.mine') ? await call('teams.mine', {}) : null
  return own === null ? [] : [own]
}

/** The names of a team's agents. */
export function ofTeam(able: Registrable | undefined, team: string | null): readonly string[] {
  const name = able?.teams.find(({ id }) => id === team)?.name
  if (name === undefined) return []
  return (able?.agents ?? []).filter(({ versions }) => versions[0]?.team === name).map((each) => each.name)
}
