import type { ContestDescription } from '../../../contract/contests/contests.ts'
import { games } from '../../../referees/games.ts'
import { challengeReview } from '../../challenges/challenge-play.ts'
import { shippedChallenge } from '../../machine/resources.ts'

/**
 * The challenge of a new contest, tried out in short: a summary and its warnings, in sentences. Empty for games without
 * challenges, and for challenges that ship, which tests try out. Takes up to some seconds.
 */
export async function reviewOfChallenge({
  game,
  config,
}: Pick<ContestDescription, 'game' | 'config'>): Promise<readonly string[]> {
  const settings = games.get(game)?.settings
  const found = Object.entries(settings?.texts ?? {}).find(([, { kind }]) => kind === 'challenge')
  if (settings === undefined || found === undefined) return []
  const [field, { settings: own }] = found
  const values = config as { readonly [name: string]: ContestDescription['config'] }
  const text = values[field]
  const name = settings.subject(config)
  if (typeof text !== 'string' || (name !== null && (await shippedChallenge(name)) === text)) return []
  return challengeReview(text, own === undefined ? {} : (values[own] ?? {})) ?? []
}
