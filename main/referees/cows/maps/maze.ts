import { shuffled } from '../../../contract/random.ts'
import { block, type Ground } from './ground.ts'

/** Cells from wall to wall: passages are so wide, less the wall, that a herd and its herders pass each other. */
const PITCH = 7

interface Wall {
  /** The rooms on both sides. */
  readonly rooms: readonly [number, number]
  readonly cells: readonly number[]
}

/**
 * A maze of rooms: walls fall in random order, each with the one that it turns into, wherever they part rooms without another
 * way between them, and a few more, so that there is never a single way only.
 */
export function maze(ground: Ground, next: () => number): void {
  const rooms = roomsOf(ground)
  for (const { cells } of rooms.walls) for (const number of cells) block(ground, number)
  for (const number of rooms.posts) block(ground, number)
  const joined = Array.from({ length: rooms.count }, (_, room) => room)
  const root = (room: number): number => (joined[room] === room ? room : (joined[room] = root(joined[room]!)))
  for (const [
    at,
    {
      rooms: [one, other],
      cells,
    },
  ] of shuffled(rooms.walls, next).entries()) {
    if (root(one) === root(other) && at % 8 !== 0) continue
    joined[root(one)] = root(other)
    // The turned wall falls too: its rooms are joined like these.
    joined[root(rooms.count - 1 - one)] = root(rooms.count - 1 - other)
    for (const number of cells) {
      ground.blocked[number] = 0
      ground.blocked[ground.blocked.length - 1 - number] = 0
    }
  }
}

/** Rooms are numbered row by row. Room r turns into the room count - 1 - r, because walls lie symmetrically. */
function roomsOf({ width, height }: Ground): { count: number; walls: readonly Wall[]; posts: readonly number[] } {
  const [vertical, horizontal] = [wallsAlong(width), wallsAlong(height)]
  const columns = vertical.length + 1
  const walls: Wall[] = []
  const posts = vertical.flatMap((x) => horizontal.map((y) => y * width + x))
  const span = (at: number, lines: readonly number[], side: number): readonly number[] => {
    const from = at === 0 ? 0 : lines[at - 1]! + 1
    const to = at === lines.length ? side : lines[at]!
    return Array.from({ length: to - from }, (_, offset) => from + offset)
  }
  for (let row = 0; row <= horizontal.length; row++) {
    for (let column = 0; column <= vertical.length; column++) {
      const room = row * columns + column
      const right = vertical[column]
      if (right !== undefined)
        walls.push({ rooms: [room, room + 1], cells: span(row, horizontal, height).map((y) => y * width + right) })
      const below = horizontal[row]
      if (below !== undefined)
        walls.push({
          rooms: [room, room + columns],
          cells: span(column, vertical, width).map((x) => below * width + x),
        })
    }
  }
  return { count: columns * (horizontal.length + 1), walls, posts }
}

/** The places of walls along a side: the same from both ends. */
function wallsAlong(side: number): readonly number[] {
  const half: number[] = []
  for (let at = PITCH - 1; 2 * at < side - PITCH; at += PITCH) half.push(at)
  return [...half, ...half.map((at) => side - 1 - at).reverse()]
}
