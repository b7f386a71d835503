import type { GameId } from '../../contract/ids.ts'
import { games } from '../../referees/games.ts'
import { energy } from '../../referees/specker/violations.ts'

/** The games that can be played, for people to choose from. */
export const gameTitles: readonly { readonly id: GameId; readonly title: string }[] = [...games.values()].map(
  ({ id, title }) => ({ id, title }),
)

/** Of games whose scores are not the numbers that people read. */
const scoreTexts: ReadonlyMap<GameId, (score: number) => string> = new Map([['specker', energy]])

/** A seat's score as people read it: in energy where a history has 10^-9 of it. */
export function scoreText(game: GameId, score: number): string {
  return scoreTexts.get(game)?.(score) ?? String(score)
}
