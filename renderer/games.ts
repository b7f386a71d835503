import type { GameId } from '../main/contract/ids.ts'
import type { GameWindow } from './games/game.ts'
import { cops } from './games/cops/cops.ts'
import { cows } from './games/cows/cows.ts'
import { haggle } from './games/haggle/haggle.ts'
import { punter } from './games/punter/punter.ts'
import { specker } from './games/specker/specker.ts'

/** The game of the kit that this window is in; absent: it is in none. */
export const kitGame: GameId | undefined = document.documentElement.dataset['game']

/** Games that have a window; the first is the default. */
export const gameWindows: readonly [GameWindow, ...GameWindow[]] = withFirst(kitGame, [
  specker,
  haggle,
  punter,
  cops,
  cows,
])

/** The same windows, beginning with that of a game if there is one. */
function withFirst<W extends { readonly id: GameId }>(
  id: GameId | undefined,
  windows: readonly [W, ...W[]],
): readonly [W, ...W[]] {
  const own = windows.find((each) => each.id === id)
  return own === undefined ? windows : [own, ...windows.filter((each) => each !== own)]
}

/** The window of a game, or null. */
export function gameWindow(id: GameId): GameWindow | null {
  return gameWindows.find((game) => game.id === id) ?? null
}

export function gameTitle(id: GameId): string {
  return gameWindow(id)?.title ?? id
}
