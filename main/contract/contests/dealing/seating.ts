/** A player at a game, for whom it counts or not. */
export interface Place {
  readonly player: number
  readonly counts: boolean
}

/**
 * Seats the players of matches so that, in the games that count for a player, it has each seat equally often or
 * one time more. `games`: each with `seats` different players. Returns the players of each game by seat.
 *
 * Games are the vertices on one side of a bipartite graph. A player is one vertex on the other side for every `seats`
 * of its games, so that no vertex has more edges than there are seats. By König's theorem the edges can be coloured
 * with the seats: where a game and a player have no free seat in common, two seats are swapped along a path.
 */
export function seated(games: readonly (readonly Place[])[], seats: number): readonly (readonly number[])[] {
  const vertexOf = playerVertices(seats)
  const seatings = games.map((places) => {
    const game = newVertex(-1, seats)
    for (const place of places) connect(game, vertexOf(place))
    return game
  })
  // Later games move players of earlier ones.
  return seatings.map(({ bySeat }) => bySeat.map((player) => player!.player))
}

/** A game or some games of a player, with the vertices that its edges lead to. `player`: -1 for a game. */
interface Vertex {
  readonly player: number
  readonly bySeat: (Vertex | undefined)[]
}

const newVertex = (player: number, seats: number): Vertex => ({
  player,
  bySeat: Array.from({ length: seats }, () => undefined),
})

/** Returns the vertex for a player's next game. A game that does not count is a vertex of its own. */
function playerVertices(seats: number): (place: Place) => Vertex {
  const counted = new Map<number, { readonly vertex: Vertex; games: number }>()
  return ({ player, counts }) => {
    const known = counts ? counted.get(player) : undefined
    if (known !== undefined && known.games < seats) {
      known.games += 1
      return known.vertex
    }
    const vertex = newVertex(player, seats)
    if (counts) counted.set(player, { vertex, games: 1 })
    return vertex
  }
}

function connect(game: Vertex, player: Vertex): void {
  const common = game.bySeat.findIndex((taken, seat) => taken === undefined && player.bySeat[seat] === undefined)
  const seat = common === -1 ? game.bySeat.indexOf(undefined) : common
  // No path from the player leads to the game, where this seat is free.
  if (common === -1) swapSeats(player, seat, player.bySeat.indexOf(undefined))
  game.bySeat[seat] = player
  player.bySeat[seat] = game
}

/** Swaps two seats along the path from a vertex whose edges have them in turn, which frees the first one there. */
function swapSeats(start: Vertex, first: number, second: number): void {
  const path = [start]
  const seatOf = (edge: number): number => (edge % 2 === 0 ? first : second)
  for (;;) {
    const next = path.at(-1)!.bySeat[seatOf(path.length - 1)]
    if (next === undefined) break
    path.push(next)
  }
  const set = (seat: (edge: number) => number, linked: boolean): void => {
    for (let edge = 0; edge + 1 < path.length; edge++) {
      const [one, other] = [path[edge]!, path[edge + 1]!]
      one.bySeat[seat(edge)] = linked ? other : undefined
      other.bySeat[seat(edge)] = linked ? one : undefined
    }
  }
  set(seatOf, false)
  set((edge) => seatOf(edge + 1), true)
}
