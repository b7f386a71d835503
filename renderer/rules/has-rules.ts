import type { GameId } from '../../main/contract/ids.ts'
import { gameWindow } from '../games.ts'

/** True if the game has a rulebook. */
export function hasRules(game: GameId): boolean {
  return gameWindow(game)?.rulebook !== undefined
}
