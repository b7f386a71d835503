import { moves, type Perception, type Place, type Team } from './perception.ts'

export interface Cow extends Place {
  readonly id: string
  /** The step in which it was last seen. */
  readonly seen: number
}

/** A team's memory of the grid. Cells are numbered row by row. */
export interface Pasture {
  readonly width: number
  readonly height: number
  /** One's own. */
  readonly corral: Team['corral']
  /** By cell: 1 where an obstacle was seen. */
  readonly obstacles: Uint8Array
  /** By cell: 1 in the other team's corral, as far as it was seen. */
  readonly theirs: Uint8Array
  /** By cell: the step in which it was last seen; -1: never. */
  readonly seen: Int32Array
  readonly cows: Map<string, Cow>
  /** By body. */
  readonly herders: Map<number, Place>
  /** Cells with other herders, and the step in which they were seen. */
  readonly others: Map<number, number>
  /** How far each cell is from one's own corral, over what is not known to be an obstacle; see `distancesFrom`. */
  home(): Int32Array
  cell(x: number, y: number): number
  inside(x: number, y: number): boolean
  /** Adds what a body sees. */
  look(body: number, perception: Perception): void
}

/** Cows that were not seen for so long may be anywhere. */
const FORGOTTEN = 60

export function createPasture({ width, height, corral }: Team): Pasture {
  const size = width * height
  const obstacles = new Uint8Array(size)
  const theirs = new Uint8Array(size)
  const seen = new Int32Array(size).fill(-1)
  const cows = new Map<string, Cow>()
  const herders = new Map<number, Place>()
  const others = new Map<number, number>()
  const cell = (x: number, y: number): number => y * width + x
  const inside = (x: number, y: number): boolean => x >= 0 && y >= 0 && x < width && y < height
  const goals: number[] = []
  for (let y = corral.y0; y <= corral.y1; y++) for (let x = corral.x0; x <= corral.x1; x++) goals.push(cell(x, y))
  let home: Int32Array | null = null

  const pasture: Pasture = {
    width,
    height,
    corral,
    obstacles,
    theirs,
    seen,
    cows,
    herders,
    others,
    cell,
    inside,
    home: () => (home ??= distancesFrom(pasture, goals)),
    look(body, { x, y, step, cells }) {
      herders.set(body, { x, y })
      for (const [at, when] of others) if (step - when > 3) others.delete(at)
      const here = new Set<string>()
      const visible = new Set<number>()
      for (const each of cells) {
        if (each.unknown) continue
        const place = { x: x + each.x, y: y + each.y }
        const at = cell(place.x, place.y)
        seen[at] = step
        visible.add(at)
        others.delete(at)
        if (each.cow !== undefined) {
          cows.set(each.cow, { id: each.cow, ...place, seen: step })
          here.add(each.cow)
        }
        if (each.agent !== undefined && (each.x !== 0 || each.y !== 0)) others.set(at, step)
        if (each.corral === 'enemy') theirs[at] = 1
        if (each.obstacle && obstacles[at] === 0) {
          obstacles[at] = 1
          home = null
        }
      }
      // A cow that is not where it was is gone; it may be in a cell that is withheld.
      for (const cow of cows.values()) {
        const gone = visible.has(cell(cow.x, cow.y)) && !here.has(cow.id) && cow.seen < step
        if (gone || step - cow.seen > FORGOTTEN) cows.delete(cow.id)
      }
    },
  }
  return pasture
}

/** Breadth first from some cells: the number of steps to each cell; -1 if it is unreachable. */
function distancesFrom({ width, height, obstacles }: Pasture, goals: readonly number[]): Int32Array {
  const distances = new Int32Array(width * height).fill(-1)
  const queue = new Int32Array(width * height)
  let end = 0
  for (const goal of goals) {
    distances[goal] = 0
    queue[end++] = goal
  }
  for (let at = 0; at < end; at++) {
    const from = queue[at]!
    const [x, y] = [from % width, Math.floor(from / width)]
    for (const [, dx, dy] of moves) {
      const next = from + dy * width + dx
      if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue
      if (obstacles[next] === 1 || distances[next] !== -1) continue
      distances[next] = distances[from]! + 1
      queue[end++] = next
    }
  }
  return distances
}
