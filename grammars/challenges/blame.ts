import type { Json } from '../json.ts'
import type { Property, Random } from '../properties/index.ts'
import type { Values } from '../values/index.ts'

/** The value at fault where a solution cannot be judged; `challenge`: the file itself. */
export type Culprit = 'solution' | 'instance' | 'challenge'

/**
 * How far the judging of a solution came. `refused`: it is not feasible; `judged`: it has a quality, and the belief a
 * value; `outside`: the quality is not from 0 to 1; `limit`, `failed`: a formula has no value, because of a limit of
 * the language or for another reason.
 */
export type Attempt = 'refused' | 'judged' | 'outside' | 'limit' | 'failed'

/** If a generator that reaches a limit of the language counts as a solution that does; recorded matches have both. */
type Generators = 'ignored' | 'counted'

/** `predicate`: of the raw material, if the file is asked for other raw material too; null in earlier contests. */
export interface Asked {
  readonly generators: Generators
  readonly predicate: Json | null
}

/** The number of other solutions that are tried before the instance or the file is blamed. */
const TRIED = 3

/**
 * How far the judging of other raw material came, without solutions that are not feasible. If none of it could be judged, no player
 * could have delivered any, and the file is at fault. `attempt`: with another random instance; null: none was made.
 */
export function tryOthers(attempt: () => Attempt | null): readonly Attempt[] {
  return Array.from({ length: TRIED }, attempt).filter((result) => result !== null && result !== 'refused')
}

/**
 * Finds the value at fault where a solution was not judged. A solution is at fault unless no random solution of the same
 * instance can be judged either: then the instance is, if the formulas reach their limits (a smaller one would have
 * done), and otherwise the file. Random solutions that are not feasible say nothing about the measure. If the generator of
 * solutions reaches the limits itself, it is a size of the instance that makes it do so.
 */
export function findCulprit(
  attempt: (solution: Json) => Attempt,
  solution: Json,
  others: { readonly property: Property | null; readonly values: Values; readonly inputs: readonly Json[] },
  random: Random,
  generators: Generators,
): Culprit {
  const first = attempt(solution)
  if (first === 'refused' || first === 'judged') return 'solution'
  if (first === 'outside') return 'challenge'
  const tried: Attempt[] = []
  for (let count = 0; count < TRIED; count++) {
    const generated = others.property?.generate(others.inputs, random)
    const made = generated ?? others.values.sample('Solution', random)
    if (made.ok) tried.push(attempt(made.value))
    else if (generated?.ok === false && generated.problem.limit && generators === 'counted') tried.push('limit')
  }
  const telling = tried.filter((result) => result !== 'refused')
  if (telling.length === 0 || telling.some((result) => result === 'judged')) return 'solution'
  return telling.every((result) => result === 'limit') ? 'instance' : 'challenge'
}
