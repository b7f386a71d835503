import type { GameId } from '../main/contract/ids.ts'
import type { GameWindow } from './games/game.ts'
import { cops } from './games/cops/cops.ts'
import { cows } from './games/cows/cows.ts'
import { haggle } from './games/haggle/haggle.ts'
import { punter } from './games/punter/punter.ts'
import { specker } from './games/specker/specker.ts'

/** Games that have a window; the first is the default. */
export const gameWindows: readonly [GameWindow, ...GameWindow[]] = [specker, haggle, punter, cops, cows]

/** The window of a game, or null. */
export function gameWindow(id: GameId): GameWindow | null {
  return gameWindows.find((game) => game.id === id) ?? null
}

export function gameTitle(id: GameId): string {
  return gameWindow(id)?.title ?? id
}
