import type { ContestDescription } from '../../../contract/contests/contests.ts'
import type { UnfitAgent } from '../../../contract/contests/contest-procedures.ts'
import { games } from '../../../referees/games.ts'
import { shippedUnfit } from '../../agents/opponents.ts'
import type { Challenges } from '../../challenges/class-challenges.ts'
import { completeSettings } from './contest-file.ts'

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
