import { conditionsOfContest, SEATS_MAX } from '../../../contract/contests/contests.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { ErasedGame } from '../../../contract/game/game.ts'
import type { GameId } from '../../../contract/ids.ts'
import type { Json } from '../../../contract/json.ts'
import type { ClockMode, IsolationTier, Limits } from '../../../contract/limits.ts'
import { games } from '../../../referees/games.ts'
import { trialConfig } from '../../game-facts.ts'

/** The conditions under which agents play a match, except for the number of its entrants. */
export interface MatchConditions<C = Json> {
  /** The settings of the game. */
  readonly config: C
  readonly limits: Limits
  readonly clock: ClockMode
  /** The weakest isolation tier to accept. */
  readonly isolation: IsolationTier
}

/** Conditions as they are chosen; those left out are the game's or those of every contest. */
export interface ChosenConditions<C = Json> {
  readonly config: C
  readonly limits?: Partial<Limits> | undefined
  readonly clock?: ClockMode | undefined
  readonly isolation?: IsolationTier | undefined
}

/**
 * The conditions of a match. Contests, matches with a person, practice, single matches and trial matches all get theirs
 * here, so that an agent meets in a contest what it met before.
 */
export function matchConditions<C = Json>(game: GameId, chosen: ChosenConditions<C>): MatchConditions<C> {
  const { config, limits, clock, isolation } = chosen
  const own = games.get(game)?.matches.limits
  return { config, ...conditionsOfContest.parse({ limits: { ...own, ...limits }, clock, isolation }) }
}

/** The conditions of a trial match of the game, of which some may be chosen. */
export function trialConditions(game: GameId, chosen: Partial<ChosenConditions> = {}): MatchConditions {
  return matchConditions(game, { ...chosen, config: chosen.config ?? trialConfig(game) })
}

/**
 * The number of entrants of an agent's trial match, including the agent: the game's choice, or the smallest number that
 * can play with this complete config. Throws ExpectedError 'usage' if no number can.
 */
export function trialEntrants(game: ErasedGame, config: Json): number {
  if (game.agents.trial.entrants !== undefined) return game.agents.trial.entrants
  for (let entrants = 1; entrants <= SEATS_MAX; entrants++) {
    if (typeof game.seats(config, entrants) !== 'string') return entrants
  }
  throw new ExpectedError(
    'usage',
    'entrants-invalid',
    `${game.title} cannot be played with these settings, whatever the number of entrants.`,
  )
}
