import type { GameId } from '../main/contract/ids.ts'

interface Game {
  readonly id: GameId
  readonly title: string
}

/** Games that agents can be handed in for, the first one being meant where nobody says. */
export const games: readonly [Game, ...Game[]] = [{ id: 'specker', title: 'Specker Challenge Game' }]

export function gameTitle(id: GameId): string {
  return games.find((game) => game.id === id)?.title ?? id
}
