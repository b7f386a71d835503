import { checkActive } from '../../../administrator/classroom/active-versions.ts'
import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import { NETWORK } from '../../../contract/players/agents.ts'
import type { ArenaPlace } from '../../../contract/players/arena.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import { whyNoNewName } from '../../../contract/names.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { checkScripts } from '../../agents/foreign-scripts.ts'
import type { Challenges } from '../../challenges/class-challenges.ts'
import { checkConnecting } from '../arena/network-contest.ts'
import { checkEntrantNames, completeConfig, formatOf, completeSettings } from './contest-file.ts'
import type { UnfitAgent } from '../../../contract/contests/contest-procedures.ts'
import { games } from '../../../referees/games.ts'
import { shippedUnfit } from '../../agents/opponents.ts'

/** Checks a draft and completes its config. Throws ExpectedError 'usage' that says what is wrong with it. */
export async function checkedDraft(
  home: ClassFolder,
  { texts }: Pick<Challenges, 'texts'>,
  draft: ContestDescription,
  arena: ArenaPlace | undefined,
): Promise<ContestDescription> {
  checkEntrantNames(draft, 'The contest')
  const known = new Set(home.content.agents.map(({ manifest }) => manifest.name))
  for (const { name } of draft.entrants) {
    const problem = known.has(name) ? null : whyNoNewName(name)
    if (problem !== null) throw new ExpectedError('usage', 'entrants-invalid', `Entrant "${name}": ${problem}.`)
  }
  const format = await formatOf(draft, null, 'The contest', texts)
  const config = await completeConfig({ ...draft, format }, null, 'The contest', texts)
  checkConnecting(draft, arena)
  for (const { name, agent } of draft.entrants) {
    if (agent === NETWORK) continue
    const known = home.content.agents.filter(({ hash }) => hash === agent)
    if (known.length === 0)
      throw new ExpectedError('usage', 'agent-unknown', `Entrant "${name}": no such agent has been handed in.`)
    if (!known.some(({ manifest }) => manifest.game === draft.game))
      throw new ExpectedError('usage', 'other-game', `Entrant "${name}" does not play ${draft.game}.`)
  }
  await checkScripts(home.folder, draft)
  checkActive(home.content.agents, draft)
  // `Json` is readonly and the schema's type is not; nothing modifies the value.
  return { ...draft, format, config: config as ContestDescription['config'] }
}

/**
 * The agents that ship with a game and cannot play with these settings, as the game declares them. Throws ExpectedError
 * 'usage' if the settings are not valid.
 */
export async function unfitAgents(
  { texts }: Pick<Challenges, 'texts'>,
  { game, config }: Pick<ContestDescription, 'game' | 'config'>,
): Promise<readonly UnfitAgent[]> {
  // The settings of other games need not be read.
  if (games.get(game)?.agents.unable === undefined) return []
  const complete = await completeSettings(game, config, null, 'The contest', texts)
  return (await shippedUnfit(game, complete)).map(({ name, agent, cannot }) => ({ agent, why: `${name} ${cannot}.` }))
}
