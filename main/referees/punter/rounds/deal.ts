import { shuffled } from '../../../contract/random.ts'

/** The games of a round on one map. */
export interface Deal {
  /** Players by game, in random order. */
  readonly games: readonly (readonly number[])[]
  /** Players drafted into the last game, which does not count for them. */
  readonly extras: readonly number[]
}

/**
 * Deals players into games of `seats`, at random and so that each plays `each` games, nobody plays twice in one game,
 * and all have played equally often whenever a number of games has been dealt that is a multiple of the players'. If
 * the last game is not full, others are drafted into it. `players`: their number, at least `seats`.
 */
export function deal(players: number, seats: number, each: number, next: () => number): Deal {
  const games: number[][] = [[]]
  const open = (): number[] => {
    if (games.at(-1)!.length === seats) games.push([])
    return games.at(-1)!
  }
  for (let turn = 0; turn < each; turn++) {
    for (const player of followOn(shuffledPlayers(players, next), open(), seats)) open().push(player)
  }
  const last = games.at(-1)!
  const extras = shuffledPlayers(players, next)
    .filter((player) => !last.includes(player))
    .slice(0, seats - last.length)
  last.push(...extras)
  return { games, extras }
}

const shuffledPlayers = (players: number, next: () => number): readonly number[] =>
  shuffled(
    Array.from({ length: players }, (_, at) => at),
    next,
  )

/** The order with players who are not in the unfinished game first, as many as it lacks. */
function followOn(order: readonly number[], unfinished: readonly number[], seats: number): readonly number[] {
  const first = new Set(order.filter((player) => !unfinished.includes(player)).slice(0, seats - unfinished.length))
  return [...first, ...order.filter((player) => !first.has(player))]
}
