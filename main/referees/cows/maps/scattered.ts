import { drawBelow } from '../../../contract/random.ts'
import { block, type Ground } from './ground.ts'

/** Obstacles one by one anywhere outside the corrals, each with the one that it turns into. */
export function scattered(ground: Ground, obstacles: number, next: () => number): void {
  // A cell may be drawn twice: tries end, so that a full grid does not hang.
  for (let tries = 0, placed = 0; placed < obstacles && tries < 20 * obstacles; tries++) {
    const number = drawBelow(next, ground.blocked.length)
    if (ground.blocked[number] === 1) continue
    block(ground, number)
    if (ground.blocked[number] === 1) placed += 2
  }
}
