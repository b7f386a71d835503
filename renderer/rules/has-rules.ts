import type { GameId } from '../../main/contract/ids.ts'
import { gameWindow } from '../games.ts'

/** Whether a game has a rulebook. */
export function hasRules(game: GameId): boolean {
  return gameWindow(game)?.rulebook !== undefined
}
