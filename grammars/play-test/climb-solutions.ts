import { poolOf, variationOf } from '../challenges/variations.ts'
import { compare } from '../formulas/index.ts'
import type { Json } from '../json.ts'
import { exactQuality, type JudgedSolution } from './draw-pieces.ts'
import type { Tools } from './tools.ts'

/** Variations between two looks at the clock. */
const LOOKED = 16

/**
 * The best of some solutions of an instance after variations of it. It ends at once at a solution beyond its bound, and also
 * tries variations of perfect solutions, because these are closest to a bound that is wrong.
 */
export function climbFrom(
  { challenge, config, random, isOver }: Tools,
  instance: Json,
  solutions: readonly JudgedSolution[],
  variations: number,
): JudgedSolution | null {
  let best: JudgedSolution | null = null
  for (const solution of solutions) best = better(solution, best)
  const shape = challenge.values.shape('Solution')
  if (best === null || !shape.ok) return best
  const pool = poolOf(
    solutions.map(({ solution }) => solution),
    shape.shape,
  )
  for (let i = 0; i < variations && best.judgement.kind === 'rated'; i++) {
    if (i % LOOKED === 0 && isOver()) break
    const solution: Json = variationOf(best.solution, shape.shape, pool, random)
    if (challenge.feasible(config, instance, solution) !== null) continue
    best = better({ solution, judgement: challenge.judgement(config, instance, solution) }, best)
  }
  return best
}

/** Beyond the bound is better than any quality; of two equal ones the newer, so that a search moves across plateaus. */
function better(one: JudgedSolution, other: JudgedSolution | null): JudgedSolution {
  if (other?.judgement.kind === 'outside') return other
  if (one.judgement.kind === 'outside' || other === null) return one
  const [mine, known] = [exactQuality(one), exactQuality(other)]
  if (mine === null) return other
  return known === null || compare(mine, known) >= 0 ? one : other
}
