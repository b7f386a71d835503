import { drawBelow } from '../../../contract/random.ts'
import { isInCorral, type Ground } from './ground.ts'

/** The dropped things, by cell. */
export interface Dropped {
  readonly cows: Set<number>
  readonly herders: readonly [readonly number[], readonly number[]]
}

/**
 * As the organisers' server of 2008 made its random maps: obstacles, then cows, then the herders of both teams are dropped one by one
 * on free cells, which exclude the last row and the last column. Corrals stay free here, so that no cow counts before the
 * first step. Neither team has the same view as the other.
 */
export function dropUniformly(
  ground: Ground,
  { obstacles, cows, herders }: { readonly obstacles: number; readonly cows: number; readonly herders: number },
  next: () => number,
): Dropped {
  const free: number[] = []
  for (let number = 0; number < ground.width * (ground.height - 1); number++) {
    if (number % ground.width < ground.width - 1 && !isInCorral(ground, number)) free.push(number)
  }
  const drop = (count: number): readonly number[] =>
    Array.from({ length: Math.min(count, free.length) }, () => free.splice(drawBelow(next, free.length), 1)[0]!)
  for (const number of drop(obstacles)) ground.blocked[number] = 1
  return { cows: new Set(drop(cows)), herders: [drop(herders), drop(herders)] }
}
