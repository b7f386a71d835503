import { randomBytes } from 'node:crypto'
import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { ContestId, GameId } from '../../../contract/ids.ts'
import type { Practice } from '../../../contract/procedures/procedures.ts'
import { checkScripts } from '../../agents/foreign-scripts.ts'
import { agentsByPackage, entrantsNamed } from '../../agents/opponents.ts'
import type { TextSource } from '../../texts/named-texts.ts'
import type { Contests } from './class-contests.ts'
import { completeConfig } from '../descriptions/contest-file.ts'
import { trialConditions } from '../descriptions/match-conditions.ts'
import { gameContests } from '../descriptions/new-contest.ts'

/** Players a match where a game does not say. */
const SEATS = 2

/**
 * A contest in which one version of an agent plays each of the opponents, with the settings and limits of the newest
 * contest of its game, or, if there is none, with those of a trial match. Throws ExpectedError 'usage' if an agent does not
 * exist or is one of another game, or these are too few for the game.
 */
export async function practiceOf(
  home: ClassFolder,
  contests: Pick<Contests, 'complete' | 'hasPerson'>,
  { name, agent, opponents, matches }: Practice,
  texts: TextSource,
): Promise<ContestDescription> {
  const version = home.content.agents.find(({ hash, manifest }) => hash === agent && manifest.name === name)
  if (version === undefined)
    throw new ExpectedError('usage', 'agent-version-unknown', `The agent "${name}" has no such version.`)
  const { game } = version.manifest
  const entrants = entrantsNamed([{ name, agent }, ...(await agentsByPackage(home, game, opponents))])
  await checkScripts(home.folder, { game, entrants })
  const seats = Math.min(gameContests({ game }).seats ?? SEATS, entrants.length)
  const model = await modelOf(
    contests,
    game,
    newestOf(home, contests, game, () => true),
  )
  const description: ContestDescription = {
    ...model,
    title: `Practice of ${name}`,
    game,
    format: { type: 'gauntlet', challengers: 1, repeats: matches, seats },
    seed: randomBytes(32).toString('hex'),
    isolation: home.content.settings.isolation,
    practice: true,
    entrants,
  }
  const config = await completeConfig(description, null, 'The practice', texts)
  // `Json` is readonly and the schema's type is not; nothing modifies the value.
  return { ...description, config: config as ContestDescription['config'] }
}

/** The newest of these contests of a game, without matches of people; null: there is none. */
export function newestOf(
  { content }: Pick<ClassFolder, 'content'>,
  { hasPerson }: Pick<Contests, 'hasPerson'>,
  game: GameId,
  isMeant: (id: ContestId) => boolean,
): ContestId | null {
  const newest = content.contests.findLast(
    ({ id, description }) => description.game === game && !hasPerson(id) && isMeant(id),
  )
  return newest?.id ?? null
}

/** The conditions of a contest; null: those of a trial match of the game. Rejects like `Contests.complete`. */
export async function modelOf(
  { complete }: Pick<Contests, 'complete'>,
  game: GameId,
  contest: ContestId | null,
): Promise<Pick<ContestDescription, 'config' | 'limits' | 'clock'>> {
  if (contest === null) {
    const { config, limits, clock } = trialConditions(game)
    return { config: config as ContestDescription['config'], limits, clock }
  }
  const { config, limits, clock } = await complete(contest)
  return { config, limits, clock }
}
