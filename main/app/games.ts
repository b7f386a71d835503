import type { GameId } from '../contract/ids.ts'
import { games } from '../referees/games.ts'

/** The games that can be played, for people to choose from. */
export const gameTitles: readonly { readonly id: GameId; readonly title: string }[] = [...games.values()].map(
  ({ id, title }) => ({ id, title }),
)
