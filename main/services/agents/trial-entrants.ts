import { SEATS_MAX } from '../../contract/contests/contests.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ErasedGame } from '../../contract/game/game.ts'
import type { Json } from '../../contract/json.ts'

/**
 * The number of entrants of an agent's trial match, including the agent: the game's choice, or the smallest number that
 * can play with this complete config. Throws ExpectedError 'usage' if no number can.
 */
export function trialEntrants(game: ErasedGame, config: Json): number {
  if (game.trial.entrants !== undefined) return game.trial.entrants
  for (let entrants = 1; entrants <= SEATS_MAX; entrants++) {
    if (typeof game.seats(config, entrants) !== 'string') return entrants
  }
  throw new ExpectedError(
    'usage',
    `${game.title} cannot be played with these settings, whatever the number of entrants.`,
  )
}
