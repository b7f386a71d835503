import type { NamedText } from '../contract/game/game.ts'
import type { GameId } from '../contract/ids.ts'
import type { Json } from '../contract/json.ts'
import { games } from '../referees/games.ts'

/** The games to choose from. */
export const gameTitles: readonly { readonly id: GameId; readonly title: string }[] = [...games.values()].map(
  ({ id, title }) => ({ id, title }),
)

/** The texts that configs may give by name, by config field; games may share a field for the same kind of text. */
export const gameTexts: ReadonlyMap<string, NamedText> = new Map(
  [...games.values()].flatMap(({ settings }) => Object.entries(settings.texts)),
)

/** The settings of a trial match. */
export function trialConfig(game: GameId): Json {
  return games.get(game)?.agents.trial.config ?? {}
}

/** The settings of single matches from the command line. */
export function singleConfig(game: GameId): Json {
  return games.get(game)?.agents.singleMatch ?? trialConfig(game)
}

/** A score of an outcome in the unit of the game, such as energy, in which tables, CSV and JSON have it. */
export function scoreInUnit(game: GameId, score: number): number {
  return score / (games.get(game)?.contests.scoreUnit ?? 1)
}

/** A seat's score as text for people. */
export function scoreText(game: GameId, score: number): string {
  return games.get(game)?.scoreText(score) ?? String(score)
}
