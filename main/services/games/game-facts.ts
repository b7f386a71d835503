import type { NamedText } from '../../contract/game.ts'
import type { GameId } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import { games } from '../../referees/games.ts'

/** The games that can be played, for people to choose from. */
export const gameTitles: readonly { readonly id: GameId; readonly title: string }[] = [...games.values()].map(
  ({ id, title }) => ({ id, title }),
)

/** Texts that configs may give by name, by their fields; two games may have one field for the same kind. */
export const gameTexts: ReadonlyMap<string, NamedText> = new Map(
  [...games.values()].flatMap(({ texts }) => Object.entries(texts)),
)

/** The settings of a trial match. */
export function trialConfig(game: GameId): Json {
  return games.get(game)?.trial.config ?? {}
}

/** A seat's score as people read it. */
export function scoreText(game: GameId, score: number): string {
  return games.get(game)?.scoreText(score) ?? String(score)
}
