import { drawBelow } from '../../../contract/random.ts'
import { block, type Ground } from './ground.ts'

/** Rows from wall to wall, and cells of a gap. */
const PITCH = 9
const GAP = 5

/** Corridors from west to east: walls across the whole grid with two gaps each, those in the south turned from those in the north. */
export function corridors(ground: Ground, next: () => number): void {
  const { width, height } = ground
  for (let y = PITCH - 1; 2 * y < height - 2; y += PITCH) {
    const gaps = [0, 1].map((half) => Math.floor((half * width) / 2) + drawBelow(next, Math.floor(width / 2) - GAP))
    for (let x = 0; x < width; x++) {
      if (gaps.every((gap) => x < gap || x >= gap + GAP)) block(ground, y * width + x)
    }
  }
}
