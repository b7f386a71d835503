import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ContestId, EntrantId, GameId, Sha256 } from '../../contract/ids.ts'
import type { PersonId } from '../../contract/people/people.ts'
import type { Practice, PracticeAgent, PracticeChoice } from '../../contract/people/practice.ts'
import type { Team } from '../../contract/people/teams.ts'
import type { StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import { games } from '../../referees/games.ts'
import type { SeesContest } from '../agents/class-agents.ts'
import { shippedByStrength, shippedUnfit } from '../agents/opponents.ts'
import { completeSettings } from '../contests/descriptions/contest-file.ts'
import type { Contests } from '../contests/kept/class-contests.ts'
import { modelOf, newestOf } from '../contests/kept/practice.ts'
import { practise, type HandIns } from '../hand-in/class-hand-ins.ts'
import { practiceToday, practiceView } from '../hand-in/practice.ts'
import { ignoreExpectedErrors } from '../ignore-expected-errors.ts'
import { textsOf } from '../texts/named-texts.ts'
import { agentsOfTeam } from './own-agents.ts'

interface Sources {
  readonly home: ClassFolder
  readonly contests: Pick<Contests, 'complete' | 'hasPerson'>
  readonly handIns: HandIns
}

/** The practice of a team, with its choices. `viewer` null: for the team alone. `sees`: the contests whose conditions it may play under. */
export async function practiceOfTeam(
  sources: Sources,
  team: Team,
  viewer: PersonId | null,
  sees: SeesContest,
): Promise<Practice> {
  const { home, handIns } = sources
  const agents = await Promise.all(
    agentsOfTeam(home.content, team.id).map((name) => choicesOf(sources, team, name, sees)),
  )
  return { ...practiceToday(handIns, team, viewer), agents: agents.flat(), matches: practiceView(handIns, team) }
}

/**
 * Queues a practice match under the conditions of the newest contest of the game that the team sees, or those of a trial match. Throws
 * ExpectedError 'usage' if the version or the opponent is not among the choices of the team, or the budget of the day is used.
 */
export async function beginPractice(
  sources: Sources,
  team: Team,
  {
    person,
    name,
    agent,
    opponent,
  }: Readonly<Record<'agent' | 'opponent', Sha256>> & { readonly person: PersonId; readonly name: EntrantId },
  sees: SeesContest,
): Promise<number> {
  const version = playable(sources, team).find(({ hash, manifest }) => hash === agent && manifest.name === name)
  if (version === undefined)
    throw new ExpectedError('usage', 'agent-version-unknown', `The agent "${name}" has no such version.`)
  const { game } = version.manifest
  const against = (await opponentsOf(sources, team, game, sees)).find((each) => each.agent === opponent)
  if (against === undefined) throw new ExpectedError('usage', 'agent-unknown', `There is no such agent for ${game}.`)
  const contest = conditionsOf(sources, game, sees)
  return practise(sources.handIns, team, {
    ...{ person, game, agent: name, version: agent, number: version.number ?? 0 },
    ...{ opponent, against: against.label, contest },
  })
}

/** The versions of a team's agents that may play, oldest first: all but those that are paused. */
function playable({ home }: Sources, team: Team): readonly StoredAgentVersion[] {
  return home.content.agents.filter(({ owner, inactive }) => owner === team.id && inactive !== 'paused')
}

/** The contest of a game whose conditions practice has; null: it has those of a trial match. */
function conditionsOf({ home, contests }: Sources, game: GameId, sees: SeesContest): ContestId | null {
  const counting = (id: ContestId): boolean =>
    sees(id) && home.content.contests.some((entry) => entry.id === id && entry.description.practice !== true)
  return newestOf(home, contests, game, counting)
}

async function choicesOf(
  sources: Sources,
  team: Team,
  name: EntrantId,
  sees: SeesContest,
): Promise<readonly PracticeAgent[]> {
  const versions = playable(sources, team).filter(({ manifest }) => manifest.name === name)
  const newest = versions.at(-1)
  if (newest === undefined) return []
  const { game } = newest.manifest
  const own = versions
    .filter(({ manifest }) => manifest.game === game)
    .map(({ hash, number = 0 }): PracticeChoice => ({ agent: hash, label: `version ${number}` }))
  return [{ agent: name, game, versions: own.toReversed(), opponents: await opponentsOf(sources, team, game, sees) }]
}

async function opponentsOf(
  sources: Sources,
  team: Team,
  game: GameId,
  sees: SeesContest,
): Promise<readonly PracticeChoice[]> {
  const unfit = new Set((await unfitFor(sources, game, sees)).map(({ agent }) => agent))
  const shipped = (await shippedByStrength(game))
    .filter(({ agent }) => !unfit.has(agent))
    .map(({ name, agent }): PracticeChoice => ({ agent, label: name }))
  const own = playable(sources, team)
    .filter(({ manifest, hash }) => manifest.game === game && shipped.every(({ agent }) => agent !== hash))
    .map(({ hash, manifest, number = 0 }): PracticeChoice => ({
      agent: hash,
      label: `${manifest.name}, version ${number}`,
    }))
  // The same bytes may be a version of several agents.
  const seen = new Map(own.map((choice) => [choice.agent, choice]))
  return [...shipped, ...[...seen.values()].toReversed()]
}

/** The agents that ship and cannot play under the conditions of practice. */
async function unfitFor(
  sources: Sources,
  game: GameId,
  sees: SeesContest,
): Promise<readonly { readonly agent: Sha256 }[]> {
  if (games.get(game)?.agents.unable === undefined) return []
  const contest = conditionsOf(sources, game, sees)
  const found = async (): Promise<readonly { readonly agent: Sha256 }[]> => {
    const { config } = await modelOf(sources.contests, game, contest)
    return shippedUnfit(game, await completeSettings(game, config, null, 'the practice', textsOf(sources.home.folder)))
  }
  // The problem of a damaged contest is shown on its page.
  return (await found().catch(ignoreExpectedErrors)) ?? []
}
