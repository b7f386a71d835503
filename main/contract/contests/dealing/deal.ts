import { shuffled } from '../../random.ts'

/** Matches in which players were dealt. */
export interface Deal {
  /** Players by match, in random order. */
  readonly tables: readonly (readonly number[])[]
  /** Entrants added to the last match to fill it; it does not count for them. */
  readonly extras: readonly number[]
}

/**
 * Deals the players 0 to `players` - 1 into matches of `seats`, at random, so that each plays `each` matches and nobody
 * plays twice in one. `fillers` sit at the last table if it is not full; without enough of them, players are drafted.
 * `players`: at least `seats`.
 */
export function deal(
  players: number,
  seats: number,
  each: number,
  next: () => number,
  fillers: readonly number[] = [],
): Deal {
  const everybody = Array.from({ length: players }, (_, at) => at)
  const tables: number[][] = [[]]
  const open = (): number[] => {
    if (tables.at(-1)!.length === seats) tables.push([])
    return tables.at(-1)!
  }
  for (let turn = 0; turn < each; turn++) {
    for (const player of followOn(shuffled(everybody, next), open(), seats)) open().push(player)
  }
  const last = tables.at(-1)!
  const extras = [...shuffled(fillers, next), ...shuffled(everybody, next)]
    .filter((player) => !last.includes(player))
    .slice(0, seats - last.length)
  last.push(...extras)
  return { tables, extras }
}

/** The order with players who are not at the unfinished table first, as many as it lacks. */
function followOn(order: readonly number[], unfinished: readonly number[], seats: number): readonly number[] {
  const first = new Set(order.filter((player) => !unfinished.includes(player)).slice(0, seats - unfinished.length))
  return [...first, ...order.filter((player) => !first.has(player))]
}
