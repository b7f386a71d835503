import type { GameId } from '../main/contract/ids.ts'
import type { GameWindow } from './games/game.ts'
import { haggle } from './games/haggle/haggle.ts'
import { specker } from './games/specker/specker.ts'

/** Games that have a window, the first one being meant where nobody says. */
export const games: readonly [GameWindow, ...GameWindow[]] = [specker, haggle]

/** The window of a game; null: it has none. */
export function gameWindow(id: GameId): GameWindow | null {
  return games.find((game) => game.id === id) ?? null
}

export function gameTitle(id: GameId): string {
  return gameWindow(id)?.title ?? id
}
