import { maxCsp as knowledge } from '../../agents/specker/knowledge/max-csp.ts'
import type { Formula } from '../../agents/specker/solvers/formula.ts'
import { grayCode, grayCodeWork } from '../../agents/specker/solvers/gray-code.ts'
import { search } from '../../main/services/games/specker/solve.ts'
import { randomStream } from '../../main/contract/random.ts'
import { mixedInstance, type Instance } from './max-csp.ts'
import { optimumOf } from './oracle.ts'
import { rowOf, type Bench, type Row } from './row.ts'

/** Relations, variables and constraints of seeded random raw material with weights 1 to 10. */
const CASES = [
  { name: '22 alone', relations: [22], variables: 20, constraints: 100 },
  { name: '22 alone', relations: [22], variables: 40, constraints: 300 },
  { name: 'OR', relations: [254], variables: 30, constraints: 300 },
  { name: '1 and 22', relations: [1, 22], variables: 50, constraints: 400 },
] as const

const ALLOWED_MS = 1_000
/** How long the oracle may take, and the solver itself where that is not installed or finds no answer. */
const ORACLE_SECONDS = 20
const LONG_MS = 8_000

/** How soon the solver has the best value that is known. */
export const solver: Bench = {
  name: 'solver',
  measure() {
    return Promise.resolve([
      grayCodeRow(),
      ...CASES.map(({ name, relations, variables, constraints }): Row => {
        const instance = mixedInstance(relations, variables, constraints)
        const oracle = optimumOf(instance, ORACLE_SECONDS)
        const known = typeof oracle === 'string' ? reached(instance, LONG_MS) : oracle.optimum
        const source = typeof oracle === 'string' ? `toulbar2: ${oracle}; best of ${LONG_MS / 1_000} s` : 'toulbar2'
        return rowOf(
          {
            name: `solver: ${known} reached, ${name}, n ${variables} m ${constraints}`,
            value: soonest(instance, known),
            unit: 'ms',
          },
          { name: source, value: typeof oracle === 'string' ? LONG_MS : oracle.ms, unit: 'ms' },
          { of: 'value', below: ALLOWED_MS },
        )
      }),
    ])
  },
}

/** How long it takes to try all assignments of 22 variables: minmax counts on it (agents/specker/solvers/solve.ts). */
function grayCodeRow(): Row {
  const [variables, constraints] = [22, 1_540]
  const formula = knowledge({}).formula(mixedInstance([22], variables, constraints))
  if (formula === undefined) throw new Error('the instance cannot be read')
  const ms = Math.min(...[1, 2, 3].map(() => msOf(formula)))
  return rowOf(
    { name: `solver: Gray code, all assignments, n ${variables} m ${constraints}`, value: ms, unit: 'ms' },
    { name: 'constraint visits that it counts for', value: grayCodeWork(formula) / ms, unit: 'a ms' },
    { of: 'value', below: ALLOWED_MS },
  )
}

function msOf(formula: Formula): number {
  const start = performance.now()
  grayCode(formula)
  return performance.now() - start
}

/** The least time, of 1, 2, 4 ... ms, after which the solver has this weight; infinite where twice what is allowed is too short. */
function soonest(instance: Instance, weight: number): number {
  for (let ms = 1; ms <= 2 * ALLOWED_MS; ms *= 2) {
    const start = performance.now()
    if (reached(instance, ms) >= weight) return performance.now() - start
  }
  return Infinity
}

/** The weight that is satisfied after so long. */
function reached(instance: Instance, ms: number): number {
  const formula = knowledge({}).formula(instance)
  if (formula === undefined) throw new Error('the instance cannot be read')
  const random = randomStream('7'.repeat(64))
  const end = performance.now() + ms
  return search(
    formula,
    () => random() / 2 ** 32,
    () => performance.now() >= end,
  ).satisfied
}
